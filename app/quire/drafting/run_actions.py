"""What the menus have for the control of a run: before it, and of the model's pace."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable


class RunActions(ActionTable):
    """The actions; whoever wires them decides what they do and when."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.before_start = self._action(self.tr("Be&fore You Start…"))
        self.calibrate = self._action(self.tr("Calibrate &Speed…"))
        self.self_check = self._action(self.tr("Acceleration Self-&Check…"))

    def fill(self, draft: QMenu, tools: QMenu, inspect: QMenu, before: QAction) -> None:
        """Put them into the menus; before: the action of the Draft menu that the first one precedes."""
        draft.insertAction(before, self.before_start)
        tools.addAction(self.calibrate)
        inspect.addSeparator()
        inspect.addAction(self.self_check)

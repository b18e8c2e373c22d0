"""The actions of a run's features: what to know before it, its acceleration, its check."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable


class RunActions(ActionTable):
    """The actions; what they do, and when, is decided where they are connected."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.before_start = self._action(self.tr("Be&fore You Start…"))
        self.acceleration = self._action(self.tr("&Acceleration…"))
        self.self_check = self._action(self.tr("Acceleration Self-&Check…"))

    def fill(self, draft: QMenu, inspect: QMenu, before: QAction) -> None:
        """Put them into the menus; before: the action of the Draft menu that follows the first one."""
        draft.insertAction(before, self.before_start)
        inspect.addSeparator()
        inspect.addAction(self.acceleration)
        inspect.addAction(self.self_check)

"""What helps the writer along, as actions: manual, sample, report, and the way back to the start."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


class HelpActions(ActionTable):
    """The actions; whoever is wired to them decides what they do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.manual = self._action(self.tr("&Manual"), "F1")
        self.sample = self._action(self.tr("Sample &Project"))
        self.report = self._action(self.tr("&Report a Problem..."))
        self.welcome = self._action(self.tr("&Welcome Page"))
        self.close_project = self._action(self.tr("&Close Project"))

    def fill_help(self, menu: QMenu) -> None:
        """Put the manual, the sample and the report into the Help menu, before what stands there."""
        first = next(iter(menu.actions()), None)
        add_to_menu(menu, self.manual, self.sample, self.report, before=first)
        if first is not None:
            menu.insertSeparator(first)

    def fill_file(self, menu: QMenu, before: QAction) -> None:
        """Put the ways back to the start into the File menu."""
        add_to_menu(menu, self.close_project, self.welcome, None, before=before)

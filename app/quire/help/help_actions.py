"""What helps the writer along, as actions: manual, sample, report, and the way back to the start."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu


class HelpActions(QObject):
    """The actions; whoever is wired to them decides what they do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.manual = QAction(self.tr("&Manual"), self)
        self.manual.setShortcut(QKeySequence("F1"))
        self.sample = QAction(self.tr("Sample &Project"), self)
        self.report = QAction(self.tr("&Report a Problem…"), self)
        self.welcome = QAction(self.tr("&Welcome Page"), self)
        self.close_project = QAction(self.tr("&Close Project"), self)
        self.set_open(is_open=False)

    def fill_help(self, menu: QMenu) -> None:
        """Put the manual, the sample and the report into the Help menu, before what stands there."""
        first = next(iter(menu.actions()), None)
        for action in (self.manual, self.sample, self.report):
            menu.insertAction(first, action) if first is not None else menu.addAction(action)
        if first is not None:
            menu.insertSeparator(first)

    def fill_file(self, menu: QMenu, before: QAction) -> None:
        """Put the ways back to the start into the File menu."""
        menu.insertAction(before, self.close_project)
        menu.insertAction(before, self.welcome)
        menu.insertSeparator(before)

    def set_open(self, *, is_open: bool) -> None:
        """Take whether a project is open: only then there is one to close."""
        self.close_project.setEnabled(is_open)

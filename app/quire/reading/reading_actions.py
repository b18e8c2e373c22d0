"""What reads, prints and shows the whole book, as actions with their shortcuts."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu


class ReadingActions(QObject):
    """Actions of the File and the View menu; whoever is wired to them decides what they do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.focus = self._action(self.tr("F&ocus Mode"), "F8", checkable=True)
        self.reading_view = self._action(self.tr("&Reading View"), "Ctrl+Shift+R", checkable=True)
        self.outline = self._action(self.tr("Out&line"), "Ctrl+Shift+L", checkable=True)
        self.print_book = self._action(self.tr("&Print…"), "Ctrl+P")
        self.mirror_now = self._action(self.tr("Write Text Files &Now"))
        self.mirror = self._action(self.tr("&Keep Text Files Up to Date"), checkable=True)
        self.print_book.setMenuRole(QAction.MenuRole.NoRole)

    def fill_view(self, menu: QMenu) -> None:
        """Add to the View menu."""
        menu.addSeparator()
        menu.addActions([self.reading_view, self.outline, self.focus])

    def fill_file(self, menu: QMenu, before: QAction | None = None) -> None:
        """Add to the File menu, before one of its actions."""
        texts = QMenu(self.tr("&Text Files"), menu)
        texts.addActions([self.mirror_now, self.mirror])
        for action in (self.print_book, texts.menuAction(), None):
            if action is None:
                menu.insertSeparator(before) if before is not None else menu.addSeparator()
            elif before is None:
                menu.addAction(action)
            else:
                menu.insertAction(before, action)

    def show_open(self, *, is_open: bool, read_only: bool) -> None:
        """Enable what can be done with the open project; is_open: whether there is one."""
        for action in (self.reading_view, self.outline, self.print_book, self.mirror_now):
            action.setEnabled(is_open)
        self.mirror.setEnabled(is_open and not read_only)

    def _action(self, text: str, shortcut: str = "", *, checkable: bool = False) -> QAction:
        action = QAction(text, self)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        action.setCheckable(checkable)
        return action

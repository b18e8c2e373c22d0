"""The actions of reading view, focus mode, outline, index cards, a second text and printing."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


class ReadingActions(ActionTable):
    """Actions of the File and the View menu; what they do is decided where they are connected."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.focus = self._action(self.tr("Foc&us Mode"), "F8", checked=False)
        self.reading_view = self._action(self.tr("&Reading View"), "Ctrl+Shift+R", checked=False)
        self.outline = self._action(self.tr("Out&line"), "Ctrl+Shift+L", checked=False)
        self.cards = self._action(self.tr("Inde&x Cards"), "Ctrl+Shift+K", checked=False)
        self.beside = self._action(self.tr("Seco&nd Text"), "Ctrl+Shift+B", checked=False)
        self.go_to_beside = self._action(self.tr("&Go to Second Text"), "Ctrl+Shift+E")
        self.print_book = self._action(self.tr("&Print…"), "Ctrl+P", role=QAction.MenuRole.NoRole)

    def fill_view(self, menu: QMenu, go_to_menu: QMenu, before: QAction | None = None) -> None:
        """Add to the View menu, before one of its actions, and to its submenu of places."""
        views = (self.reading_view, self.outline, self.cards, self.beside, self.focus)
        add_to_menu(menu, *views, None, before=before)
        go_to_menu.addAction(self.go_to_beside)

    def fill_file(self, menu: QMenu, before: QAction | None = None) -> None:
        """Add to the File menu, before one of its actions."""
        add_to_menu(menu, self.print_book, None, before=before)

    def show_open(self, *, is_open: bool) -> None:
        """Enable the actions that are possible."""
        for action in (
            self.reading_view,
            self.outline,
            self.cards,
            self.beside,
            self.go_to_beside,
            self.print_book,
        ):
            action.setEnabled(is_open)

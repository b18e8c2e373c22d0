"""What opens the preferences, as an action with its shortcut; and where every other action stands."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from quire.preferences.shortcuts import ShortcutBook, ShortcutLine, name_actions

_HOLDER = "Actions"


class PreferenceActions(QObject):
    """The action of the Tools menu."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.preferences = QAction(self.tr("&Preferences…"), self)
        self.preferences.setShortcut(QKeySequence("Ctrl+,"))
        self.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)

    def fill(self, menu: QMenu) -> None:
        """Add to the Tools menu."""
        menu.addSeparator()
        menu.addAction(self.preferences)


def gather(window: QObject, bar: QMenuBar, book: ShortcutBook) -> None:
    """Enter every action of the menus into the book of shortcuts; what is there already stays as it is.

    Actions are named after who holds them: every QObject of the window whose class is called ...Actions, so
    `pause` of WindowActions is `window.pause`.
    """
    for holder in window.findChildren(QObject):
        kind = type(holder).__name__
        if kind.endswith(_HOLDER):
            name_actions(holder, kind.removesuffix(_HOLDER).lower())
    for top in bar.actions():
        menu = top.menu()
        if isinstance(menu, QMenu):
            book.add(top.text(), _actions_in(menu))


def shortcut_lines(window: QObject, bar: QMenuBar) -> list[ShortcutLine]:
    """Return every action of the menus that has keys, with the keys that it has now."""
    book = ShortcutBook()
    gather(window, bar, book)
    return [line for line in book.lines() if line.keys]


def _actions_in(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from _actions_in(submenu)
        elif not action.isSeparator():
            yield action

"""The shortcuts of every action: Quire's defaults, the writer's own, and conflicts between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import cast

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

Keys = tuple[str, ...]
"""The keys of an action in Qt's portable format; the first one is shown in the menu."""

_HOLDING = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_WRITING_KEYS = {
    Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Backspace,
    Qt.Key.Key_Delete, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_Right,
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
}  # fmt: skip
_LAST_CHARACTER = 0x00FFFFFF
_PORTABLE = QKeySequence.SequenceFormat.PortableText
_NATIVE = QKeySequence.SequenceFormat.NativeText
_Standard = QKeySequence.StandardKey
_CARET_KEYS = (
    _Standard.MoveToNextWord, _Standard.MoveToPreviousWord, _Standard.SelectNextWord,
    _Standard.SelectPreviousWord, _Standard.MoveToStartOfDocument, _Standard.MoveToEndOfDocument,
    _Standard.SelectStartOfDocument, _Standard.SelectEndOfDocument, _Standard.DeleteStartOfWord,
    _Standard.DeleteEndOfWord,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShortcutLine:
    """One action in the list.

    Attributes:
        name: its stable name.
        menu: its menu.
        text: its text.
        keys: its keys as shown on the screen.
        changed: whether the writer changed them.
    """

    name: str
    menu: str
    text: str
    keys: str
    changed: bool = False


class ShortcutConflict(Enum):
    """Why a key cannot be assigned to an action."""

    WRITES = "it belongs to writing"
    OPENS_MENU = "it opens a menu"


class ShortcutBook(QObject):
    """Every named action, with its keys.

    Signals:
        changed: keys were assigned or removed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, str] = {}
        self._usual: dict[str, Keys] = {}
        self._chosen: dict[str, Keys] = {}
        self._menu_keys: set[str] = set()

    def add(self, menu: str, actions: Iterable[QAction]) -> None:
        """Register the actions of a menu, whose title may contain the key that opens it.

        An action without a name, or with a duplicate name, is skipped.
        """
        self._menu_keys.add(QKeySequence.mnemonic(menu).toString(_PORTABLE))
        for action in actions:
            name = action.objectName()
            if name and name not in self._actions:
                self._actions[name] = action
                self._menus[name] = plain(menu)
                self._usual[name] = keys_of(action)
                if name in self._chosen:
                    self._give(name)

    def choose(self, chosen: Mapping[str, Sequence[str]]) -> None:
        """Apply the writer's keys, and only these; unknown names wait for their action."""
        wanted = {name: _portable(keys) for name, keys in chosen.items()}
        if wanted != self._chosen:
            before, self._chosen = self._chosen, wanted
            for name in before.keys() | wanted.keys():
                self._give(name)
            self.changed.emit()

    @property
    def chosen(self) -> dict[str, Keys]:
        """Return what the writer changed."""
        return dict(self._chosen)

    def lines(self) -> Iterator[ShortcutLine]:
        """Yield every action in the order of the menus, with or without keys."""
        for name, action in self._actions.items():
            shown = shown_keys(keys_of(action))
            yield ShortcutLine(name, self._menus[name], plain(action.text()), shown, name in self._chosen)

    def text(self, name: str) -> str:
        """Return the text of an action."""
        return plain(self._actions[name].text())

    def keys(self, name: str) -> Keys:
        """Return the current keys of an action."""
        return keys_of(self._actions[name])

    def owner(self, key: str, but: str = "") -> str | None:
        """Return the name of the action that a key is assigned to, or None if there is none except `but`."""
        return next((name for name in self._actions if name != but and key in self.keys(name)), None)

    def refusal(self, name: str, key: str) -> ShortcutConflict | None:
        """Return why a key cannot be assigned to an action, or None if it can."""
        if key in self._menu_keys:
            return ShortcutConflict.OPENS_MENU
        in_the_text = self._actions[name].shortcutContext() is not Qt.ShortcutContext.WidgetShortcut
        return ShortcutConflict.WRITES if in_the_text and writes_text(key) else None

    def rebound(self, name: str, keys: Sequence[str]) -> dict[str, Keys]:
        """Return the writer's choices after assigning keys to an action; they are removed from any other
        action.
        """
        after = dict(self._chosen)
        wanted = _portable(keys)
        for other in self._actions:
            left = tuple(key for key in self.keys(other) if key not in wanted)
            if other != name and left != self.keys(other):
                self._note(after, other, left)
        self._note(after, name, wanted)
        return after

    def reset(self, name: str) -> dict[str, Keys]:
        """Return the writer's choices after resetting an action to Quire's keys."""
        return self.rebound(name, self._usual[name])

    def _note(self, chosen: dict[str, Keys], name: str, keys: Keys) -> None:
        if keys == self._usual[name]:
            chosen.pop(name, None)
        else:
            chosen[name] = keys

    def _give(self, name: str) -> None:
        if name in self._actions:
            keys = self._chosen.get(name, self._usual[name])
            self._actions[name].setShortcuts([QKeySequence(key, _PORTABLE) for key in keys])


def keys_of(action: QAction) -> Keys:
    """Return the keys of an action in Qt's portable format."""
    return tuple(key.toString(_PORTABLE) for key in action.shortcuts())


def shown_keys(keys: Iterable[str], between: str = ", ") -> str:
    """Return keys as they are written on this system."""
    return between.join(QKeySequence(key, _PORTABLE).toString(_NATIVE) for key in keys)


def plain(text: str) -> str:
    """Return the text of an action without menu markup."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").removesuffix("…")


def writes_text(key: str) -> bool:
    """Return whether a key is needed for typing, so that no action of the window may use it."""
    sequence = QKeySequence(key, _PORTABLE)
    if any(sequence in QKeySequence.keyBindings(standard) for standard in _CARET_KEYS):
        return True
    pressed = cast("Sequence[QKeyCombination]", sequence)[0]
    if pressed.keyboardModifiers() & _HOLDING:
        return False
    return pressed.key() in _WRITING_KEYS or pressed.key().value <= _LAST_CHARACTER


def _portable(keys: Iterable[str]) -> Keys:
    """Return valid keys in the portable format, without duplicates."""
    spelled = (QKeySequence(key, _PORTABLE).toString(_PORTABLE) for key in keys)
    return tuple(dict.fromkeys(key for key in spelled if key))


def gather(bar: QMenuBar, book: ShortcutBook) -> None:
    """Register every action of the menus with the shortcuts; existing ones stay as they are."""
    for top in bar.actions():
        menu = top.menu()
        if isinstance(menu, QMenu):
            book.add(top.text(), _actions_in(menu))


def shortcut_lines(bar: QMenuBar) -> list[ShortcutLine]:
    """Return every action of the menus that has keys, with its current keys."""
    book = ShortcutBook()
    gather(bar, book)
    return [line for line in book.lines() if line.keys]


def _actions_in(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from _actions_in(submenu)
        elif not action.isSeparator():
            yield action

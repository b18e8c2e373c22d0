"""The size of the interface's text, and of whatever must grow with it; the manuscript has its own size."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QTableView, QWidget
from shiboken6 import isValid

INTERFACE_PX = 13
"""The usual size of the interface's text; every other size in the code belongs to it."""
_LINE_EM = 1.25
"""Height of a line of Inter."""
_WINDOWS_POINTS = 9
"""The size of the system's font on Windows, unless its text is made bigger."""


class TextSize(Enum):
    """The writer's choice; the values are stored in the settings."""

    SYSTEM = "system"
    SMALLER = "smaller"
    NORMAL = "normal"
    LARGER = "larger"
    LARGEST = "largest"


_PX_OF = {TextSize.SMALLER: 12, TextSize.NORMAL: INTERFACE_PX, TextSize.LARGER: 15, TextSize.LARGEST: 17}

_Apply = Callable[[Any], object]


class _Chosen:
    """What holds for all of Quire, as the application's font does, and the widgets that follow it."""

    px = INTERFACE_PX
    followers: ClassVar[WeakKeyDictionary[QWidget, dict[str, _Apply]]] = WeakKeyDictionary()


def scaled(px: float) -> int:
    """Return a size for the chosen size of the text; px: in pixels, for the usual one."""
    return round(px * _Chosen.px / INTERFACE_PX)


def with_line(px: int) -> int:
    """Return the height of a line of text with room around it: the line grows, the room does not.

    Args:
        px: in pixels, for the usual size of the text.
    """
    return px + round((_Chosen.px - INTERFACE_PX) * _LINE_EM)


def choose_text_size(size: TextSize) -> bool:
    """Apply another size, and return whether it is another; the followers are told by update_followers()."""
    px = _PX_OF[system_text_size() if size is TextSize.SYSTEM else size]
    is_new, _Chosen.px = px != _Chosen.px, px
    return is_new


def update_followers() -> None:
    """Give every widget that follows the size of the text its sizes."""
    for widget, appliers in list(_Chosen.followers.items()):
        if isValid(widget):
            for apply in appliers.values():
                apply(widget)


def system_text_size(platform: str = sys.platform, points: float | None = None) -> TextSize:
    """Return the size that is nearest to the system's.

    Only Windows has a size of text apart from its scaling; elsewhere Qt applies the scaling to everything.

    Args:
        points: the size of the system's font; None: ask for it.
    """
    if platform != "win32":
        return TextSize.NORMAL
    if points is None:
        points = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
    wanted = INTERFACE_PX * points / _WINDOWS_POINTS
    return min(_PX_OF, key=lambda size: abs(_PX_OF[size] - wanted)) if points > 0 else TextSize.NORMAL


def set_scaled_font(widget: QWidget, make_font: Callable[..., QFont], *args: Any, **named: Any) -> None:
    """Give a widget a font of its own, made again whenever the size of the text changes."""

    def apply(it: QWidget) -> None:
        it.setFont(make_font(*args, **named))
        if isinstance(it, QAbstractScrollArea):
            it.viewport().setFont(it.font())  # it does not inherit a later one below a style sheet

    follow(widget, "font", apply)


def fit(set_size: Callable[[int], object], px: int) -> None:
    """Call a setter of a widget with a size in pixels, now and whenever the size of the text changes."""
    name = set_size.__name__
    follow(set_size.__self__, name, lambda it: getattr(it, name)(scaled(px)))  # type: ignore[attr-defined]


def fit_line(widget: QWidget, px: int) -> None:
    """Give a widget with one line of text a fixed height that follows the size of the text."""
    follow(widget, "line", lambda it: it.setFixedHeight(with_line(px)))


def fit_rows(table: QTableView, px: int) -> None:
    """Give the rows of a table a height that follows the size of the text."""
    follow(table, "rows", lambda it: it.verticalHeader().setDefaultSectionSize(with_line(px)))


def fit_icon(button: QAbstractButton, px: int) -> None:
    """Give the icon of a button a size that follows the size of the text."""
    follow(button, "icon", lambda it: it.setIconSize(QSize(scaled(px), scaled(px))))


def follow(widget: QWidget, name: str, apply: _Apply) -> None:
    """Call a function with a widget, now and whenever the size of the text changes.

    Args:
        name: what is set; a later function of this name replaces the earlier one.
        apply: is kept as long as the widget, so it must not refer to it.
    """
    _Chosen.followers.setdefault(widget, {})[name] = apply
    apply(widget)

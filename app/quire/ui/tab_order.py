"""The position of later added widgets in the tab order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_first(widget: QWidget) -> None:
    """Put the controls of a widget first in the tab order of its window."""
    own = _controls(widget)
    first = next(one for one in _controls(widget.window()) if one not in own)
    _chain_up(
        [first, *own, first]
    )  # Qt cannot insert before the first, but the first can be moved behind another


def tab_last_in(widget: QWidget, container: QWidget) -> None:
    """Put the controls of a widget last in the tab order of its container."""
    own = _controls(widget)
    others = [one for one in _controls(container) if one not in own]
    _chain_up([others[-1], *own])


def _chain_up(controls: Sequence[QWidget]) -> None:
    for one, following in pairwise(controls):
        QWidget.setTabOrder(one, following)


def _controls(widget: QWidget) -> list[QWidget]:
    """Return the focusable controls of a widget in order; inner parts of a control count as part of it."""
    takes_focus = Qt.FocusPolicy.TabFocus
    return [one for one in _chain(widget) if one.focusPolicy() & takes_focus and one.focusProxy() is None]


def _chain(widget: QWidget) -> Iterator[QWidget]:
    one: QWidget | None = widget
    while one is not None:
        if one is widget or widget.isAncestorOf(one):
            yield one
        following = one.nextInFocusChain()
        one = None if following is widget else following

"""Where a widget that is added later comes in the order of the Tab key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_first(widget: QWidget) -> None:
    """Let Tab reach what is in a widget before everything else in its window."""
    own = _controls(widget)
    first = next(one for one in _controls(widget.window()) if one not in own)
    _chain_up([first, *own, first])  # Qt puts nothing before the first, but that goes after another one


def tab_last_in(widget: QWidget, container: QWidget) -> None:
    """Let Tab reach what is in a widget after everything else in its container."""
    own = _controls(widget)
    others = [one for one in _controls(container) if one not in own]
    _chain_up([others[-1], *own])


def _chain_up(controls: Sequence[QWidget]) -> None:
    for one, following in pairwise(controls):
        QWidget.setTabOrder(one, following)


def _controls(widget: QWidget) -> list[QWidget]:
    """Return what Tab can reach in a widget, in its order; a field inside of another goes with that."""
    takes_focus = Qt.FocusPolicy.TabFocus
    return [one for one in _chain(widget) if one.focusPolicy() & takes_focus and one.focusProxy() is None]


def _chain(widget: QWidget) -> Iterator[QWidget]:
    one: QWidget | None = widget
    while one is not None:
        if one is widget or widget.isAncestorOf(one):
            yield one
        following = one.nextInFocusChain()
        one = None if following is widget else following

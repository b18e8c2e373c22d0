"""Scroll bars that always have their room, and show a handle only where there is something to scroll."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar


def keep_room_for_scroll_bar(area: QAbstractScrollArea) -> None:
    """Keep the vertical scroll bar in place, so that text does not move when it is first needed.

    Without anything to scroll it is disabled, and the style sheet then hides its handle, which Qt would draw
    over its full length.
    """
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar = area.verticalScrollBar()
    bar.rangeChanged.connect(partial(_enable, bar))
    _enable(bar, bar.minimum(), bar.maximum())


def _enable(bar: QScrollBar, first: int, last: int) -> None:
    bar.setEnabled(first < last)

"""The first and the smallest size of a dialog."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

from quire.theme.text_size import follow, scaled

_FRAME = QSize(8, 44)
"""What a window manager puts around a window, at most."""
_NARROWEST = QSize(880, 0)
"""Pages are laid out for this width, which is that of the narrowest window."""


def resize_within_screen(dialog: QDialog, size: QSize) -> None:
    """Give a dialog a size, or as much of it as the screen has room for; larger text makes it larger."""
    follow(dialog, "first size", _FirstSize(size))


def keep_at_least(dialog: QDialog, size: QSize) -> None:
    """Give a dialog a minimum size that grows with the text, but never beyond the screen."""
    follow(dialog, "least size", partial(_keep_at_least, size=size))


def _keep_at_least(dialog: QDialog, size: QSize) -> None:
    dialog.setMinimumSize((size * (scaled(100) / 100)).expandedTo(size).boundedTo(_room(dialog)))


def _room(dialog: QDialog) -> QSize:
    return (dialog.screen().availableSize() - _FRAME).expandedTo(_NARROWEST)


class _FirstSize:
    """Resizes a dialog whenever the text has another size, and otherwise leaves it as the writer made it."""

    def __init__(self, size: QSize) -> None:
        self._size = size
        self._given: QSize | None = None

    def __call__(self, dialog: QDialog) -> None:
        wanted = QSize(scaled(self._size.width()), scaled(self._size.height())).expandedTo(self._size)
        if wanted == self._given:  # another theme
            return
        self._given = wanted
        if not dialog.isMaximized():
            dialog.resize(wanted.boundedTo(_room(dialog)))

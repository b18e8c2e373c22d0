"""The first size of a dialog."""

from __future__ import annotations

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
            room = dialog.screen().availableSize() - _FRAME
            dialog.resize(wanted.boundedTo(room.expandedTo(_NARROWEST)))

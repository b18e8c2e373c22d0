"""The first size of a dialog."""

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
    follow(dialog, "first size", partial(_resize, size=size))


def _resize(dialog: QDialog, size: QSize) -> None:
    room = dialog.screen().availableSize() - _FRAME
    wanted = QSize(scaled(size.width()), scaled(size.height())).expandedTo(size)
    dialog.resize(wanted.boundedTo(room.expandedTo(_NARROWEST)))

"""The upper edge of the page: a line that it cuts fades out."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QLinearGradient, QPainter

_FADE_PX = 26


def fade_cut_line(painter: QPainter, line: QRect, width: int, paper: QColor) -> None:
    """Fade out the first line where the upper edge cuts it; a whole line stays as dark as the others.

    Args:
        line: where the caret is in that line, in the viewport.
    """
    height = min(line.bottom() + 1, _FADE_PX)
    if line.top() >= 0 or height <= 0:
        return
    fade = QLinearGradient(0, 0, 0, height)
    fade.setColorAt(0, paper)
    clear = QColor(paper)
    clear.setAlpha(0)
    fade.setColorAt(1, clear)
    painter.fillRect(0, 0, width, height, fade)

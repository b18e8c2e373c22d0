"""The cover of an EPUB book, as a picture: libraries and shops show no drawings."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QIODevice, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportStyle
from quire.book_formats.typography import LOOKS

_WIDTH, _HEIGHT, _FRAME, _MARGIN = 1200, 1800, 70, 140
_TITLE = QRectF(_MARGIN, 300, _WIDTH - 2 * _MARGIN, 1000)
_AUTHOR = QRectF(_MARGIN, 1350, _WIDTH - 2 * _MARGIN, 250)
_TITLE_PX, _AUTHOR_PX, _LEAST_PX, _STEP_PX = 120, 70, 24, 4
_CLOTH, _INK = "#1d5c57", "#f6f1e6"
_WRAPPED = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


def cover(book: Book) -> bytes:
    """Return a cover with title and author as PNG; nothing without a window's fonts."""
    if QGuiApplication.instance() is None:
        return b""
    image = QImage(_WIDTH, _HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor(_CLOTH))
    painter = QPainter(image)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(_INK), 4))
        painter.drawRect(_FRAME, _FRAME, _WIDTH - 2 * _FRAME, _HEIGHT - 2 * _FRAME)
        for text, room, size_px in ((book.title or "Untitled", _TITLE, _TITLE_PX),
                                    (book.author, _AUTHOR, _AUTHOR_PX)):  # fmt: skip
            painter.setFont(_fitting(text, room, size_px))
            painter.drawText(room, _WRAPPED, text)
    finally:
        painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def _fitting(text: str, room: QRectF, size_px: int) -> QFont:
    """Return the largest font up to a size in which a text has room."""
    font = QFont(list(LOOKS[ExportStyle.EBOOK].families))
    for px in range(size_px, _LEAST_PX, -_STEP_PX):
        font.setPixelSize(px)
        needed = QFontMetricsF(font).boundingRect(room, int(_WRAPPED), text)
        if needed.width() <= room.width() and needed.height() <= room.height():
            break
    return font

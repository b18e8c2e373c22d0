"""Icons, coloured by the theme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from quire_resources import ROOT

ICONS = ROOT / "icons"
_SCALE = 3
"""Oversampling factor, so that an icon stays sharp on every screen."""


def icon(name: str, colour: str, disabled: str | None = None, size: int = 20) -> QIcon:
    """Return an icon in one colour, and in another when disabled."""
    drawn = QIcon(_pixmap(name, colour, size))
    if disabled is not None:
        drawn.addPixmap(_pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return drawn


def app_icon(size: int = 128) -> QIcon:
    """Return Quire's own icon: folded sheets."""
    return icon("quire", "#000000", size=size)


def _pixmap(name: str, colour: str, size: int) -> QPixmap:
    drawing = (ICONS / f"{name}.svg").read_text(encoding="utf-8").replace("currentColor", colour)
    pixmap = QPixmap(size * _SCALE, size * _SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(_SCALE)
    return pixmap

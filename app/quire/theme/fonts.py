"""The two font families of Quire: Literata for the manuscript, Inter for everything else."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase

from quire.theme.text_size import INTERFACE_PX, scaled
from quire_resources import FONTS

READING = ("Literata", "Georgia", "Charter", "Noto Serif", "DejaVu Serif")
INTERFACE = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")


def install_fonts() -> None:
    """Register the bundled fonts with Qt; a missing file is replaced by a system font."""
    for file in sorted(FONTS.glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


def reading_font(size_px: int) -> QFont:
    """Return the font of the manuscript, whose size is its own."""
    font = QFont()
    font.setFamilies(list(READING))
    font.setPixelSize(size_px)
    # Fractional metrics keep the letter spacing of the design instead of rounding it to pixels.
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


def headline_font(size_px: int) -> QFont:
    """Return the font of headlines and titles in the interface; size_px: at its usual size."""
    return reading_font(scaled(size_px))


def interface_font(size_px: int = INTERFACE_PX, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the font of menus, buttons and labels; size_px: at the usual size of the interface's text."""
    font = QFont()
    font.setFamilies(list(INTERFACE))
    font.setPixelSize(scaled(size_px))
    font.setWeight(weight)
    return font


def figures_font(size_px: int = INTERFACE_PX) -> QFont:
    """Return the font of read-outs: tabular figures, so that they do not jump while counting."""
    font = interface_font(size_px)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font

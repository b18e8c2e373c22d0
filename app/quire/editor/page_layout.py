"""How the page looks to the writer: font, line spacing and line length."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtGui import QFont, QFontMetricsF

from quire.editor.document import LINE_HEIGHT_EM
from quire.theme.fonts import reading_font

MIN_LINE_HEIGHT_EM, MAX_LINE_HEIGHT_EM = 1.0, 3.0
MIN_TEXT_WIDTH, DEFAULT_TEXT_WIDTH, MAX_TEXT_WIDTH = 30, 70, 140
"""Number of characters in a full line."""

_MEASURE = "the quick brown fox jumps over the lazy dog and goes home for some tea"
"""Characters in the proportions of English text; their mean width is the unit of line length."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The sizes of the text.

    Attributes:
        text_px: font size in pixels.
        family: font family; empty for Quire's default.
        line_height_em: line spacing in multiples of the font's height.
        text_width: number of characters in a full line.
    """

    text_px: int
    family: str = ""
    line_height_em: float = LINE_HEIGHT_EM
    text_width: int = DEFAULT_TEXT_WIDTH

    def __post_init__(self) -> None:
        if self.text_px < 1:
            raise ValueError(f"text_px must be at least 1, got {self.text_px}")
        if not MIN_LINE_HEIGHT_EM <= self.line_height_em <= MAX_LINE_HEIGHT_EM:
            raise ValueError(f"line_height_em is out of its range: {self.line_height_em}")
        if not MIN_TEXT_WIDTH <= self.text_width <= MAX_TEXT_WIDTH:
            raise ValueError(f"text_width is out of its range: {self.text_width}")

    @property
    def font(self) -> QFont:
        """Return the font of the text, or the default if its family is not installed."""
        font = reading_font(self.text_px)
        if self.family:
            font.setFamilies([self.family, *font.families()])
        return font

    @property
    def column_px(self) -> int:
        """Return the width of a full line, which scales with the text size."""
        sample = QFontMetricsF(self.font).horizontalAdvance(_MEASURE)
        return math.ceil(sample * self.text_width / len(_MEASURE))

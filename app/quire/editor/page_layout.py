"""How the page looks to the writer: the font of the text, how far apart lines stand, how long they are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtGui import QFont, QFontMetricsF

from quire.editor.document import LINE_HEIGHT_EM
from quire.theme.fonts import reading_font

MIN_LINE_HEIGHT_EM, MAX_LINE_HEIGHT_EM = 1.0, 3.0
MIN_TEXT_WIDTH, DEFAULT_TEXT_WIDTH, MAX_TEXT_WIDTH = 30, 70, 140
"""Characters of a full line."""

_MEASURE = "the quick brown fox jumps over the lazy dog and goes home for some tea"
"""Characters as English has them, whose mean width is what a line is measured with."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """Sizes of the text. family: of the font; empty for the one of Quire."""

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
        """The font of the text; where its family is missing, the usual one takes its place."""
        font = reading_font(self.text_px)
        if self.family:
            font.setFamilies([self.family, *font.families()])
        return font

    @property
    def column_px(self) -> int:
        """How wide a full line is; it grows with the text, so that it holds as many characters."""
        sample = QFontMetricsF(self.font).horizontalAdvance(_MEASURE)
        return math.ceil(sample * self.text_width / len(_MEASURE))

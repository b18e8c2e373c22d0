"""The layout of one passage of the book on the reading page: its font, lines and spacing."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from quire.book_formats.blocks import BlockKind
from quire.editor.document import LINE_HEIGHT_EM
from quire.reading.passages import ReadingPassage
from quire.theme.colour_tokens import Tokens
from quire.theme.fonts import reading_font

_MEASURE = "the quick brown fox jumps over the lazy dog and goes home for some tea"
"""Line length of the book: 70 characters of English text, as in the editor."""
_INDENT_EM = 1.5
_MAX_KEPT = 400
"""Passages that stay laid out: several screens, but not a whole book."""


@dataclass(frozen=True, slots=True)
class _PassageStyle:
    """The style of a kind of passage.

    Attributes:
        size: font size relative to the text.
        line: line height relative to the font size.
        above: space above, in lines of the text.
        below: space below, in lines of the text.
    """

    size: float = 1.0
    line: float = LINE_HEIGHT_EM
    above: float = 0.0
    below: float = 0.0
    bold: bool = False
    italic: bool = False
    soft: bool = False


_LOOKS = {
    BlockKind.TITLE: _PassageStyle(2.0, 1.25, above=2.6, below=0.5, bold=True),
    BlockKind.AUTHOR: _PassageStyle(above=0.2, below=1.6, italic=True, soft=True),
    BlockKind.PART: _PassageStyle(1.6, 1.25, above=3.0, below=1.6, bold=True),
    BlockKind.CHAPTER: _PassageStyle(1.3, 1.3, above=3.0, below=1.2, bold=True),
    BlockKind.SCENE: _PassageStyle(above=1.2, below=0.6, italic=True),
    BlockKind.BREAK: _PassageStyle(above=0.6, below=0.6, soft=True),
    BlockKind.PARAGRAPH: _PassageStyle(),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What passages are laid out for: the size of the text and the width of the column."""

    text_px: int
    width_px: int

    @classmethod
    def fitting(cls, text_px: int, room_px: int) -> Setting:
        """Return the column for a text size, as wide as there is room."""
        wanted = math.ceil(QFontMetricsF(reading_font(text_px)).horizontalAdvance(_MEASURE))
        return cls(text_px, max(min(wanted, room_px), 8 * text_px))

    def font_of(self, kind: BlockKind) -> QFont:
        """Return the font of a kind of passage."""
        look = _LOOKS[kind]
        font = reading_font(round(self.text_px * look.size))
        font.setBold(look.bold)
        font.setItalic(look.italic)
        return font

    def estimate(self, passage: ReadingPassage) -> int:
        """Return the estimated height of a passage, from its length alone."""
        look = _LOOKS[passage.kind]
        size = self.text_px * look.size
        per_line = max(self.width_px / (_width_per_em() * size), 1.0)
        num_lines = math.ceil((len(passage.source) + 1) / per_line) + passage.source.count("\n")
        return round(num_lines * _line_px(size, look) + self._space(look))

    def _space(self, look: _PassageStyle) -> float:
        return (look.above + look.below) * LINE_HEIGHT_EM * self.text_px


class LaidPassage:
    """One passage, laid out.

    Attributes:
        text: its content, counted in UTF-16 units as in Qt.
    """

    def __init__(self, passage: ReadingPassage, setting: Setting) -> None:
        look = _LOOKS[passage.kind]
        spans = passage.spans
        self.is_soft = look.soft
        self.text = "".join(span.text for span in spans)
        font = setting.font_of(passage.kind)
        self._layout = QTextLayout(self.text.replace("\n", "\u2028"), font)
        self._layout.setCacheEnabled(True)
        self._layout.setTextOption(_option(is_centred=passage.kind.stands_alone))
        formats, start = list[QTextLayout.FormatRange](), 0
        for span in spans:
            length = len(span.text.encode("utf-16-le", "surrogatepass")) // 2
            if span.italic or span.bold:
                formats.append(_range(start, length, _emphasis(look, italic=span.italic, bold=span.bold)))
            start += length
        self._layout.setFormats(formats)
        line_space = LINE_HEIGHT_EM * setting.text_px
        indents = passage.kind is BlockKind.PARAGRAPH and not passage.is_first and not passage.goes_on
        indent = _INDENT_EM * setting.text_px if indents else 0.0
        bottom = self._break_lines(setting, look, indent, look.above * line_space)
        self.num_units = start
        self.height = round(bottom + look.below * line_space)

    def draw(self, painter: QPainter, corner: QPointF, selected: tuple[int, int], tokens: Tokens) -> None:
        """Draw it from its upper left corner.

        Args:
            painter: draws it.
            corner: its upper left corner.
            selected: the selected range, in Qt's positions.
            tokens: the colours.
        """
        painter.setPen(QColor(tokens.soft_ink if self.is_soft else tokens.ink))
        start, end = selected
        marks = list[QTextLayout.FormatRange]()
        if start < end:
            letters = QTextCharFormat()
            letters.setBackground(QColor(tokens.selection))
            letters.setForeground(QColor(tokens.on_selection))
            marks.append(_range(start, end - start, letters))
        self._layout.draw(painter, corner, marks)

    def position_at(self, point: QPointF) -> int:
        """Return the position nearest to a point, relative to the corner."""
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            if point.y() < line.y() + line.height() or number == self._layout.lineCount() - 1:
                return int(line.xToCursor(point.x()))
        return 0

    def line_top(self, position: int) -> int:
        """Return the distance from the corner to the line of a position."""
        line = self._layout.lineForTextPosition(min(position, self.num_units))
        return round(line.y()) if line.isValid() else 0

    def _break_lines(self, setting: Setting, look: _PassageStyle, indent: float, y: float) -> float:
        """Place the lines from a height on; return the end of the last one."""
        line_px = _line_px(setting.text_px * look.size, look)
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLineWidth(setting.width_px - indent)
            # half of the line spacing is above the letters
            line.setPosition(QPointF(indent, y + (line_px - line.height()) / 2))
            y, indent = y + line_px, 0.0
        self._layout.endLayout()
        return y


class LaidPassages:
    """A cache of the most recently laid out passages, for one setting."""

    def __init__(self, passages: tuple[ReadingPassage, ...], setting: Setting) -> None:
        self._passages, self._setting = passages, setting
        self._kept = OrderedDict[int, LaidPassage]()

    def __getitem__(self, index: int) -> LaidPassage:
        """Return a passage, laying it out if necessary."""
        if index in self._kept:
            self._kept.move_to_end(index)
        else:
            self._kept[index] = LaidPassage(self._passages[index], self._setting)
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)
        return self._kept[index]

    def __len__(self) -> int:
        return len(self._kept)

    def height_of(self, index: int) -> int:
        """Return the height of a passage."""
        return self[index].height


@lru_cache(maxsize=1)
def _width_per_em() -> float:
    """Return the mean width of a letter relative to the font size."""
    return QFontMetricsF(reading_font(100)).horizontalAdvance(_MEASURE) / (100 * len(_MEASURE))


def _line_px(size: float, look: _PassageStyle) -> int:
    return round(size * look.line)


def _option(*, is_centred: bool) -> QTextOption:
    option = QTextOption(Qt.AlignmentFlag.AlignHCenter if is_centred else Qt.AlignmentFlag.AlignLeft)
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _range(start: int, length: int, letters: QTextCharFormat) -> QTextLayout.FormatRange:
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, letters
    return found


def _emphasis(look: _PassageStyle, *, italic: bool, bold: bool) -> QTextCharFormat:
    """Return the emphasis; italics within italics are upright."""
    letters = QTextCharFormat()
    letters.setFontItalic(italic != look.italic)
    letters.setFontWeight(QFont.Weight.Bold if bold or look.bold else QFont.Weight.Normal)
    return letters

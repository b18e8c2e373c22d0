"""A book as a PDF: title page, running heads, every chapter on a new page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPicture,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLine,
)

from quire.book_formats.blocks import Block, BlockKind, book_blocks, title_page
from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings, ExportStyle, Paper
from quire.book_formats.typography import LOOKS, Typography, running_head
from quire.book_formats.work_progress import WorkProgress

_POINTS_PER_MM = 72 / 25.4
_DPI = 600
_HEADING_LINE = 1.3
_OPENINGS = (BlockKind.PART, BlockKind.CHAPTER)
_CENTRED = (*_OPENINGS, BlockKind.SCENE, BlockKind.BREAK, BlockKind.MOTTO, BlockKind.TITLE, BlockKind.AUTHOR,
            BlockKind.NOTE)  # fmt: skip
_PAPER = {Paper.A4: QPageSize.PageSizeId.A4, Paper.LETTER: QPageSize.PageSizeId.Letter}


def pages(book: Book, recipe: ExportSettings, watch: WorkProgress) -> bytes:
    """Return the PDF. It is laid out chapter by chapter, so that a long book needs no more memory."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _writer(buffer, book, recipe)
    painter = QPainter(writer)
    try:
        painter.scale(_DPI / 72, _DPI / 72)
        _print(_PdfSheets(painter, writer), book, recipe, watch)
    finally:
        painter.end()
        buffer.close()
    return bytes(data.data())


def pictures(book: Book, recipe: ExportSettings, watch: WorkProgress) -> tuple[QPicture, ...]:
    """Return the pages as drawings, in points: to be shown, and to be printed on any printer."""
    sheets = _PictureSheets()
    try:
        _print(sheets, book, recipe, watch)
    finally:
        sheets.end()
    return tuple(sheets.pictures)


class _Sheets(Protocol):
    """The pages to draw on."""

    def next(self) -> QPainter:
        """Begin another page, and return a painter that uses points."""
        ...


class _PdfSheets:
    def __init__(self, painter: QPainter, writer: QPdfWriter) -> None:
        self._painter, self._writer = painter, writer
        self._is_blank = True

    def next(self) -> QPainter:
        if not self._is_blank:
            self._writer.newPage()
        self._is_blank = False
        return self._painter


class _PictureSheets:
    def __init__(self) -> None:
        self.pictures = list[QPicture]()
        self._painter = QPainter()

    def next(self) -> QPainter:
        self.end()
        self.pictures.append(QPicture())
        self._painter.begin(self.pictures[-1])
        return self._painter

    def end(self) -> None:
        """Finish the last page."""
        if self._painter.isActive():
            self._painter.end()


def _print(sheets: _Sheets, book: Book, recipe: ExportSettings, watch: WorkProgress) -> None:
    printing = _Printing(sheets, book, recipe)
    front = title_page(book, with_length=recipe.look is ExportStyle.MANUSCRIPT)
    if recipe.title_page and front:
        printing.print_title(front)
    sections = list(_sections(book_blocks(book, recipe)))
    for number, section in enumerate(sections):
        watch.step(number / len(sections))
        printing.print_section(section)


def _writer(buffer: QBuffer, book: Book, recipe: ExportSettings) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setPageLayout(
        QPageLayout(QPageSize(_PAPER[recipe.paper]), QPageLayout.Orientation.Portrait, QMarginsF())
    )
    writer.setTitle(book.title)
    writer.setAuthor(book.author)
    writer.setCreator("Quire")
    return writer


def _sections(blocks: Iterator[Block]) -> Iterator[Sequence[Block]]:
    """Yield what begins on a new page."""
    section = list[Block]()
    for block in blocks:
        if block.kind in _OPENINGS and section:
            yield section
            section = []
        section.append(block)
    if section:
        yield section


@dataclass(slots=True)
class _Fonts:
    look: Typography

    def font(self, size: float, *, italic: bool = False, bold: bool = False) -> QFont:
        """Return the style's font; sizes are in points, which are the units of the page."""
        font = QFont()
        font.setFamilies(list(self.look.families))
        font.setStyleHint(
            QFont.StyleHint.TypeWriter if self.look.generic == "monospace" else QFont.StyleHint.Serif
        )
        font.setFixedPitch(self.look.generic == "monospace")
        font.setPixelSize(round(size))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        font.setItalic(italic)
        font.setBold(bold)
        return font


class _Printing:
    """Prints sections one after another and counts the pages."""

    def __init__(self, sheets: _Sheets, book: Book, recipe: ExportSettings) -> None:
        self._sheets = sheets
        self._look = LOOKS[recipe.look]
        self._fonts = _Fonts(self._look)
        self._head = running_head(book.author, book.title)
        width, height = (side * _POINTS_PER_MM for side in recipe.paper.size_mm)
        margin = self._look.margin
        self._area = QRectF(margin, margin, width - 2 * margin, height - 2 * margin)
        self._page = 0
        self._direction = (
            Qt.LayoutDirection.RightToLeft if book.runs_right_to_left else Qt.LayoutDirection.LeftToRight
        )

    def print_title(self, blocks: Sequence[Block]) -> None:
        """Print the title page, which has no number."""
        for lines in self._pages_of(self._document(blocks, sink=0.35 * self._area.height())):
            self._print_page(lines)

    def print_section(self, blocks: Sequence[Block]) -> None:
        """Print a chapter or a part from a new page on."""
        document = self._document(blocks, sink=self._look.sink)
        for lines in self._pages_of(document):
            painter = self._print_page(lines)
            self._page += 1
            self._print_number(painter)

    def _pages_of(self, document: QTextDocument) -> Iterator[list[tuple[QTextLine, QPointF]]]:
        """Yield the lines of every page and their positions.

        Drawing the document clipped to a page would put lines at its edges on two pages: invisible, but found
        by copying and searching.
        """
        number, lines, height = 0, list[tuple[QTextLine, QPointF]](), self._area.height()
        block = document.begin()
        while block.isValid():
            layout = block.layout()
            for place in range(layout.lineCount()):
                line = layout.lineAt(place)
                middle = layout.position().y() + line.y() + line.height() / 2
                if int(middle // height) > number:
                    yield lines
                    number, lines = int(middle // height), []
                corner = self._area.topLeft() + layout.position() - QPointF(0, number * height)
                lines.append((line, corner))
            block = block.next()
        yield lines

    def _document(self, blocks: Sequence[Block], sink: float) -> QTextDocument:
        document = QTextDocument()
        document.setUndoRedoEnabled(False)
        document.setDefaultFont(self._fonts.font(self._look.size))
        document.setDocumentMargin(0)
        document.setPageSize(self._area.size())
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        # an empty line: Qt leaves out the margin above the first block of a document
        is_opening = blocks[0].kind is not BlockKind.PARAGRAPH
        cursor.setBlockFormat(_empty_line(sink if is_opening else 1))
        for number, block in enumerate(blocks):
            cursor.insertBlock(self._form(block, is_first=number == 0))
            for span in block.spans:
                text = span.text.replace("\n", "\u2028")
                cursor.insertText(text, self._letters(block.kind, italic=span.italic, bold=span.bold))
        cursor.endEditBlock()
        document.documentLayout().documentSize()  # lays it out
        return document

    def _form(self, block: Block, *, is_first: bool) -> QTextBlockFormat:
        look, form = self._look, QTextBlockFormat()
        size = self._size(block.kind)
        height = look.line * size if size == look.size else _HEADING_LINE * size
        form.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        form.setBottomMargin(look.gap)
        form.setLayoutDirection(self._direction)
        if block.kind in _CENTRED:
            form.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            form.setTopMargin(0 if is_first else look.size)
            form.setBottomMargin(2 * look.size if block.kind in _OPENINGS else look.size)
            return form
        form.setTextIndent(0 if block.is_first and not look.indents_first else look.indent)
        if look.justified:
            form.setAlignment(Qt.AlignmentFlag.AlignJustify)
        return form

    def _letters(self, kind: BlockKind, *, italic: bool, bold: bool) -> QTextCharFormat:
        bold = bold or (kind in (BlockKind.TITLE, *_OPENINGS) and not self._look.running_head)
        letters = QTextCharFormat()
        letters.setFont(
            self._fonts.font(self._size(kind), italic=italic or kind is BlockKind.MOTTO, bold=bold)
        )
        return letters

    def _size(self, kind: BlockKind) -> float:
        if kind is BlockKind.TITLE:
            return 1.4 * self._look.heading
        return self._look.heading if kind in _OPENINGS else self._look.size

    def _print_page(self, lines: Sequence[tuple[QTextLine, QPointF]]) -> QPainter:
        painter = self._sheets.next()
        for line, corner in lines:
            line.draw(painter, corner)
        return painter

    def _print_number(self, painter: QPainter) -> None:
        margin = self._look.margin
        painter.setFont(self._fonts.font(self._look.size))
        if self._look.running_head:
            side = Qt.AlignmentFlag.AlignRight
            if self._direction is Qt.LayoutDirection.RightToLeft:
                side = Qt.AlignmentFlag.AlignLeft
            text = f"{self._head} / {self._page}" if self._head else str(self._page)
            band = QRectF(margin, margin / 2, self._area.width(), margin / 2)
            painter.drawText(band, int(side | Qt.AlignmentFlag.AlignTop), text)
        else:
            band = QRectF(margin, self._area.bottom() + margin / 4, self._area.width(), margin / 2)
            painter.drawText(band, int(Qt.AlignmentFlag.AlignHCenter), str(self._page))


def _empty_line(height: float) -> QTextBlockFormat:
    form = QTextBlockFormat()
    form.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return form

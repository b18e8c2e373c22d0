"""Turns formatted text of the clipboard into the manuscript's marks: italics, bold, headings, line breaks."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QFont, QTextBlock, QTextDocument

from quire.domain.manuscript.markup import MAX_LEVEL, MarkupSpan, marked
from quire.editor.plain_text import to_manuscript

_MOST_CHARS = 2_000_000
"""A longer page is pasted as plain text: reading its formats would stop the window."""
_NO_TEXT = "\ufffc"
"""Stands for a picture."""


class _Page(QTextDocument):
    """A page whose pictures and style sheets are never looked for."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return nothing."""
        return None


def pasted_text(source: QMimeData, *, has_gaps: bool, begins_line: bool) -> str:
    """Return what a paste adds to the manuscript: the plain text, unless the clipboard has formats to keep.

    Args:
        has_gaps: blank lines part the paragraphs.
        begins_line: a heading can begin where it is pasted.
    """
    html = source.html()
    if not html or len(html) > _MOST_CHARS:
        return source.text()
    page = _Page()
    page.setUndoRedoEnabled(False)
    page.setHtml(html)
    paragraphs = [
        (level, spans) for level, spans in _paragraphs(page) if "".join(one.text for one in spans).strip()
    ]
    if not any(level or span.italic or span.bold for level, spans in paragraphs for span in spans):
        return source.text() or page.toPlainText()
    lines = [
        f"{'#' * level} {marked(spans)}" if level and (number or begins_line) else marked(spans)
        for number, (level, spans) in enumerate(paragraphs)
    ]
    return ("\n\n" if has_gaps else "\n").join(lines)


def _paragraphs(page: QTextDocument) -> Iterator[tuple[int, list[MarkupSpan]]]:
    """Yield the paragraphs, each with its level as a heading; deeper ones than ours are prose."""
    block = page.firstBlock()
    while block.isValid():
        level = block.blockFormat().headingLevel()
        yield (level if level <= MAX_LEVEL else 0), list(_spans(block, is_heading=level > 0))
        block = block.next()


def _spans(block: QTextBlock, *, is_heading: bool) -> Iterator[MarkupSpan]:
    parts = block.begin()
    while not parts.atEnd():
        fragment = parts.fragment()
        look = fragment.charFormat()
        text = to_manuscript(fragment.text()).replace(_NO_TEXT, "")
        is_bold = look.fontWeight() >= QFont.Weight.DemiBold and not is_heading
        yield MarkupSpan(text if not is_heading else text.replace("\n", " "), look.fontItalic(), is_bold)
        parts += 1

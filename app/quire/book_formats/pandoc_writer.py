"""A book as the document tree that Pandoc reads.

A stretch of text goes in as one string: that is several times quicker than word by word, and nothing in it
is ever read as markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from quire.book_formats.blocks import Block, BlockKind, book_blocks, title_page
from quire.book_formats.book import Book
from quire.book_formats.export_settings import ExportSettings, ExportStyle, Format
from quire.book_formats.pandoc import API_VERSION
from quire.book_formats.paragraphs import Paragraph, fit
from quire.domain.manuscript.comment_marks import MARK, comment_of

Element = dict[str, Any]
_STYLES = {BlockKind.BREAK: "SceneBreak", BlockKind.MOTTO: "Motto"}
_FIRST = {Format.DOCX: "First Paragraph", Format.ODT: "First_20_paragraph"}
"""Pandoc gives this style to paragraphs below headings, but not to those below scene breaks."""
_CLASSES = {BlockKind.BREAK: "scene-break", BlockKind.MOTTO: "motto"}


def document(book: Book, recipe: ExportSettings) -> bytes:
    """Return the book as JSON."""
    level = 2 if book.has_parts else 1
    levels = {BlockKind.PART: 1, BlockKind.CHAPTER: level, BlockKind.SCENE: 3}
    found = list(book_blocks(book, recipe))
    inlines = _Inlines(book, found)
    blocks = [_element(block, levels, _FIRST.get(recipe.format), inlines) for block in found]
    return json.dumps(
        {"pandoc-api-version": API_VERSION, "meta": _meta(book, recipe), "blocks": blocks},
        ensure_ascii=False,
    ).encode()


def _meta(book: Book, recipe: ExportSettings) -> Element:
    meta = {"lang": _string(book.language)}
    if recipe.format is Format.EPUB:
        meta["title"] = _string(book.title or "Untitled")
        if book.author:
            meta["author"] = _string(book.author)
    elif recipe.title_page:
        names = {BlockKind.TITLE: "title", BlockKind.AUTHOR: "author", BlockKind.NOTE: "date"}
        for block in title_page(book, with_length=recipe.style is ExportStyle.MANUSCRIPT):
            meta[names[block.kind]] = {"t": "MetaInlines", "c": list(_Inlines(book, ())(block.spans))}
    return meta


def _element(block: Block, levels: dict[BlockKind, int], first: str | None, inlines_of: _Inlines) -> Element:
    inlines = list(inlines_of(block.spans))
    if block.kind in levels:
        return {"t": "Header", "c": [levels[block.kind], ["", [], []], inlines]}
    paragraph = {"t": "Para", "c": inlines}
    if block.kind in _STYLES:
        return _styled(paragraph, _STYLES[block.kind], _CLASSES[block.kind])
    return _styled(paragraph, first) if block.is_first and first else paragraph


def _styled(paragraph: Element, style: str, *classes: str) -> Element:
    return {"t": "Div", "c": [["", classes, [["custom-style", style]]], [paragraph]]}


class _Inlines:
    """Makes the inlines of paragraphs, with the comments that begin and end among these blocks."""

    def __init__(self, book: Book, blocks: Iterable[Block]) -> None:
        self._book = book
        marks = (mark for block in blocks for span in block.spans for mark in MARK.findall(span.text))
        seen = set(map(comment_of, marks)) if book.comments else set()
        self._whole = {number for number, is_end in seen if is_end and (number, False) in seen}

    def __call__(self, spans: Paragraph) -> Iterator[Element]:
        for span in spans:
            inlines = list(self._lines(span.text))
            if span.bold:
                inlines = [{"t": "Strong", "c": inlines}]
            if span.italic:
                inlines = [{"t": "Emph", "c": inlines}]
            yield from inlines

    def _lines(self, text: str) -> Iterator[Element]:
        for number, line in enumerate(text.split("\n")):
            if number:
                yield {"t": "LineBreak"}
            yield from self._line(line) if self._book.comments else _text(line)

    def _line(self, line: str) -> Iterator[Element]:
        at = 0
        for found in MARK.finditer(line):
            number, is_end = comment_of(found[0])
            if number >= len(self._book.comments):
                continue  # a character of the writer's own
            yield from _text(line[at : found.start()])
            if number in self._whole:
                yield self._end(number) if is_end else self._start(number)
            at = found.end()
        yield from _text(line[at:])

    def _start(self, number: int) -> Element:
        comment = self._book.comments[number]
        about = [
            ["author", comment.author or self._book.author or "Author"],
            ["date", comment.created.strftime("%Y-%m-%dT%H:%M:%SZ")],
        ]
        lines = [list(_text(line)) for line in fit(comment.text).split("\n")]
        said = lines[0] + list(chain.from_iterable([{"t": "LineBreak"}, *line] for line in lines[1:]))
        return {"t": "Span", "c": [[str(number), ["comment-start"], about], said]}

    def _end(self, number: int) -> Element:
        return {"t": "Span", "c": [[str(number), ["comment-end"], []], []]}


def _text(text: str) -> Iterator[Element]:
    if text:
        yield {"t": "Str", "c": text}


def _string(text: str) -> Element:
    return {"t": "MetaInlines", "c": [{"t": "Str", "c": text}]}

"""Reads Pandoc's document tree as a manuscript: text, and nothing else."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Any

from quire.book_formats.paragraphs import MarkupSpan, fit, marked, plain, tidied_spans
from quire.domain.manuscript.headings import MAX_HEADING, is_break

SCENE_BREAK = "* * *"
Block = dict[str, Any]
Inline = str | dict[str, Any]
"""A piece of a paragraph: text, or what has a type and a content."""
_BREAKS = {"Space": " ", "SoftBreak": " ", "LineBreak": "\n"}
_QUOTES = {"SingleQuote": ("‘", "’"), "DoubleQuote": ("“", "”")}
_ITALIC = ("Emph", "Underline")  # a typewriter has no italics: manuscripts underline
_TRANSPARENT = ("SmallCaps", "Superscript", "Subscript", "Strikeout")
_TAG = re.compile(r"<[^<>]*>")
_TAGS = {"<em>": "italic", "<i>": "italic", "<strong>": "bold", "<b>": "bold"}


@dataclass(frozen=True, slots=True)
class Manuscript:
    """The content of a file; `left_out` counts pictures, notes and the like by their names."""

    title: str
    author: str
    text: str
    left_out: tuple[tuple[str, int], ...] = ()


def manuscript_of(tree: bytes) -> Manuscript:
    """Return the manuscript in a document tree; ValueError for an invalid tree."""
    try:
        document = json.loads(tree, object_hook=_lighter)
        meta = document["meta"]
        title, author = _meta_text(meta.get("title")), _meta_text(meta.get("author"))
        return manuscript_of_blocks(document["blocks"], (), title, author)
    except (KeyError, TypeError, IndexError, RecursionError, AttributeError) as error:
        raise ValueError(f"not a document tree: {error!r}") from error


def manuscript_of_blocks(
    blocks: Iterable[Block], left_out: Iterable[str], title: str, author: str
) -> Manuscript:
    """Return the manuscript in the blocks of a document tree.

    Args:
        left_out: what was left out already.
        title: its text and that of `author` are tidied.
    """
    reading = _Reading(Counter(left_out))
    text = "\n\n".join(reading.blocks(blocks))
    return Manuscript(_line(title), _line(author), text, tuple(sorted((+reading.left_out).items())))


def _lighter(element: dict[str, Any]) -> Inline:
    """Return the text of an inline that is nothing else: a book has a million of them."""
    kind = element.get("t")
    if kind == "Str" and isinstance(element.get("c"), str):
        return str(element["c"])
    return _BREAKS.get(kind, element) if isinstance(kind, str) else element


@dataclass(frozen=True, slots=True)
class _Style:
    italic: bool = False
    bold: bool = False


_UPRIGHT = _Style()


@dataclass(slots=True)
class _Reading:
    left_out: Counter[str] = field(default_factory=Counter)

    def blocks(self, blocks: Iterable[dict[str, Any]]) -> Iterator[str]:
        """Yield the paragraphs and headings, with their marks."""
        for block in blocks:
            kind: str = block["t"]
            content: Any = block.get("c")
            if kind in ("Para", "Plain"):
                yield from self._paragraph(content)
            elif kind == "Header":
                yield from self._heading(content[0], content[2])
            elif kind == "HorizontalRule":
                yield SCENE_BREAK
            elif kind == "LineBlock":
                yield from self._paragraph([inline for line in content for inline in (*line, "\n")])
            elif kind == "CodeBlock":
                yield from self._paragraph([str(content[1])])
            else:
                yield from self._nested(kind, content)

    def _nested(self, kind: str, content: Any) -> Iterator[str]:
        if kind == "BlockQuote":
            yield from self.blocks(content)
        elif kind == "Div":
            yield from self.blocks(content[1])
        elif kind in ("BulletList", "OrderedList"):
            for item in content if kind == "BulletList" else content[1]:
                yield from self.blocks(item)
        elif kind == "DefinitionList":
            for term, definitions in content:
                yield from self._paragraph(term)
                for definition in definitions:
                    yield from self.blocks(definition)
        elif kind == "Table":
            self.left_out["table"] += 1
            yield from self._table(content)
        elif kind == "RawBlock" and content[0] == "html":
            yield from self._paragraph([unescape(_TAG.sub("", content[1]))])
        elif kind == "Figure":
            self.left_out["picture"] += 1

    def _table(self, content: Any) -> Iterator[str]:
        """Yield the texts of the cells, row by row."""
        _, _, _, head, bodies, foot = content
        rows = [*head[1], *(row for body in bodies for row in (*body[2], *body[3])), *foot[1]]
        for row in rows:
            for cell in row[1]:
                yield from self.blocks(cell[4])

    def _paragraph(self, inlines: list[Inline]) -> Iterator[str]:
        spans = tidied_spans(self.spans(inlines))
        words = plain(spans)
        if is_break(words):
            yield SCENE_BREAK
        elif words:
            yield marked(spans)

    def _heading(self, level: int, inlines: list[Inline]) -> Iterator[str]:
        spans = [replace(span, text=span.text.replace("\n", " ")) for span in self.spans(inlines)]
        spans = list(tidied_spans(spans))
        for style in (_Style(italic=True), _Style(bold=True), _Style(italic=True, bold=True)):
            if all((span.italic, span.bold) == (style.italic, style.bold) for span in spans):
                spans = [MarkupSpan(plain(spans))]  # its emphasis is what the headings there look like
        title = marked(spans).removeprefix("\\") if spans else ""
        if title.endswith("#"):
            title += " #"  # the last ones are no part of a title
        heading = f"{'#' * min(level, 3)} {title}"
        if title:
            yield heading if len(heading) <= MAX_HEADING else marked(spans)

    def spans(self, inlines: Iterable[Inline], style: _Style = _UPRIGHT) -> Iterator[MarkupSpan]:
        """Yield the text of inlines in their style."""
        for inline in _joined(inlines):
            if isinstance(inline, str):
                yield MarkupSpan(inline, style.italic, style.bold)
                continue
            kind: str = inline["t"]
            content: Any = inline.get("c")
            if kind == "RawInline":
                style = _told_by_tag(content[1], style)
            elif kind in _ITALIC:
                yield from self.spans(content, replace(style, italic=True))
            elif kind == "Strong":
                yield from self.spans(content, replace(style, bold=True))
            elif kind in _TRANSPARENT:
                yield from self.spans(content, style)
            elif kind in ("Span", "Link", "Cite"):
                yield from self.spans(content[1], style)
            elif kind == "Quoted":
                opening, closing = _QUOTES[content[0]["t"]]
                yield MarkupSpan(opening, style.italic, style.bold)
                yield from self.spans(content[1], style)
                yield MarkupSpan(closing, style.italic, style.bold)
            else:
                yield from self._foreign(kind, content, style)

    def _foreign(self, kind: str, content: Any, style: _Style) -> Iterator[MarkupSpan]:
        if kind in ("Code", "Math"):
            yield MarkupSpan(content[1], style.italic, style.bold)
        elif kind == "Image":
            self.left_out["picture"] += 1
        elif kind == "Note":
            self.left_out["note"] += 1


def _joined(inlines: Iterable[Inline]) -> Iterator[Inline]:
    """Yield the inlines with neighbouring texts as one."""
    texts = list[str]()
    for inline in inlines:
        if isinstance(inline, str):
            texts.append(inline)
            continue
        if texts:
            yield "".join(texts)
            texts = []
        yield inline
    if texts:
        yield "".join(texts)


def _told_by_tag(tag: str, style: _Style) -> _Style:
    """Return the style after an HTML tag in Markdown."""
    tag = tag.strip().lower()
    if tag in _TAGS:
        return replace(style, **{_TAGS[tag]: True})
    if (opening := tag.replace("</", "<")) in _TAGS:
        return replace(style, **{_TAGS[opening]: False})
    return style


def _meta_text(value: dict[str, Any] | None) -> str:
    """Return the words of a title or of the names of authors."""
    if value is None:
        return ""
    kind, content = value["t"], value["c"]
    if kind == "MetaList":
        return ", ".join(filter(None, map(_meta_text, content)))
    if kind == "MetaString":
        words = str(content)
    elif kind == "MetaInlines":
        words = plain(_Reading().spans(content))
    else:
        words = ""
    return _line(words)


def _line(text: str) -> str:
    return " ".join(fit(text).split())

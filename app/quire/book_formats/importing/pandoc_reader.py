"""Reads Pandoc's document tree as a manuscript: text, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import unescape
from typing import Any

from quire.book_formats.importing.formatted_headings import with_formatted_headings
from quire.book_formats.importing.html_tags import has_other_brackets, said_by_tag, without_tags
from quire.book_formats.importing.left_out import LeftOut
from quire.book_formats.importing.plain_markup import numeral
from quire.book_formats.paragraphs import MarkupSpan, fit, marked, plain, tidied_spans
from quire.domain.manuscript.comment_marks import MARK, comment_of, mark_of, without_marks
from quire.domain.manuscript.comments import Comment, anchored, believable, unplaced
from quire.domain.manuscript.headings import is_break
from quire_engine.api.heading_grammar import MAX_HEADING

SCENE_BREAK = "* * *"
Block = dict[str, Any]
Inline = str | dict[str, Any]
"""A piece of a paragraph: text, or what has a type and a content."""
_BREAKS = {"Space": " ", "SoftBreak": " ", "LineBreak": "\n"}
_QUOTES = {"SingleQuote": ("‘", "’"), "DoubleQuote": ("“", "”")}
_ITALIC = ("Emph", "Underline")  # a typewriter has no italics: manuscripts underline
_TRANSPARENT = ("SmallCaps", "Superscript", "Subscript", "Strikeout")
_FORMS = {"LowerRoman": "i", "UpperRoman": "I", "LowerAlpha": "a", "UpperAlpha": "A"}
_WORD = re.compile(r"\S*\w\S*")
_LINE_END = re.compile(r"<br\s*/?>", re.IGNORECASE)
_REMARK = re.compile(r"<!--(.*?)-->", re.DOTALL)
_PICTURE = re.compile(r"<img\b", re.IGNORECASE)
_TAGS = {"<em>": "italic", "<i>": "italic", "<strong>": "bold", "<b>": "bold"}


@dataclass(frozen=True, slots=True)
class Manuscript:
    """The content of a file; `left_out` counts pictures, notes and the like by their names.

    Attributes:
        left_out_text: the words of what was left out.
        encoding: the one in which a text file was read; empty for others.
    """

    title: str
    author: str
    text: str
    left_out: tuple[tuple[str, int], ...] = ()
    comments: tuple[Comment, ...] = ()
    left_out_text: str = ""
    encoding: str = field(default="", compare=False)


def manuscript_of(tree: bytes, left_out: LeftOut | None = None) -> Manuscript:
    """Return the manuscript in a document tree; ValueError for an invalid tree.

    Args:
        left_out: what was left out already.
    """
    try:
        document = json.loads(tree, object_hook=_lighter)
        meta = document["meta"]
        title, author = _meta_text(meta.get("title")), _meta_text(meta.get("author"))
        return manuscript_of_blocks(document["blocks"], left_out or LeftOut(), title, author)
    except (KeyError, TypeError, IndexError, RecursionError, AttributeError) as error:
        raise ValueError(f"not a document tree: {error!r}") from error


def manuscript_of_blocks(blocks: Iterable[Block], left_out: LeftOut, title: str, author: str) -> Manuscript:
    """Return the manuscript in the blocks of a document tree.

    Args:
        left_out: what was left out already.
        title: its text and that of `author` are tidied.
    """
    reading = _Reading(left_out)
    whole = "\n\n".join(reading.blocks(with_formatted_headings(list(blocks))))
    text, comments = reading.remarks.taken_out(whole + "".join(reading.remarks.waiting))
    placed = {comment.comment_id for comment in comments}
    for key, one in reading.remarks.found.items():
        left_out.remarks.pop(key, None)
        if one.comment_id not in placed:
            left_out.add("comment", one.text)
    for words in left_out.remarks.values():  # on running heads, or on words that were deleted
        left_out.add("comment", words)
    left_out.add_missing(f"{title}\n{author}\n{text}")
    left_out_now = tuple(sorted((+left_out.counts).items()))
    said = "\n\n".join(left_out.texts)
    return Manuscript(_line(title), _line(author), text, left_out_now, comments, said)


def text_of_blocks(blocks: Iterable[Block]) -> str:
    """Return the words of blocks, without what they leave out."""
    return MARK.sub("", "\n".join(_Reading().blocks(blocks)))


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
class _Remarks:
    """The comments of a document while it is read, as marks in its text.

    Attributes:
        waiting: marks that are on nothing yet.
        on_heading: marks on the last heading, until there are words below it.
    """

    found: dict[str, Comment] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    on_heading: list[str] = field(default_factory=list)

    def mark(self, classes: list[str], about: dict[str, str], said: str) -> str:
        """Return the mark at the beginning or the end of a comment; empty for what is neither."""
        number = about.get("id", "")
        if "comment-end" in classes:
            return mark_of(self.found[number].comment_id, is_end=True) if number in self.found else ""
        if "comment-start" not in classes or not said.strip() or number in self.found:
            return ""
        made = _time(about.get("date", ""))
        author = _line(about.get("author", ""))
        self.found[number] = unplaced(len(self.found) + 1, fit(said).strip(), author, made)
        return mark_of(len(self.found))

    def put_off(self, spans: list[MarkupSpan]) -> list[MarkupSpan]:
        """Return words without marks, which wait for what is below."""
        self.waiting += MARK.findall(plain(spans))
        return [replace(span, text=MARK.sub("", span.text)) for span in spans]

    def put_on_heading(self, title: str) -> str:
        """Return a title with its marks; words below it repeat them, for headings also name chapters."""
        self.on_heading, self.waiting = self.waiting, []
        first = [mark for mark in self.on_heading if not comment_of(mark)[1]]
        last = [mark for mark in self.on_heading if comment_of(mark)[1]]
        return "".join([*first, title, *last])

    def put_on(self, text: str) -> str:
        """Return a paragraph with the marks of comments on the heading above it: the last ones count."""
        marks, self.waiting, self.on_heading = [*self.on_heading, *self.waiting], [], []
        if not marks:
            return text
        begun = {comment_of(mark)[0] for mark in marks if not comment_of(mark)[1]}
        first = [mark for mark in marks if not (comment_of(mark)[1] and comment_of(mark)[0] in begun)]
        after = [mark for mark in marks if mark not in first]
        word = text.split(maxsplit=1)[0]
        return "".join([*first, word, *after, text[len(word) :]])

    def taken_out(self, text: str) -> tuple[str, tuple[Comment, ...]]:
        """Return the whole text without marks, and the comments at their words."""
        if not self.found:
            return text, ()
        clean, places = without_marks(text)
        comments = list[Comment]()
        for comment in self.found.values():
            if comment.comment_id not in places:
                continue
            start, end = places[comment.comment_id]
            if not clean[start:end].strip():
                start, end = _word_at(clean, start)
            chosen = clean[start:end]
            start += len(chosen) - len(chosen.lstrip())
            if chosen.strip():
                comments.append(anchored(comment, clean, start, start + len(chosen.strip())))
        return clean, tuple(comments)


@dataclass(slots=True)
class _Reading:
    left_out: LeftOut = field(default_factory=LeftOut)
    remarks: _Remarks = field(default_factory=_Remarks)

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
                if words := " ".join(content[0][1]):
                    self.left_out.add("hidden text", words)
            else:
                yield from self._nested(kind, content)

    def _nested(self, kind: str, content: Any) -> Iterator[str]:
        if kind == "BlockQuote":
            yield from self.blocks(content)
        elif kind == "Div":
            yield from self.blocks(content[1])
        elif kind in ("BulletList", "OrderedList"):
            is_numbered = kind == "OrderedList"
            for number, item in enumerate(content[1] if is_numbered else content):
                marker = _number_of(content[0], number) if is_numbered else "-"
                yield from self.blocks(_with_marker(item, marker))
        elif kind == "DefinitionList":
            for term, definitions in content:
                yield from self._paragraph(term)
                for definition in definitions:
                    yield from self.blocks(definition)
        elif kind == "Table":
            self.left_out.add("table")
            yield from self._table(content)
        elif kind == "RawBlock" and content[0] == "html":
            yield from self._raw_block(content[1])
        elif kind == "Figure":
            self.left_out.add("picture")
            yield from self.blocks(
                [*(content[1][1] or ()), *(one for one in content[2] if one["t"] != "Plain")]
            )

    def _raw_block(self, markup: str) -> Iterator[str]:
        """Yield the paragraphs of a block of HTML; one with words in brackets that are no tags is text."""
        from quire.book_formats.importing.xhtml_reader import (
            XhtmlReader,
        )  # which makes blocks for this module

        markup = self._without_remarks(markup)
        if has_other_brackets(markup):
            yield from self._paragraph([unescape(without_tags(markup, ""))])
            return
        reader = XhtmlReader(self.left_out)
        reader.read_page(markup)
        reader.end()
        yield from self.blocks(reader.blocks)

    def _raw_words(self, markup: str) -> str:
        """Return the words of HTML in a line, mostly a tag alone; count what it only says."""
        if _LINE_END.fullmatch(markup):
            return "\n"
        markup = self._without_remarks(markup)
        words = without_tags(markup, "")
        said = "" if words else said_by_tag(markup)
        if said or (not words and _PICTURE.match(markup)):
            self.left_out.add("picture" if _PICTURE.match(markup) else "hidden text", said)
        return words

    def _without_remarks(self, markup: str) -> str:
        """Return HTML without what its writer noted for nobody to see."""
        end = markup.rfind("-->") + 3  # behind it, each opening would be looked for in vain to the end
        for remark in _REMARK.findall(markup[:end]):
            self.left_out.add("hidden text", remark)
        return _REMARK.sub("", markup[:end]) + markup[end:]

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
        if self.remarks.found and MARK.search(words):
            bare = MARK.sub("", words)
            if is_break(bare) or not bare.strip():  # comments on it are on what is below
                self.remarks.put_off(list(spans))
                words = bare.strip()
        if words in self.left_out.inserted:
            yield from filter(None, [self.left_out.inserted[words]])
        elif is_break(words):
            yield SCENE_BREAK
        elif words:
            yield self.remarks.put_on(marked(spans))

    def _heading(self, level: int, inlines: list[Inline]) -> Iterator[str]:
        spans = [replace(span, text=span.text.replace("\n", " ")) for span in self.spans(inlines)]
        spans = self.remarks.put_off(spans)
        spans = list(tidied_spans(spans))
        for style in (_Style(italic=True), _Style(bold=True), _Style(italic=True, bold=True)):
            if all((span.italic, span.bold) == (style.italic, style.bold) for span in spans):
                spans = [MarkupSpan(plain(spans))]  # its emphasis is what the headings there look like
        title = marked(spans).removeprefix("\\") if spans else ""
        if title.endswith("#"):
            title += " #"  # the last ones are no part of a title
        heading = f"{'#' * min(level, 3)} "
        if title and len(heading) + len(title) <= MAX_HEADING:
            yield heading + self.remarks.put_on_heading(title)
        elif title:
            yield self.remarks.put_on(marked(spans))

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
                yield MarkupSpan(self._raw_words(content[1]), style.italic, style.bold)
            elif kind in _ITALIC:
                yield from self.spans(content, replace(style, italic=True))
            elif kind == "Strong":
                yield from self.spans(content, replace(style, bold=True))
            elif kind in _TRANSPARENT:
                yield from self.spans(content, style)
            elif kind == "Span":
                yield from self._span(content[0], content[1], style)
            elif kind in ("Link", "Cite"):
                yield from self.spans(content[1], style)
                if kind == "Link" and (title := content[2][1].strip()):
                    self.left_out.add("hidden text", title)
            elif kind == "Quoted":
                opening, closing = _QUOTES[content[0]["t"]]
                yield MarkupSpan(opening, style.italic, style.bold)
                yield from self.spans(content[1], style)
                yield MarkupSpan(closing, style.italic, style.bold)
            else:
                yield from self._foreign(kind, content, style)

    def _span(self, about: list[Any], inlines: Iterable[Inline], style: _Style) -> Iterator[MarkupSpan]:
        classes = about[1]
        if "comment-start" in classes:
            yield from self._mark(classes, about, plain(_Reading().spans(inlines)), style)
        elif "comment-end" in classes:
            yield from self._mark(classes, about, "", style)
            yield from self.spans(inlines, style)  # the end of another comment at the same words
        elif "deletion" not in classes:  # by somebody who tracked changes: as if all were accepted
            yield from self.spans(inlines, style)

    def _mark(self, classes: list[str], about: list[Any], said: str, style: _Style) -> Iterator[MarkupSpan]:
        if mark := self.remarks.mark(classes, dict(about[2]), said):
            yield MarkupSpan(mark, style.italic, style.bold)

    def _foreign(self, kind: str, content: Any, style: _Style) -> Iterator[MarkupSpan]:
        if kind in ("Code", "Math"):
            yield MarkupSpan(content[1], style.italic, style.bold)
        elif kind == "Image":
            said = dict.fromkeys((plain(_Reading().spans(content[1])).strip(), content[2][1].strip()))
            self.left_out.add("picture", "\n".join(filter(None, said)))
        elif kind == "Note":
            self._note(content)

    def _note(self, blocks: list[Block]) -> None:
        """Leave out a note, with its words and all that is in it."""
        inner = _Reading()
        said = MARK.sub("", "\n".join(inner.blocks(blocks)))
        self.left_out.add("note", said)
        self.left_out.counts.update(inner.left_out.counts)
        self.left_out.texts += inner.left_out.texts
        for key, comment in inner.remarks.found.items():
            self.left_out.remarks.pop(key, None)
            self.left_out.add("comment", comment.text)


def _number_of(about: list[Any], place: int) -> str:
    """Return the number of an item of a list, as it is written there."""
    first, style, delimiter = about
    number = numeral(first + place, _FORMS.get(style["t"], "1"))
    return {"OneParen": f"{number})", "TwoParens": f"({number})"}.get(delimiter["t"], f"{number}.")


def _with_marker(item: list[Block], marker: str) -> list[Block]:
    """Return an item of a list with its marker: dialogue is often written with dashes."""
    if not item or item[0]["t"] not in ("Para", "Plain"):
        return item
    return [{"t": item[0]["t"], "c": [f"{marker} ", *item[0]["c"]]}, *item[1:]]


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


def _time(written: str) -> datetime:
    try:
        return believable(datetime.fromisoformat(written).astimezone(UTC))
    except (ValueError, OverflowError, OSError):  # the last one on Windows, for times before 1970
        return datetime.now(UTC)


def _word_at(text: str, place: int) -> tuple[int, int]:
    """Return where the word at a place is, or the next one; nothing at the end of a text."""
    while place > 0 and not text[place - 1].isspace():
        place -= 1
    found = _WORD.search(text, place)
    return (place, place) if found is None else found.span()


def _line(text: str) -> str:
    return " ".join(fit(text).split())

"""Cuts a text into parts, chapters and scenes at its headings, losing nothing."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quire.domain.manuscript.headings import Heading, all_headings, is_break
from quire.domain.manuscript.tree import NodeKind
from quire.errors import WriterProblem
from quire_engine.metrics.word_count import count_words

MAX_CHARS = 60_000
"""The length of one document, unless a single paragraph is longer: the editor stays quick up to here."""
MAX_TEXTS = 20_000
"""Parts, chapters and scenes of one project made from a text; the longest novels have a few hundred."""
_MAX_TITLE = 200
_SCENE_TITLE = 40
"""Characters of a scene's first words that it is called by."""
_CONTENTS_ENTRIES = 3
"""From so many headings on that have no text of their own they are a table of contents."""
_FRONT = 5000
"""Characters that may stand before it: a title page, a dedication."""
_PARAGRAPH_END = re.compile(r"\n(?:[^\S\n]*\n)+")
_LINE_END = re.compile(r"\n")
_INDENTED = re.compile(r"\n(?=[ \t\u3000])")
_WRAPPED = range(45, 91)
"""Characters of the longest line of a paragraph that a program broke into lines."""
_LONGEST_BREAK = 40
_LONGEST_MOTTO = 300
"""Characters below the heading of a part that belong to it; what is longer is a text of its own."""


@dataclass(frozen=True, slots=True)
class TextSection:
    """A section of a text.

    Attributes:
        heading: its first lines, unchanged.
        text: all of it, including the heading.
        kind: PART, CHAPTER or SCENE; a part has no text but its heading.
        title: what the tree shows; empty for what comes before the first heading.
    """

    kind: NodeKind
    title: str
    heading: str
    text: str

    @property
    def body(self) -> str:
        """The text below the heading."""
        return self.text[len(self.heading) :]


def cut(
    text: str,
    *,
    max_chars: int = MAX_CHARS,
    max_words: int | None = None,
    chapters: bool = True,
    scenes: bool = False,
) -> tuple[TextSection, ...]:
    """Return the sections of a text; joined, they are the text, character for character.

    There is at least one section, and none has more than max_chars characters or max_words words as far as
    paragraphs allow: a longer one is continued in sections of the same kind, called "... (2)", split at ends
    of paragraphs, never inside of one. A table of contents before the first chapter makes no chapters.

    Args:
        chapters: cut at headings.
        scenes: cut at scene breaks too; a chapter's own section is its first scene then.
    """
    if max_chars < 1 or (max_words is not None and max_words < 1):
        raise ValueError(f"a piece cannot have {max_chars} characters and {max_words} words")
    headings = _without_contents(text, all_headings(text)) if chapters else []
    if not scenes:
        headings = [heading for heading in headings if heading.kind is not NodeKind.SCENE]
    pieces = _pieces(text, headings)
    return tuple(shorter for piece in pieces for shorter in _bounded(piece, max_chars, max_words))


def refuse_too_many(num_texts: int, file: str) -> None:
    """WriterProblem where a text was cut into more sections than a project is made of."""
    if num_texts > MAX_TEXTS:
        raise WriterProblem(
            "{file} has more than {most:,} chapters and scenes. Import it in several parts.",
            file=file,
            most=MAX_TEXTS,
        )


def _pieces(text: str, headings: Sequence[Heading]) -> Iterator[TextSection]:
    first = headings[0].start if headings else len(text)
    if text[:first].strip() or not headings:
        yield TextSection(NodeKind.CHAPTER, "", "", text[:first])
        first_start = first
    else:
        first_start = 0
    for place, heading in enumerate(headings):
        start = heading.start if place else first_start
        end = headings[place + 1].start if place + 1 < len(headings) else len(text)
        below = heading.end
        if heading.kind is NodeKind.PART and end - below <= _LONGEST_MOTTO and place + 1 < len(headings):
            below = end
        yield from _pieces_of(text[start:below], text[below:end], heading)


def _pieces_of(head: str, body: str, heading: Heading) -> Iterator[TextSection]:
    title = heading.title[:_MAX_TITLE]
    if heading.kind is NodeKind.PART and body.strip():
        yield TextSection(NodeKind.PART, title, head, head)
        yield TextSection(NodeKind.CHAPTER, title, "", body)
        return
    if heading.kind is NodeKind.SCENE and not title:
        title = _first_words(body)
    yield TextSection(heading.kind, title, head, head + body)


def _first_words(text: str) -> str:
    line = text[: 4 * _SCENE_TITLE].strip().partition("\n")[0].strip()
    if len(line) <= _SCENE_TITLE:
        return line
    return line[: _SCENE_TITLE + 1].rpartition(" ")[0].rstrip(" ,;:—–-.") + "…" if " " in line else ""


def _without_contents(text: str, headings: Sequence[Heading]) -> list[Heading]:
    """Leave out a table of contents: headings at the front without a text, which appear again with theirs.

    The last of them may seem to have a text: whatever is between the table and the book.
    """
    named = [heading for heading in headings if heading.kind is not NodeKind.SCENE]
    if not named:
        return list(headings)
    ends = [*(heading.start for heading in named[1:]), len(text)]
    empty = [not text[one.end : end].strip() for one, end in zip(named, ends, strict=True)]
    first = empty.index(True) if True in empty else len(empty)
    behind = empty.index(False, first) if False in empty[first:] else len(empty)
    if behind - first < _CONTENTS_ENTRIES or named[first].start > max(_FRONT, len(text) // 20):
        return list(headings)
    again = [place for place in range(first + 1, len(named)) if named[place].key == named[first].key]
    within = [place for place in again if place <= behind]  # numbers may restart within the table
    book = (within[-1:] or again or [first])[0]  # none: chapters that have yet to be written
    keys = {heading.key for heading in named[book:]}
    contents = {heading.start for heading in named[first:book] if heading.key in keys}
    return [heading for heading in headings if heading.start not in contents]


@dataclass(frozen=True, slots=True)
class _End:
    """A place where a text may be cut.

    Attributes:
        words: before it.
        is_break: right behind a scene break.
    """

    place: int
    words: int
    is_break: bool


def _bounded(piece: TextSection, max_chars: int, max_words: int | None) -> Iterator[TextSection]:
    """Cut a section that is too long into sections of about equal length."""
    places = [0, *_cuts(piece, max_chars, max_words), len(piece.text)]
    for number, (start, end) in enumerate(pairwise(places), start=1):
        title = piece.title if number == 1 else f"{piece.title} ({number})".lstrip()
        heading = piece.heading[:end] if number == 1 else ""
        yield TextSection(piece.kind, title, heading, piece.text[start:end])


def _cuts(piece: TextSection, max_chars: int, max_words: int | None) -> Iterator[int]:
    text = piece.text
    if len(text) <= max_chars and (max_words is None or len(text) <= max_words):
        return  # no text has more words than characters
    ends = [end for end in _ends(text, max_chars) if end.place > len(piece.heading) or not piece.body]
    total_words, start, words = ends[-1].words, 0, 0
    while True:
        pieces = math.ceil((len(text) - start) / max_chars)
        if max_words is not None:
            pieces = max(pieces, math.ceil((total_words - words) / max_words))
        if pieces <= 1:
            return
        first = bisect_right(ends, start, key=_place_of)
        behind = bisect_right(ends, start + max_chars, key=_place_of)
        if max_words is not None:
            behind = min(behind, bisect_right(ends, words + max_words, key=_words_of))
        even = (len(text) - start) / pieces
        end = _nearest(ends[first : max(behind, first + 1)], start + even, even / 4)
        if end.place == len(text):
            return
        start, words = end.place, end.words
        yield start


def _nearest(ends: Sequence[_End], target: float, near: float) -> _End:
    """Return the end nearest to a place, with a preference for scene breaks."""
    breaks = [end for end in ends if end.is_break and abs(end.place - target) <= near]
    return min(breaks or ends, key=lambda end: abs(end.place - target))


def _ends(text: str, max_chars: int) -> Iterator[_End]:
    """Yield where paragraphs end."""
    start = words = 0
    for match in [*_PARAGRAPH_END.finditer(text), None]:
        end = len(text) if match is None else match.end()
        for inner in _inner_ends(text[start:end]) if end - start > max_chars else ():
            words += count_words(text[start : start + inner])
            start += inner
            yield _End(start, words, is_break=False)
        words += count_words(text[start:end])
        yield _End(end, words, is_break=end - start <= _LONGEST_BREAK and is_break(text[start:end]))
        start = end


def _inner_ends(block: str) -> Iterator[int]:
    """Yield the lengths of the paragraphs in lines without blank ones between them, but the last."""
    is_wrapped = max(map(len, block.split("\n"))) in _WRAPPED
    start = 0
    for match in (_INDENTED if is_wrapped else _LINE_END).finditer(block.rstrip()):
        yield match.end() - start
        start = match.end()


def _place_of(end: _End) -> int:
    return end.place


def _words_of(end: _End) -> int:
    return end.words

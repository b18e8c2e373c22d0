"""Cuts a text into parts, chapters and scenes at its headings, losing nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quire.domain.tree import NodeKind

MAX_CHARS = 60_000
"""What one document holds; an editor stays quick with so much text."""
_MAX_HEADING = 100
"""Characters; a longer line is prose whatever it begins with."""
_MIN_BODY = 200
"""Characters between two headings; where there are fewer, again and again, it is a table of contents."""

_NUMBER = r"(?:\d{1,3}|[ivxlc]{1,8}|[a-z]+(?:[ -][a-z]+)?)"
_CHAPTER = re.compile(rf"(?:chapter|chap\.)\s+(?:the\s+)?{_NUMBER}\b[.:\u2014\u2013-]*\s*(.*)", re.IGNORECASE)
_PART = re.compile(
    rf"(?:part|book|volume|vol\.)\s+(?:the\s+)?{_NUMBER}\b[.:\u2014\u2013-]*\s*(.*)", re.IGNORECASE
)
_ALONE = re.compile(
    r"(?:prologue|epilogue|prelude|interlude|preface|introduction|foreword|afterword)\.?", re.IGNORECASE
)
_MARKDOWN = re.compile(r"(#{1,2})\s+(\S.*)")
_NUMERAL = re.compile(r"(?:[IVXLC]{1,7}|\d{1,3})\.?")
_BREAK = re.compile(r"(?:\*\s*){1,5}|#|(?:-\s*){3,5}|\u2042")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text. heading: its first lines, as they stand in the text, which begins with them."""

    kind: NodeKind
    title: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and where it begins; blank lines before and after it are known by `alone`."""

    start: int
    text: str
    alone: bool


@dataclass(frozen=True, slots=True)
class _Heading:
    start: int
    end: int
    kind: NodeKind
    title: str


def cut(text: str) -> tuple[Piece, ...]:
    """Return the pieces of a text; joined they are the text, character for character.

    A piece that is too long goes on in another one at the end of a paragraph. A text without headings is one
    chapter, or as many as its length needs.
    """
    headings = _without_contents(list(_headings(text)), len(text))
    pieces = list(_pieces(text, headings))
    return tuple(shorter for piece in pieces for shorter in _bounded(piece))


def _lines(text: str) -> Iterator[_Line]:
    lines = text.splitlines(keepends=True)
    start = 0
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else ""
        behind = lines[number + 1] if number + 1 < len(lines) else ""
        yield _Line(start, line.strip(), not before.strip() and not behind.strip())
        start += len(line)


def _headings(text: str) -> Iterator[_Heading]:
    lines = list(_lines(text))
    numerals = _counting(lines)
    number = 0
    while number < len(lines):
        line = lines[number]
        found = _heading_of(line, is_counted=number in numerals)
        if found is None:
            number += 1
            continue
        kind, title = found
        last = number
        if not title or _is_bare(line.text):
            below = _title_below(lines, number)
            if below is not None:
                last = below
                title = f"{line.text.rstrip('.:')}: {lines[below].text}"
        end = lines[last + 1].start if last + 1 < len(lines) else len(text)
        yield _Heading(line.start, end, kind, title or line.text.rstrip(".:"))
        number = last + 1


def _heading_of(line: _Line, *, is_counted: bool) -> tuple[NodeKind, str] | None:
    """Return what a line is the heading of, and a title, empty where the line is only a number."""
    if not line.text or len(line.text) > _MAX_HEADING:
        return None
    if found := _MARKDOWN.fullmatch(line.text):
        return (NodeKind.PART if found[1] == "#" else NodeKind.CHAPTER), found[2]
    if not line.alone and not line.text.isupper():
        return None
    for pattern, kind in ((_CHAPTER, NodeKind.CHAPTER), (_PART, NodeKind.PART)):
        found = pattern.fullmatch(line.text)
        if found and (line.text[:1].isupper() or not found[1]):
            return kind, line.text if found[1] else ""
    if _ALONE.fullmatch(line.text) and line.alone:
        return NodeKind.CHAPTER, line.text.rstrip(".")
    return (NodeKind.CHAPTER, "") if is_counted else None


def _is_bare(line: str) -> bool:
    found = _CHAPTER.fullmatch(line) or _PART.fullmatch(line)
    return bool(_NUMERAL.fullmatch(line)) or bool(found and not found[1])


def _title_below(lines: Sequence[_Line], number: int) -> int | None:
    """Return the line of the title that stands below a chapter's number; None where the text begins."""
    for place in range(number + 1, min(number + 4, len(lines))):
        line = lines[place]
        if not line.text:
            continue
        short = len(line.text) <= 60 and line.text[0].isupper() and line.text[-1] not in ",;:\u201d\"'"
        blank_below = place + 1 == len(lines) or not lines[place + 1].text
        is_title = line.text.isupper() or (line.text[-1] not in "!?" and line.alone)
        is_number = bool(_NUMERAL.fullmatch(line.text)) or _heading_of(line, is_counted=False) is not None
        return place if short and blank_below and is_title and not is_number else None
    return None


def _counting(lines: Sequence[_Line]) -> set[int]:
    """Return which lines are nothing but numbers that count up from one, as the chapters of many books do."""
    places, expected = set[int](), 1
    for number, line in enumerate(lines):
        if line.alone and line.text and _NUMERAL.fullmatch(line.text):
            value = _value_of(line.text.rstrip("."))
            if value in (1, expected):  # a part, or the book after its table of contents, begins anew
                places.add(number)
                expected = value + 1
    return places if len(places) > 1 else set()


def _value_of(numeral: str) -> int:
    if numeral.isdecimal():
        return int(numeral)
    values = [{"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}[letter] for letter in numeral]
    return sum(-v if any(v < later for later in values[n + 1 : n + 2]) else v for n, v in enumerate(values))


def _without_contents(headings: list[_Heading], length: int) -> list[_Heading]:
    """Leave out headings that follow one another without a text: a table of contents."""
    ends = [*(heading.start for heading in headings[1:]), length]
    empty = [
        heading.kind is not NodeKind.PART and end - heading.end < _MIN_BODY
        for heading, end in zip(headings, ends, strict=True)
    ]
    kept = []
    for number, heading in enumerate(headings):
        run = 1
        while number + run < len(headings) and empty[number + run]:
            run += 1
        back = 0
        while number - back - 1 >= 0 and empty[number - back - 1]:
            back += 1
        in_contents = empty[number] and run + back >= 3
        if not in_contents:
            kept.append(heading)
    return kept


def _pieces(text: str, headings: Sequence[_Heading]) -> Iterator[Piece]:
    if not headings or text[: headings[0].start].strip():
        end = headings[0].start if headings else len(text)
        yield Piece(NodeKind.CHAPTER, "Opening" if headings else "", "", text[:end])
        start = end
    else:
        start = 0
    for number, heading in enumerate(headings):
        end = headings[number + 1].start if number + 1 < len(headings) else len(text)
        yield Piece(heading.kind, heading.title, text[start : heading.end], text[start:end])
        start = end


def _bounded(piece: Piece) -> Iterator[Piece]:
    """Cut a piece that is too long at the ends of scenes, or else of paragraphs."""
    rest, number = piece, 1
    while len(rest.text) > MAX_CHARS:
        place = _place_to_cut(rest.text)
        yield replace(rest, text=rest.text[:place])
        number += 1
        title = f"{piece.title} ({number})".strip()
        rest = Piece(NodeKind.CHAPTER, title, "", rest.text[place:])
    yield rest


def _place_to_cut(text: str) -> int:
    start, best = 0, 0
    for line in text[:MAX_CHARS].splitlines(keepends=True):
        start += len(line)
        if start > MAX_CHARS // 2 and _BREAK.fullmatch(line.strip()):
            return start
        if not line.strip() or line.endswith("\n"):
            best = start
    return best if best > MAX_CHARS // 2 else MAX_CHARS

"""The manuscript's light markup: *italic*, _italic_, **bold**, headings and scene breaks.

Asterisks and single underscores mark emphasis where they touch a word on the correct side; underscores only
where none is on the other. A backslash escapes one of them, or a # that begins a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from quire.domain.manuscript.headings import is_break
from quire_engine.api.heading_grammar import MAX_HEADING

MAX_LEVEL = 3
"""Headings of deeper levels are prose that begins with #."""

_MARKS = re.compile(r"(?P<slashes>\\+)(?P<mark>[*_])|(?P<run>\*+|_+)")
_QUIET_HASH = re.compile(r"^\\(?=\\*#)", re.MULTILINE)
_LOUD_HASH = re.compile(r"^(?=\\*#)", re.MULTILINE)
_HEADING = re.compile(r"\s*(?P<hashes>#{1,3})\s+(?=\S)")
_MAX_PASSES = 8
_ITALIC, _BOLD, _UNDERSCORED = 0, 1, 2
_NONE_OPEN = (-1, -1, -1)


@dataclass(frozen=True, slots=True)
class MarkupSpan:
    """Text of one emphasis; a newline in it is a line break within the paragraph."""

    text: str
    italic: bool = False
    bold: bool = False


Paragraph = tuple[MarkupSpan, ...]


@dataclass(frozen=True, slots=True)
class MarkupRun:
    """The characters from start to end of a line; `says` is the text shown, empty for marks."""

    start: int
    end: int
    says: str
    italic: bool
    bold: bool


@dataclass(frozen=True, slots=True)
class Markup:
    """The parsed markup of one line.

    Attributes:
        level: of a heading, from 1 to 3, or 0.
        is_break: it separates scenes.
        runs: all of its characters, in order.
    """

    level: int
    is_break: bool
    runs: tuple[MarkupRun, ...]


def has_gaps(lines: Sequence[str]) -> bool:
    """Return whether blank lines part the paragraphs of a text."""
    return 10 * sum(1 for line in lines if not line.strip()) >= len(lines)


def markup_of(line: str) -> Markup:
    """Return the parsed markup of one line."""
    if is_break(line):
        return Markup(0, True, (MarkupRun(0, len(line), line, False, False),))
    level, start, end = heading_parts(line)
    runs = list[MarkupRun]()
    if level:
        runs.append(MarkupRun(0, start, "", False, False))
    elif _QUIET_HASH.match(line):
        start = 1
        runs.append(MarkupRun(0, 1, "", False, False))
    runs += runs_in(line, start, end)
    if end < len(line):
        runs.append(MarkupRun(end, len(line), "", False, False))
    return Markup(level, False, tuple(runs))


def heading_parts(line: str) -> tuple[int, int, int]:
    """Return the level of a heading and where its words begin and end; level 0 and the whole line
    otherwise."""
    found = _HEADING.match(line)
    if found is None or len(line.strip()) > MAX_HEADING:
        return 0, 0, len(line)
    first = found.end() + 1
    words = line[first:].rstrip().rstrip("#").rstrip()  # any number of closing hashes
    return len(found["hashes"]), found.end(), first + len(words)


def runs_in(text: str, start: int = 0, end: int | None = None) -> tuple[MarkupRun, ...]:
    """Return the runs of a part of a text, parsed as if it were alone."""
    text = text[:end]
    if "*" not in text and "_" not in text:
        return (MarkupRun(start, len(text), text[start:], False, False),) if start < len(text) else ()
    tokens = list(_tokens(text, start))
    limits = [len(tokens)] * 3  # from which token on a style would never be closed
    for _ in range(_MAX_PASSES):
        runs, open_since = _toggled(text, start, tokens, limits)
        if open_since == _NONE_OPEN:
            return tuple(runs)
        limits = [limit if since < 0 else since for limit, since in zip(limits, open_since, strict=True)]
    return tuple(_toggled(text, start, tokens, [0, 0, 0])[0])


def parsed(text: str) -> Paragraph:
    """Return one paragraph with its emphasis."""
    return spans_in(_QUIET_HASH.sub("", text))


def spans_in(text: str) -> Paragraph:
    """Return a text with its emphasis; a first # is an ordinary character."""
    return merged(MarkupSpan(run.says, run.italic, run.bold) for run in runs_in(text))


def marked(paragraph: Sequence[MarkupSpan]) -> str:
    """Return a paragraph with its marks; the inverse of `parsed`."""
    return _LOUD_HASH.sub(r"\\", emphasised(paragraph))


def emphasised(spans: Sequence[MarkupSpan]) -> str:
    """Return spans with their marks; the inverse of `spans_in`. A first # is not escaped."""
    apart = merged(_spaces_apart(spans))
    for wanted in (merged(spans), apart):
        raw = "".join(_mark(wanted))
        if spans_in(raw) == wanted:
            return raw
    return quieted(spans)


def quieted(spans: Sequence[MarkupSpan]) -> str:
    """Return spans with their marks, and a backslash before everything that could be taken for one."""
    return "".join(_mark(_quieted(merged(_spaces_apart(spans)))))


def merged(spans: Iterable[MarkupSpan]) -> Paragraph:
    """Return spans without empty ones, with neighbours of the same emphasis joined."""
    groups = groupby((span for span in spans if span.text), attrgetter("italic", "bold"))
    return tuple(MarkupSpan("".join(span.text for span in group), *style) for style, group in groups)


@dataclass(frozen=True, slots=True)
class _Token:
    """Marks in a text.

    Attributes:
        says: the literal text if they mean nothing.
        styles: those that they toggle.
    """

    start: int
    end: int
    says: str
    styles: tuple[int, ...] = ()
    opens: bool = False
    closes: bool = False


def _tokens(text: str, start: int) -> Iterator[_Token]:
    place = start
    while match := _MARKS.search(text, place):
        place = match.end()
        if slashes := match["slashes"]:
            is_quiet = len(slashes) % 2 == 1
            place -= 0 if is_quiet else 1
            yield _Token(
                match.start(), place, "\\" * (len(slashes) // 2) + (match["mark"] if is_quiet else "")
            )
            continue
        before = text[match.start() - 1] if match.start() > start else " "
        behind = text[place] if place < len(text) else " "
        opens, closes = not behind.isspace(), not before.isspace()
        if match[0][0] == "_":
            styles: tuple[int, ...] = (_UNDERSCORED,) if len(match[0]) == 1 else ()
            opens, closes = opens and not before.isalnum(), closes and not behind.isalnum()
        else:
            styles = {1: (_ITALIC,), 2: (_BOLD,), 3: (_ITALIC, _BOLD)}.get(len(match[0]), ())
        yield _Token(match.start(), place, match[0], styles, opens, closes)


def _toggled(
    text: str, start: int, tokens: Sequence[_Token], limits: Sequence[int]
) -> tuple[list[MarkupRun], tuple[int, ...]]:
    """Return the runs, and the tokens at which styles were opened and never closed; -1 where none was."""
    runs, since, place = list[MarkupRun](), [-1, -1, -1], start

    def add(start: int, end: int, says: str) -> None:
        if start < end:
            italic = since[_ITALIC] >= 0 or since[_UNDERSCORED] >= 0
            runs.append(MarkupRun(start, end, says, italic, since[_BOLD] >= 0))

    for number, token in enumerate(tokens):
        add(place, token.start, text[place : token.start])
        place = token.end
        fits = [token.closes if since[style] >= 0 else token.opens for style in token.styles]
        if token.styles and all(fits) and all(number < limits[style] for style in token.styles):
            for style in token.styles:
                since[style] = number if since[style] < 0 else -1
            add(token.start, token.end, "")
        else:
            add(token.start, token.end, token.says)
    add(place, len(text), text[place:])
    return runs, tuple(since)


def _spaces_apart(spans: Iterable[MarkupSpan]) -> Iterator[MarkupSpan]:
    """Move white space at the edges of emphasis out of it: marks have to touch a word."""
    for span in merged(spans):
        if not (span.italic or span.bold):
            yield span
            continue
        core = span.text.strip()
        before, _, after = span.text.partition(core) if core else (span.text, "", "")
        yield from (MarkupSpan(before), MarkupSpan(core, span.italic, span.bold), MarkupSpan(after))


def _quieted(spans: Paragraph) -> Iterator[MarkupSpan]:
    for number, span in enumerate(spans):
        text = re.sub(r"(\\*)([*_])", lambda found: found[1] * 2 + "\\" + found[2], span.text)
        if number + 1 < len(spans) or span.italic or span.bold:
            text += "\\" * (len(text) - len(text.rstrip("\\")))  # a mark follows: they would escape it
        yield MarkupSpan(text, span.italic, span.bold)


def _mark(spans: Iterable[MarkupSpan]) -> Iterator[str]:
    """Yield the spans' texts with the asterisks that each change of emphasis needs."""
    before = MarkupSpan("")
    for span in (*spans, MarkupSpan("")):
        yield "*" * ((span.italic != before.italic) + 2 * (span.bold != before.bold)) + span.text
        before = span

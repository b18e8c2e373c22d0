"""The manuscript's light marks: paragraphs, *italic* and **bold**, read and written.

A paragraph is one or more lines; a blank line parts it from the next. Asterisks mark emphasis where they
touch a word on the right side; a backslash before an asterisk, or before a # that begins a line, takes its
meaning away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter

_BLANK = re.compile(r"\n\s*\n")
_SPACES = re.compile(r"[ \t]+")
_LINE_ENDS = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNFIT = re.compile(
    "[\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\ud800-\udfff\ufdd0-\ufdef\ufeff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""Characters that no document format can hold, or that show nothing, as a soft hyphen."""
_MARKS = re.compile(r"(?P<slashes>\\+)(?P<star>\*)|(?P<run>\*+)")
_QUIET_HASH = re.compile(r"^\\(?=\\*#)", re.MULTILINE)
_LOUD_HASH = re.compile(r"^(?=\\*#)", re.MULTILINE)
_WRAPPED_AT_MOST = 90
_WRAPPED_AT_LEAST = 45
"""Characters of the longest line of a text, or a paragraph, that a program broke into lines."""
_MAX_PASSES = 8


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one emphasis; a newline in it is a line break within the paragraph."""

    text: str
    italic: bool = False
    bold: bool = False


Paragraph = tuple[Span, ...]


def fit(text: str) -> str:
    """Return the text without characters that documents cannot hold; line ends as newlines."""
    return _UNFIT.sub("", _LINE_ENDS.sub("\n", text))


def plain(paragraph: Iterable[Span]) -> str:
    """Return the words of a paragraph."""
    return "".join(span.text for span in paragraph)


@dataclass(frozen=True, slots=True)
class Habits:
    """How a text is typed. spaced: with blank lines between paragraphs. wrapped: in lines of like length."""

    spaced: bool
    wrapped: bool


def habits(text: str) -> Habits:
    """Return how a text is typed."""
    lines = text.split("\n")
    spaced = 10 * sum(1 for line in lines if not line.strip()) >= len(lines)
    longest = max(len(line) for line in lines)
    return Habits(spaced, spaced and longest <= _WRAPPED_AT_MOST)


def tidied(text: str, typed: Habits) -> str:
    """Return a text with a blank line between paragraphs, and newlines only where lines end on purpose.

    typed: the habits of the whole text that it is taken from.
    """
    blocks = _BLANK.split(text) if typed.spaced else text.split("\n")
    lines = [[_SPACES.sub(" ", line).strip() for line in block.split("\n")] for block in blocks]
    joined = (_joined([line for line in block if line], wrapped=typed.wrapped) for block in lines)
    return "\n\n".join(paragraph for paragraph in joined if paragraph)


def tidied_spans(spans: Iterable[Span]) -> Paragraph:
    """Return a paragraph with single spaces, without any at the ends of lines, and without empty lines."""
    lines: list[list[Span]] = [[]]
    for span in _merged(spans):
        first, *more = fit(span.text).split("\n")
        lines[-1].append(replace(span, text=first))
        lines += [[replace(span, text=line)] for line in more]
    tidy = list[Span]()
    for line in map(_tidied_line, lines):
        if line and tidy:
            same = (tidy[-1].italic, tidy[-1].bold) == (line[0].italic, line[0].bold)
            tidy.append(replace(line[0], text="\n") if same else Span("\n"))
        tidy += line
    return _merged(tidy)


def paragraphs(text: str) -> Iterator[Paragraph]:
    """Yield the paragraphs of a tidied text."""
    for block in text.split("\n\n"):
        if block and (paragraph := parsed(block)):
            yield paragraph


def parsed(text: str) -> Paragraph:
    """Return one paragraph with its emphasis."""
    text = _QUIET_HASH.sub("", text)
    if "*" not in text:
        return (Span(text),) if text else ()
    tokens = list(_tokens(text))
    limits = [len(tokens), len(tokens)]  # from which token on italic and bold would never be closed
    for _ in range(_MAX_PASSES):
        spans, never_closed = _toggled(text, tokens, limits)
        if never_closed == (None, None):
            return _merged(spans)
        limits = [
            limit if place is None else place for limit, place in zip(limits, never_closed, strict=True)
        ]
    return _merged(_toggled(text, tokens, [0, 0])[0])


def marked(paragraph: Sequence[Span]) -> str:
    """Return a paragraph with its marks, so that `parsed` makes the same paragraph of it."""
    apart = _merged(_spaces_apart(paragraph))
    for spans in (_merged(paragraph), apart):
        raw = _LOUD_HASH.sub(r"\\", "".join(_mark(spans)))
        if parsed(raw) == spans:
            return raw
    return _LOUD_HASH.sub(r"\\", "".join(_mark(_quieted(apart))))


def _tidied_line(spans: Iterable[Span]) -> Paragraph:
    line, before = list[Span](), " "
    for span in spans:
        text = _SPACES.sub(" ", span.text)
        text = text.removeprefix(" ") if before == " " else text
        if text:
            line.append(replace(span, text=text))
            before = text[-1]
    while line and not line[0].text.strip():
        del line[0]
    while line and not line[-1].text.strip():
        del line[-1]
    if line:
        line[0] = replace(line[0], text=line[0].text.lstrip())
        line[-1] = replace(line[-1], text=line[-1].text.rstrip())
    return tuple(line)


def _joined(lines: Sequence[str], *, wrapped: bool) -> str:
    width = max((len(line) for line in lines), default=0)
    fills = width >= _WRAPPED_AT_LEAST and all(
        len(line) + 1 + len(below.split(" ", 1)[0]) >= width for line, below in pairwise(lines)
    )
    return (" " if wrapped and fills else "\n").join(lines)


@dataclass(frozen=True, slots=True)
class _Token:
    """Asterisks in a text. says: what stands for them when they are no marks; size: 0 for quieted ones."""

    start: int
    end: int
    says: str
    size: int = 0
    opens: bool = False
    closes: bool = False


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while match := _MARKS.search(text, place):
        place = match.end()
        if slashes := match["slashes"]:
            is_quiet = len(slashes) % 2 == 1
            place -= 0 if is_quiet else 1
            yield _Token(match.start(), place, "\\" * (len(slashes) // 2) + ("*" if is_quiet else ""))
            continue
        opens = place < len(text) and not text[place].isspace()
        closes = match.start() > 0 and not text[match.start() - 1].isspace()
        yield _Token(match.start(), place, match[0], len(match[0]), opens, closes)


def _toggled(
    text: str, tokens: Sequence[_Token], limits: Sequence[int]
) -> tuple[list[Span], tuple[int | None, int | None]]:
    """Return the spans, and the tokens at which italic and bold were opened and never closed."""
    spans, since, place = list[Span](), [-1, -1], 0
    for number, token in enumerate(tokens):
        spans.append(Span(text[place : token.start], since[0] >= 0, since[1] >= 0))
        place = token.end
        turned = [style for style in (0, 1) if token.size in (style + 1, 3)]
        fits = [token.closes if since[style] >= 0 else token.opens for style in turned]
        if turned and all(fits) and all(number < limits[style] for style in turned):
            for style in turned:
                since[style] = number if since[style] < 0 else -1
        else:
            spans.append(Span(token.says, since[0] >= 0, since[1] >= 0))
    spans.append(Span(text[place:], since[0] >= 0, since[1] >= 0))
    italic, bold = (None if number < 0 else number for number in since)
    return spans, (italic, bold)


def _merged(spans: Iterable[Span]) -> Paragraph:
    groups = groupby((span for span in spans if span.text), attrgetter("italic", "bold"))
    return tuple(Span("".join(span.text for span in group), *style) for style, group in groups)


def _spaces_apart(spans: Iterable[Span]) -> Iterator[Span]:
    """Move white space at the edges of emphasis out of it: marks have to touch a word."""
    for span in _merged(spans):
        if not (span.italic or span.bold):
            yield span
            continue
        core = span.text.strip()
        before, _, after = span.text.partition(core) if core else (span.text, "", "")
        yield from (Span(before), Span(core, span.italic, span.bold), Span(after))


def _quieted(spans: Paragraph) -> Iterator[Span]:
    for number, span in enumerate(spans):
        text = re.sub(r"(\\*)\*", lambda found: found[1] * 2 + "\\*", span.text)
        if number + 1 < len(spans) or span.italic or span.bold:
            text += "\\" * (len(text) - len(text.rstrip("\\")))  # a mark follows: they would quiet it
        yield Span(text, span.italic, span.bold)


def _mark(spans: Iterable[Span]) -> Iterator[str]:
    """Yield the spans' texts with as many asterisks between them as emphasis changes there."""
    before = Span("")
    for span in (*spans, Span("")):
        yield "*" * ((span.italic != before.italic) + 2 * (span.bold != before.bold)) + span.text
        before = span

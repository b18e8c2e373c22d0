"""A manuscript as paragraphs with emphasis, from lines as writers and programs leave them.

A paragraph is one or more lines; a blank line parts it from the next. `quire.domain.manuscript.markup` reads
its marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from quire.domain.manuscript.markup import MarkupSpan, Paragraph, has_gaps, marked, merged, parsed

__all__ = [
    "Habits",
    "MarkupSpan",
    "Paragraph",
    "fit",
    "habits",
    "marked",
    "paragraphs",
    "parsed",
    "plain",
    "tidied",
    "tidied_spans",
]

_BLANK = re.compile(r"\n\s*\n")
_SPACES = re.compile(r"[ \t]+")
_LINE_ENDS = re.compile(r"\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNFIT = re.compile(
    "[\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\ud800-\udfff\ufdd0-\ufdef\ufeff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""Characters that no document format can hold, or that show nothing, as a soft hyphen."""
_WRAPPED_AT_MOST = 90
_WRAPPED_AT_LEAST = 45
"""Characters of the longest line of a text, or a paragraph, that a program broke into lines."""


def fit(text: str) -> str:
    """Return the text without characters that documents cannot hold; line ends as newlines."""
    return _UNFIT.sub("", _LINE_ENDS.sub("\n", text))


def plain(paragraph: Iterable[MarkupSpan]) -> str:
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
    spaced = has_gaps(lines)
    longest = max(len(line) for line in lines)
    return Habits(spaced, spaced and longest <= _WRAPPED_AT_MOST)


def tidied(text: str, typed: Habits) -> str:
    """Return a text with a blank line between paragraphs, and newlines only where lines end on purpose.

    Args:
        typed: the habits of the whole text that it is from.
    """
    blocks = _BLANK.split(text) if typed.spaced else text.split("\n")
    lines = [[_SPACES.sub(" ", line).strip() for line in block.split("\n")] for block in blocks]
    joined = (_joined([line for line in block if line], wrapped=typed.wrapped) for block in lines)
    return "\n\n".join(paragraph for paragraph in joined if paragraph)


def tidied_spans(spans: Iterable[MarkupSpan]) -> Paragraph:
    """Return a paragraph with single spaces, without any at the ends of lines, and without empty lines."""
    lines: list[list[MarkupSpan]] = [[]]
    for span in merged(spans):
        first, *more = fit(span.text).split("\n")
        lines[-1].append(replace(span, text=first))
        lines += [[replace(span, text=line)] for line in more]
    tidy = list[MarkupSpan]()
    for line in map(_tidied_line, lines):
        if line and tidy:
            same = (tidy[-1].italic, tidy[-1].bold) == (line[0].italic, line[0].bold)
            tidy.append(replace(line[0], text="\n") if same else MarkupSpan("\n"))
        tidy += line
    return merged(tidy)


def paragraphs(text: str) -> Iterator[Paragraph]:
    """Yield the paragraphs of a tidied text."""
    for block in text.split("\n\n"):
        if block and (paragraph := parsed(block)):
            yield paragraph


def _tidied_line(spans: Iterable[MarkupSpan]) -> Paragraph:
    line, before = list[MarkupSpan](), " "
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

"""Adds emphasis to words of a line, removes it, and turns lines into headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from quire.domain.manuscript.markup import (
    MAX_LEVEL,
    MarkupRun,
    MarkupSpan,
    emphasised,
    heading_parts,
    markup_of,
    quieted,
)

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Style(Enum):
    """A kind of emphasis and its marks."""

    ITALIC = "*"
    BOLD = "**"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A line and the selected characters of it, from start to end."""

    line: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Letter:
    """A visible character, its place in the line, and its emphasis."""

    text: str
    start: int
    end: int
    italic: bool
    bold: bool


def word_at(line: str, place: int) -> Chosen | None:
    """Return the word at the caret, without marks; None where there is none."""
    letters = _letters(markup_of(line).runs)
    for word in _WORD.finditer("".join(letter.text for letter in letters)):
        inside = letters[word.start() : word.end()]
        if inside[0].start <= place <= inside[-1].end:
            return Chosen(line, inside[0].start, inside[-1].end)
    return None


def has_style(chosen: Chosen, style: Style) -> bool | None:
    """Return whether the whole selection has a style; None where it holds nothing that could have one."""
    looks = [_has(letter, style) for letter in _letters_chosen(chosen)]
    return all(looks) if looks else None


def restyled(chosen: Chosen, style: Style, *, on: bool) -> Chosen:
    """Return the line with a style added to the selection, or removed; nothing else changes its look."""
    inside = _letters_chosen(chosen)
    if not inside:
        return chosen
    start, end = inside[0].start, inside[-1].end
    runs = [piece for run in _body(chosen.line) for piece in _cut(run, start, end)]
    wanted = [_with(run, style, on=on) if start <= run.start and run.end <= end else run for run in runs]
    line = _rewritten(chosen.line, runs, wanted)
    before, read = _letters(markup_of(chosen.line).runs), _letters(markup_of(line).runs)
    first = next(number for number, letter in enumerate(before) if letter.start == start)
    last = max(number for number, letter in enumerate(before) if letter.end == end)
    return Chosen(line, read[first].start, read[last].end)


def with_level(line: str, level: int) -> str:
    """Return a line as a heading of a level from 1 to 3, or as plain text for 0."""
    if not 0 <= level <= MAX_LEVEL:
        raise ValueError(f"level must be from 0 to {MAX_LEVEL}, got {level}")
    if markup_of(line).is_break:
        return line
    _, start, end = heading_parts(line)
    words = line[start:end]
    return f"{'#' * level} {words.lstrip()}" if level else words


# ------------------------------------------------------------ inside
def _body(line: str) -> tuple[MarkupRun, ...]:
    """Return the runs of a line without the hashes of a heading; none for a scene break."""
    markup = markup_of(line)
    if markup.is_break:
        return ()
    level, start, end = heading_parts(line)
    runs = (run for run in markup.runs if start <= run.start and run.end <= end)
    # an escaped # is no mark of emphasis
    return tuple(run for run in runs if level or run.says or run.start or line[0] != "\\")


def _letters(runs: Sequence[MarkupRun]) -> list[_Letter]:
    return [letter for run in runs for letter in _letters_of(run)]


def _letters_of(run: MarkupRun) -> Iterator[_Letter]:
    if len(run.says) == run.end - run.start:
        for number, text in enumerate(run.says, start=run.start):
            yield _Letter(text, number, number + 1, run.italic, run.bold)
        return
    for text in run.says:  # backslashes and what they escape: whole or not at all
        yield _Letter(text, run.start, run.end, run.italic, run.bold)


def _letters_chosen(chosen: Chosen) -> list[_Letter]:
    """Return the selected characters that can be emphasised, without surrounding white space."""
    letters = [
        letter
        for letter in _letters(_body(chosen.line))
        if chosen.start < letter.end and letter.start < chosen.end
    ]
    while letters and letters[0].text.isspace():
        del letters[0]
    while letters and letters[-1].text.isspace():
        letters.pop()
    return letters


def _has(letter: _Letter | MarkupRun, style: Style) -> bool:
    return letter.italic if style is Style.ITALIC else letter.bold


def _with(run: MarkupRun, style: Style, *, on: bool) -> MarkupRun:
    return replace(run, italic=on) if style is Style.ITALIC else replace(run, bold=on)


def _cut(run: MarkupRun, start: int, end: int) -> Iterator[MarkupRun]:
    """Yield a run in pieces that are wholly inside the selection or wholly outside."""
    if len(run.says) != run.end - run.start:
        yield run
        return
    places = sorted({run.start, run.end, *(place for place in (start, end) if run.start < place < run.end)})
    for left, right in pairwise(places):
        says = run.says[left - run.start : right - run.start]
        yield replace(run, start=left, end=right, says=says)


def _rewritten(line: str, runs: Sequence[MarkupRun], wanted: Sequence[MarkupRun]) -> str:
    """Return a line whose runs have the wanted emphasis; only marks near them change where possible."""
    changed = [number for number, run in enumerate(runs) if run != wanted[number]]
    if not changed:
        return line
    first, last = changed[0], changed[-1]
    while first > 0 and _is_marked(runs[first - 1]):
        first -= 1
    while last + 1 < len(runs) and _is_marked(runs[last + 1]):
        last += 1
    start, end = runs[0].start, runs[-1].end
    before, behind = line[start : runs[first].start], line[runs[last].end : end]
    spans, level = _spans(wanted), markup_of(line).level
    bodies = (
        before + emphasised(_spans(wanted[first : last + 1])) + behind,
        emphasised(spans),
        quieted(spans),
    )
    # without a heading's hashes a backslash at the start may be removable, or necessary
    heads = (line[:start],) if level else dict.fromkeys([line[:start], "", "\\"])
    lines = (head + body + line[end:] for body in bodies for head in heads)
    return next((one for one in lines if _reads_as(one, level, spans)), line)


def _reads_as(line: str, level: int, spans: Sequence[MarkupSpan]) -> bool:
    markup = markup_of(line)
    is_same = markup.level == level and not markup.is_break
    return is_same and _looks(_spans(markup.runs)) == _looks(spans)


def _is_marked(run: MarkupRun) -> bool:
    return run.italic or run.bold or not run.says


def _spans(runs: Sequence[MarkupRun]) -> list[MarkupSpan]:
    return [MarkupSpan(run.says, run.italic, run.bold) for run in runs]


def _looks(spans: Sequence[MarkupSpan]) -> list[tuple[str, bool, bool]]:
    """Return every character with its emphasis; white space has none."""
    return [
        (one, span.italic and not one.isspace(), span.bold and not one.isspace())
        for span in spans
        for one in span.text
    ]

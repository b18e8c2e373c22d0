"""Where a long draft leaves one text of the book and begins the next."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from quire.domain.manuscript.headings import Heading, all_headings, headings_in, is_certain
from quire.domain.manuscript.tree import NodeKind
from quire_engine.metrics.word_count import count_words, end_of_word

TURN_AFTER_CHARS = 48_000
"""A text that grows leaves room below what one document holds."""
FEWEST_CHARS = 400
"""A heading that comes sooner stays with what stands before it: a title page, a motto, a list."""
MOST_HEADING_WORDS = 14
_LOOK_BACK = 8_000
"""Characters that are looked at for headings: a text is looked at several times a second."""
_BEGINS_TEXT = (NodeKind.CHAPTER, NodeKind.PART)
_PARAGRAPH_END = re.compile(r"\n(?:[^\S\n]*\n)+|\n")  # what indents the next paragraph goes with it


@dataclass(frozen=True, slots=True)
class TurnRules:
    """When a draft continues in a new chapter.

    Attributes:
        at_headings: where the model writes the heading of a chapter or a part.
        every_words: after this many words, at the end of a paragraph; 0 switches it off.
        after_chars: the same in characters, because the editor would be slow with a longer text.
    """

    at_headings: bool = True
    every_words: int = 0
    after_chars: int = TURN_AFTER_CHARS


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a new text begins.

    Attributes:
        place: in characters.
        title: that of its heading; empty without one.
        is_chapter: it is a chapter of its own, and not the rest of one that has become too long.
    """

    place: int
    title: str = ""
    is_chapter: bool = True


def turn_in(text: str, drafted_from: int, rules: TurnRules) -> Turn | None:
    """Return where a draft should continue in another text; None where it may stay.

    Only complete lines count, so the answer does not depend on how far the current line has come. Only
    drafted text is split: the writer's own text is the writer's to cut.
    """
    end = text.rfind("\n") + 1
    start = max(drafted_from, 0)
    if end <= start:
        return None
    if rules.at_headings and (turn := _at_heading(text[:end], start)) is not None:
        return turn
    if rules.every_words and count_words(text[:end]) >= rules.every_words:
        return _at_paragraph(text, start, end_of_word(text, rules.every_words))
    if end >= rules.after_chars:
        turn = _at_paragraph(text, start, rules.after_chars)
        return None if turn is None else replace(turn, is_chapter=False)
    return None


def _at_heading(text: str, start: int) -> Turn | None:
    first = text.rfind("\n", 0, max(start, len(text) - _LOOK_BACK)) + 1  # a heading is known by its lines
    for heading in headings_in(text[first:], max(start - first, 0)):
        place = first + heading.start
        if _begins_text(text, place, heading):
            return Turn(place, heading.title)
    return None


def turn_at_end(text: str, drafted_from: int, rules: TurnRules, *, may_grow: bool) -> Turn | None:
    """Return where a heading near the end of a draft stands that `turn_in` still waits for; None without one.

    Once nothing more is drafted, nothing can change what the heading is, so the little text that stands below
    it belongs to its chapter.

    Args:
        may_grow: the draft is only paused: a heading counts if nothing stands below it yet and its line is
            complete. With text below, `turn_in` decides when the draft continues.
    """
    if not rules.at_headings:
        return None
    first = text.rfind("\n", 0, max(drafted_from, len(text) - _LOOK_BACK)) + 1
    for heading in all_headings(text[first:]):
        place, below = first + heading.start, text[first + heading.end :]
        if (
            place < drafted_from
            or is_certain(text, first + heading.end)
            or not _begins_text(text, place, heading)
        ):
            continue
        if not may_grow or (not below.strip() and text[place:].rstrip(" \t").endswith("\n")):
            return Turn(place, heading.title)
    return None


def _begins_text(text: str, place: int, heading: Heading) -> bool:
    """Return whether a heading at a place is one of a chapter or a part, with a text before it."""
    is_heading = heading.kind in _BEGINS_TEXT and _is_short(heading.title)
    return is_heading and len(text[:place].strip()) >= FEWEST_CHARS


def _is_short(title: str) -> bool:
    """Return whether a line may be the heading of a chapter in a draft.

    Headings of old novels go on for sentences, but a model that begins a paragraph with "Part one of" goes on
    with the story.
    """
    return len(title.split()) <= MOST_HEADING_WORDS


def _at_paragraph(text: str, start: int, wanted: int) -> Turn | None:
    """Return the first end of a paragraph from a place on that has text behind it."""
    for found in _PARAGRAPH_END.finditer(text, max(start, wanted - 1)):
        if text[found.end() :].strip():
            return Turn(found.end())
    return None

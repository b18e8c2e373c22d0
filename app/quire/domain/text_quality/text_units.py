"""Words and punctuation marks of a text and their places: the units of the style gauges."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quire.domain.text_quality.growing_string import GrowingString
from quire_engine.metrics.distinct_n import QUOTES, UNIT, compared

_APOSTROPHES = ("'", "’", "\u02bc")
_LOOKS_BEHIND = 2
"""Characters behind a word that decide where it ends: an apostrophe and the letter that may follow it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A word or a mark as it is compared, and its place in characters (code points)."""

    text: str
    start: int
    end: int


def units_in(text: str) -> Iterator[Unit]:
    """Yield the units of a whole text."""
    for match in UNIT.finditer(text):
        start, end = match.span()
        yield Unit(compared(match.group(), text[max(start - 1, 0) : start]), start, end)


class UnitText:
    """The units of a text that grows at its end and is edited anywhere.

    The last word is held back until something follows it, because it may still grow. Every method that
    changes the text returns how many units stayed unchanged: those from there on are new, or have moved.
    """

    def __init__(self) -> None:
        self._written = GrowingString()
        self._open = ""
        self._is_finished, self._held = False, 0
        self._units: list[str] = []
        self._words: dict[str, str] = {}
        self._starts, self._ends = array("q"), array("q")

    def __len__(self) -> int:
        return len(self._units)

    @property
    def text(self) -> str:
        """The text so far."""
        return self._written.text

    def text_since(self, start: int) -> str:
        """Return the text from a character on: quicker than all of it."""
        return self._written.since(start)

    @property
    def num_chars(self) -> int:
        """How long the text is."""
        return self._written.num_chars

    @property
    def units(self) -> Sequence[str]:
        """The units as they are compared; read-only."""
        return self._units

    @property
    def starts(self) -> Sequence[int]:
        """Where each unit begins, in characters; read-only."""
        return self._starts

    def unit(self, number: int) -> Unit:
        """Return one unit with its place."""
        return Unit(self._units[number], self._starts[number], self._ends[number])

    def chars_of(self, first: int, end: int) -> tuple[int, int]:
        """Return the characters of the units from `first` to before `end`; at least one of them."""
        if not 0 <= first < end <= len(self._units):
            raise ValueError(f"no units from {first} to {end} of {len(self._units)}")
        return self._starts[first], self._ends[end - 1]

    def add(self, piece: str) -> int:
        """Append a piece of text."""
        kept = self._reopen()
        self._written.add(piece)
        self._scan(self._open + piece, self.num_chars - len(self._open) - len(piece))
        return kept

    def replace(self, start: int, end: int, piece: str) -> int:
        """Replace characters; only what follows the change is parsed again."""
        if not 0 <= start <= end <= self.num_chars:
            raise ValueError(f"no characters from {start} to {end} of {self.num_chars}")
        was_finished = self._is_finished
        self._reopen()
        old = self.text
        text = old[:start] + piece + old[end:]
        kept = bisect_right(self._ends, start - _LOOKS_BEHIND)
        self._cut(kept)
        self._written = GrowingString(text)
        offset = self._ends[-1] if kept else 0
        self._scan(text[offset:], offset)
        if was_finished:
            self.finish()
        return kept

    def finish(self) -> int:
        """Count the word that was held back too: the text ends here. More text reverts that."""
        kept = len(self._units)
        for unit in () if self._is_finished else units_in(self._open):
            self._append(unit.text, self.num_chars - len(self._open), unit.start, unit.end)
            self._held += 1
        self._is_finished = True
        return kept

    def _reopen(self) -> int:
        if self._held:
            self._cut(len(self._units) - self._held)
        self._is_finished, self._held = False, 0
        return len(self._units)

    def _scan(self, tail: str, offset: int) -> None:
        self._open = ""
        end = 0
        for match in UNIT.finditer(tail):
            if _may_grow(match, tail):
                self._open = tail[match.start() :]
                return
            start, end = match.span()
            self._append(self._compared(match.group(), offset + start), offset, start, end)
        self._open = "-" if tail.endswith("-") and end < len(tail) else ""

    def _compared(self, written: str, start: int) -> str:
        if written in QUOTES:
            return compared(written, self._written.since(start - 1)[:1] if start else "")
        if (unit := self._words.get(written)) is None:  # one string for all its occurrences
            unit = self._words[written] = compared(written, "")
        return unit

    def _append(self, unit: str, offset: int, start: int, end: int) -> None:
        self._units.append(unit)
        self._starts.append(offset + start)
        self._ends.append(offset + end)

    def _cut(self, num_units: int) -> None:
        del self._units[num_units:], self._starts[num_units:], self._ends[num_units:]


def _may_grow(match: re.Match[str], tail: str) -> bool:
    """Return whether more text could make this unit longer: dots or a word at the end, or a word before a
    last apostrophe."""
    rest = tail[match.start() :]
    if rest in (".", ".."):
        return True
    behind = len(tail) - match.end()
    if behind > 1 or (behind == 1 and tail[-1] not in _APOSTROPHES):
        return False
    first = match.group()[0]
    return first.isalnum() or first == "_"

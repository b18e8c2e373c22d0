"""Who wrote which part of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Self

from quire_engine.metrics.word_count import count_words, parts_words


class Origin(Enum):
    """The origin of a part of the text; the values are what the project file stores.

    EDITED: the model drafted it, and the writer changed it. REWRITTEN: the model's words, which the writer
    put in place of others; no run has them.
    """

    WRITTEN = "written"
    DRAFTED = "drafted"
    EDITED = "edited"
    PASTED = "pasted"
    REWRITTEN = "rewritten"

    @property
    def has_run(self) -> bool:
        """Whether it belongs to a run."""
        return self in (Origin.DRAFTED, Origin.EDITED)

    @property
    def is_the_models(self) -> bool:
        """Whether it counts as drafted rather than written."""
        return self.has_run or self is Origin.REWRITTEN


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of one origin; `run_id` is the run that drafted them, 0 for none."""

    length: int
    origin: Origin
    run_id: int = 0

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(f"a span has {self.length} characters")
        if self.run_id < 0 or (self.run_id > 0) != self.origin.has_run:
            raise ValueError(f"{self.origin.value} text of run {self.run_id}")

    @property
    def kind(self) -> tuple[Origin, int]:
        """What distinguishes it from its neighbours."""
        return self.origin, self.run_id


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origins of a text in order, in characters (code points); neighbours of one kind are joined."""

    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if any(_alike(one, other) for one, other in pairwise(self.spans)):
            object.__setattr__(self, "spans", tuple(_merged(self.spans)))

    @classmethod
    def of(cls, length: int, origin: Origin, run_id: int = 0) -> Self:
        """Return the provenance of a text with a single origin."""
        return cls((Span(length, origin, run_id),) if length else ())

    @property
    def num_chars(self) -> int:
        """The length of the text."""
        return sum(span.length for span in self.spans)

    def __add__(self, other: Provenance) -> Provenance:
        """Return the provenance of two texts that follow one another."""
        return Provenance(self.spans + other.spans)

    def grown(self, length: int, origin: Origin, run_id: int = 0) -> Provenance:
        """Return it with more text appended."""
        return self + Provenance.of(length, origin, run_id)

    def part(self, start: int, end: int) -> Provenance:
        """Return the provenance of the characters from start to end."""
        spans, at = list[Span](), 0
        for span in self.spans:
            length = min(at + span.length, end) - max(at, start)
            if length > 0:
                spans.append(span if length == span.length else Span(length, span.origin, span.run_id))
            at += span.length
        return Provenance(tuple(spans))

    def kind_at(self, place: int) -> tuple[Origin, int] | None:
        """Return origin and run of a character; None where there is none."""
        for span in self.spans:
            if 0 <= place < span.length:
                return span.kind
            place -= span.length
        return None

    def replaced(
        self, start: int, removed: int, inserted: int, origin: Origin, *, is_apart: bool = False
    ) -> Provenance:
        """Return it after characters were replaced.

        Text typed between two characters that one run drafted, or in place of some that it drafted beside
        others that remain, is an edit of that draft. Anything else has the given origin. Where text is only
        removed, its neighbours stay what they were. ValueError when there is no such place.

        Args:
            origin: WRITTEN (typed) or PASTED.
            is_apart: words of its own were put between others, which are unchanged: those are no edit.
        """
        after = start + removed
        if not (0 <= start <= after <= self.num_chars and inserted >= 0):
            raise ValueError(f"{removed} characters from {start} of {self.num_chars} gave way to {inserted}")
        is_edit = origin is Origin.WRITTEN and not is_apart
        run_id = self._run_edited(start, after) if is_edit else 0
        new = Provenance.of(inserted, Origin.EDITED if run_id else origin, run_id)
        return self.part(0, start) + new + self.part(after, self.num_chars)

    def edited(self, before: str, after: str, origin: Origin = Origin.WRITTEN) -> Provenance:
        """Return the provenance of a text after the one change that makes it another one."""
        if len(before) != self.num_chars:
            raise ValueError(f"{len(before)} characters, but {self.num_chars} of known origin")
        start, removed, inserted = change_between(before, after)
        is_apart = not removed and parts_words(after, start)
        return self.replaced(start, removed, inserted, origin, is_apart=is_apart)

    def counts(self, text: str) -> Mapping[Origin, int]:
        """Return how many words of the text have each origin: a word has that of its first character.

        Their sum is `count_words(text)`. Written by the writer are WRITTEN and PASTED, drafted are DRAFTED,
        EDITED and REWRITTEN.
        """
        if len(text) != self.num_chars:
            raise ValueError(f"{len(text)} characters, but {self.num_chars} of known origin")
        counts = dict.fromkeys(Origin, 0)
        start = end = 0
        for span in self.spans:
            end += span.length
            cut = _word_end(text, max(start, end))
            counts[span.origin] += count_words(text[start:cut])
            start = cut
        return counts

    def _run_edited(self, start: int, end: int) -> int:
        """Return the run whose draft is edited by replacing these characters, or 0."""
        gone = {span.run_id for span in self.part(start, end).spans}
        beside = [0 if kind is None else kind[1] for kind in (self.kind_at(start - 1), self.kind_at(end))]
        if beside[0] == beside[1]:
            return beside[0]
        # a draft's first or last words changed; where nothing of it remains, the text is the writer's
        return next((run_id for run_id in beside if gone == {run_id}), 0)


def by_author(counts: Mapping[Origin, int]) -> tuple[int, int]:
    """Return the words that the writer wrote and those that were drafted, from `Provenance.counts`."""
    drafted = sum(words for origin, words in counts.items() if origin.is_the_models)
    return sum(counts.values()) - drafted, drafted


def change_between(before: str, after: str) -> tuple[int, int, int]:
    """Return where two texts differ: the place, how many characters were removed, and how many inserted.

    It is the one change that makes the second text of the first; where several do, the last place.
    """
    shorter, less, more = min(len(before), len(after)), len(before), len(after)
    start = _common(shorter, lambda n, m: before[n:m] == after[n:m])
    rest = shorter - start
    end = _common(rest, lambda n, m: before[less - m : less - n] == after[more - m : more - n])
    return start, less - start - end, more - start - end


def _common(most: int, agree: Callable[[int, int], bool]) -> int:
    """Return the length of the common prefix, at most `most`.

    Only what is still open is compared, so that all comparisons together look at each character about once,
    and none of them in Python.

    Args:
        agree: whether the texts are equal from one place to another.
    """
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if agree(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _word_end(text: str, place: int) -> int:
    """Return the end of a word that spans a place; the place itself where none does."""
    while not parts_words(text, place):
        place += 1
    return place


def _alike(one: Span, other: Span) -> bool:
    return one.origin is other.origin and one.run_id == other.run_id


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    last: Span | None = None
    for span in spans:
        if last is not None and _alike(last, span):
            last = Span(last.length + span.length, span.origin, span.run_id)
            continue
        if last is not None:
            yield last
        last = span
    if last is not None:
        yield last

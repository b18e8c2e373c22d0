"""Where a text came from: who wrote each part, and which drafter proposed the accepted tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.text_quality.overlays import OverlaySpan, SpanKind, joined_spans
from quire_engine.api.config import Source
from quire_engine.metrics.acceptance import PHRASES
from quire_engine.metrics.word_count import parts_words, word_ends

_PROBES = (48, 24, 12)
"""So many characters together are looked for in what a run wrote; long ones first, they stand there once."""
_MOST_PLACES = 40
_OF_ORIGIN = {
    Origin.WRITTEN: SpanKind.WRITTEN,
    Origin.DRAFTED: SpanKind.DRAFTED,
    Origin.EDITED: SpanKind.EDITED,
    Origin.PASTED: SpanKind.PASTED,
    Origin.REWRITTEN: SpanKind.DRAFTED,
}


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of a run: its tokens, their sources and lengths.

    Attributes:
        token_chars: characters that each token completed; empty where that was not stored.
        num_words: whole words in the run after it.
    """

    num_tokens: int
    num_words: int
    sources: tuple[Source, ...] = ()
    token_chars: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.token_chars and len(self.token_chars) != self.num_tokens:
            raise ValueError(f"{len(self.token_chars)} lengths of {self.num_tokens} tokens")

    def kind_of(self, token: int) -> SpanKind:
        """Return who proposed a token; those after the accepted draft tokens are the full model's own."""
        if token >= len(self.sources):
            return SpanKind.MODEL
        return SpanKind.PHRASES if self.sources[token] in PHRASES else SpanKind.GUESSER

    @property
    def kind(self) -> SpanKind:
        """Return who proposed most of it; in a tie a drafter comes before the full model."""
        counts = Counter(self.kind_of(token) for token in range(self.num_tokens))
        order = (SpanKind.PHRASES, SpanKind.GUESSER, SpanKind.MODEL)
        return max(order, key=lambda kind: counts[kind])


@dataclass(frozen=True, slots=True)
class RunPasses:
    """What a run wrote, unchanged, and its steps."""

    text: str
    passes: tuple[Pass, ...]


@dataclass(frozen=True, slots=True)
class RunStretches:
    """What a run wrote, by who proposed it; `is_exact`: per token, and not only for whole steps."""

    text: str
    stretches: tuple[OverlaySpan, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class GuessSpans:
    """Who proposed the drafted parts of a text.

    Attributes:
        by_pass: whether some of it is known for whole steps only, because an earlier version drafted it.
    """

    spans: tuple[OverlaySpan, ...]
    by_pass: bool = False


def passes_of(steps: Iterable[StepRecord]) -> tuple[Pass, ...]:
    """Return what the overlay needs of the steps of a run."""
    return tuple(
        Pass(
            step.num_tokens,
            step.num_words,
            step.sources,
            step.token_chars if len(step.token_chars) == step.num_tokens else (),
        )
        for step in steps
    )


def source_spans(provenance: Provenance) -> tuple[OverlaySpan, ...]:
    """Return who wrote each part of a text."""
    ends = accumulate(span.length for span in provenance.spans)
    spans = (
        OverlaySpan(end - span.length, end, _OF_ORIGIN[span.origin])
        for span, end in zip(provenance.spans, ends, strict=True)
    )
    return tuple(joined_spans(spans))


def runs_in(provenance: Provenance) -> tuple[int, ...]:
    """Return the runs that have text of their own in a text."""
    return tuple(sorted({span.run_id for span in provenance.spans if span.origin is Origin.DRAFTED}))


def guess_spans(text: str, provenance: Provenance, runs: Mapping[int, RunStretches]) -> GuessSpans:
    """Return who proposed the drafted parts of a text that are still the words of their run."""
    found: list[OverlaySpan] = []
    by_pass = False
    for run_id in runs_in(provenance):
        run = runs.get(run_id)
        if run is None or not run.stretches:
            continue
        by_pass = by_pass or not run.is_exact
        starts = [stretch.start for stretch in run.stretches]
        for own in own_stretches(text, provenance, run_id, run.text):
            found += _moved(run.stretches, starts, own)
    found.sort(key=lambda span: span.start)
    return GuessSpans(tuple(joined_spans(found)), by_pass and bool(found))


# ---------------------------------------------------------------- the steps of a run in its text
def pass_stretches(run: RunPasses) -> RunStretches:
    """Return the text of a run by who proposed it.

    Steps whose tokens have no known lengths are counted as a whole, to the end of the word that they began.
    """
    num_exact = _num_exact(run)
    first_exact = len(run.passes) - num_exact
    tail = run.passes[first_exact:]
    tail_start = len(run.text) - sum(sum(step.token_chars) for step in tail)
    spans = [*_by_pass(run, run.passes[:first_exact], tail_start), *_by_token(tail, tail_start)]
    return RunStretches(run.text, tuple(joined_spans(spans)), first_exact == 0)


def _num_exact(run: RunPasses) -> int:
    """Return how many of the last steps are known per token, counted from the end."""
    num_exact = num_chars = 0
    for step in reversed(run.passes):
        num_chars += sum(step.token_chars)
        if not step.token_chars or num_chars > len(run.text):
            break
        num_exact += 1
    is_all = num_exact == len(run.passes)
    if is_all and sum(sum(step.token_chars) for step in run.passes) != len(run.text):
        return 0  # lengths that do not add up are ignored
    return num_exact


def _by_token(passes: Iterable[Pass], start: int) -> Iterator[OverlaySpan]:
    for step in passes:
        for token, length in enumerate(step.token_chars):
            yield OverlaySpan(start, start + length, step.kind_of(token))
            start += length


def _by_pass(run: RunPasses, passes: Sequence[Pass], end: int) -> Iterator[OverlaySpan]:
    """Yield whole steps, each to the end of the word in which it stopped."""
    words = _WordEnds(run.text)
    start = 0
    for number, step in enumerate(passes, start=1):
        stop = end if number == len(passes) else min(words.end_of(step.num_words + 1), end)
        yield OverlaySpan(start, stop, step.kind)
        start = max(start, stop)


class _WordEnds:
    """Finds the ends of words in order, as `quire_engine.metrics.word_count` counts them; never goes back."""

    def __init__(self, text: str) -> None:
        self._ends = word_ends(text)
        self._number, self._end, self._length = 0, 0, len(text)

    def end_of(self, number: int) -> int:
        """Return where a word ends, counted from 1; the end of the text where there are fewer."""
        if number > self._number:
            found = next(islice(self._ends, number - self._number - 1, None), None)
            self._number, self._end = number, self._length if found is None else found
        return self._end


# ---------------------------------------------------------------- what is still a run's own
@dataclass(frozen=True, slots=True)
class Own:
    """Characters of a text that are still those of its run: their place there, and in the run's text."""

    start: int
    run_start: int
    length: int


def own_stretches(text: str, provenance: Provenance, run_id: int, run_text: str) -> tuple[Own, ...]:
    """Return the parts of a run that are in a text unchanged.

    Provenance knows what the writer typed into a draft, but not what they removed: two parts of a draft that
    close up are one span. So each span is aligned with the run's own text.
    """
    found: list[Own] = []
    start = run_at = 0
    for span in provenance.spans:
        if span.origin is Origin.DRAFTED and span.run_id == run_id:
            for own in _laid_along(text[start : start + span.length], run_text, run_at):
                found.append(Own(start + own.start, own.run_start, own.length))
                run_at = own.run_start + own.length
        start += span.length
    return tuple(found)


def _laid_along(piece: str, run_text: str, run_at: int) -> Iterator[Own]:
    """Yield the parts of a piece that occur in a run's text, mostly in the same order."""
    at = 0
    while at < len(piece):
        place = _place_of(piece, at, run_text, run_at)
        if place is None:
            at = _next_word(piece, at)
            continue
        length = _agreeing(piece, at, run_text, place)
        yield Own(at, place, length)
        at, run_at = at + length, place + length


def _place_of(piece: str, at: int, run_text: str, run_at: int) -> int | None:
    """Return where in a run's text a piece continues: where most of it agrees, the first of equals."""
    rest = len(piece) - at
    if rest == _agreeing(piece, at, run_text, run_at):
        return run_at
    for size in _PROBES:
        probe = piece[at : at + size]
        places = list(islice(_places(run_text, probe, run_at), _MOST_PLACES))
        places = places or list(islice(_places(run_text, probe, 0), _MOST_PLACES))
        if places:
            return max(places, key=lambda place: _agreeing(piece, at, run_text, place))
    return None


def _places(text: str, probe: str, start: int) -> Iterator[int]:
    place = text.find(probe, start)
    while place >= 0:
        yield place
        place = text.find(probe, place + 1)


def _agreeing(one: str, one_at: int, other: str, other_at: int) -> int:
    """Return how many characters of two texts agree from two places on."""
    low, high = 0, min(len(one) - one_at, len(other) - other_at)
    size = 64
    while low < high:  # doubling steps, then halving ones: each character is compared a few times
        end = min(low + size, high)
        if one[one_at + low : one_at + end] == other[other_at + low : other_at + end]:
            low, size = end, size * 2
        elif end - low == 1:
            return low
        else:
            high, size = end, max((end - low) // 2, 1)
    return low


def _next_word(piece: str, at: int) -> int:
    """Return the beginning of the next word."""
    at += 1
    while at < len(piece) and (piece[at].isspace() or not parts_words(piece, at)):
        at += 1
    return at


def _moved(stretches: Sequence[OverlaySpan], starts: Sequence[int], own: Own) -> Iterator[OverlaySpan]:
    """Yield the stretches of a run's text at their places in the text that still has these words."""
    end, by = own.run_start + own.length, own.start - own.run_start
    number = max(bisect_right(starts, own.run_start) - 1, 0)
    while number < len(stretches) and stretches[number].start < end:
        span = stretches[number]
        first, last = max(span.start, own.run_start), min(span.end, end)
        if first < last:
            yield OverlaySpan(first + by, last + by, span.kind)
        number += 1

"""What can be said about a take in numbers: how its text reads, and how it was drafted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from quire.domain.manuscript import Document
from quire.domain.presets import Preset
from quire.domain.provenance import Span
from quire.domain.run import Run
from quire.domain.series import StepRecord
from quire_engine.metrics.words import count_words


@dataclass(frozen=True, slots=True)
class TextFigures:
    """How a text reads. variety: mean Distinct-2 of the windows that end in it; None where none is full.

    echoes: share of it that repeats what stands up to 2,000 words before; None where it has no words.
    """

    num_words: int
    variety: float | None
    echoes: float | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a run that a text has: its steps from a step on.

    words_before: words that the run had written before it. chars_before: characters of the text before the
    run's first ones in it.
    """

    run: Run
    steps: tuple[StepRecord, ...]
    words_before: int
    chars_before: int


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """How the drafted part of a text came to be. drafted_s: seconds in steps; reading and pauses do not count.

    words: drafted ones. presets: names, empty for settings that no preset has. changed: when it was last
    drafted.
    """

    words: int = 0
    drafted_s: float = 0.0
    tokens_at_a_time: float | None = None
    guesses_kept: float | None = None
    presets: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    models: tuple[str, ...] = ()
    changed: datetime | None = None

    @property
    def words_per_min(self) -> float | None:
        """How fast it was drafted; None where no time was measured."""
        return 60 * self.words / self.drafted_s if self.drafted_s > 0 else None


@dataclass(frozen=True, slots=True)
class TakeFigures:
    """Both together."""

    text: TextFigures
    draft: DraftFigures


def draft_figures(stretches: Sequence[Stretch], presets: Iterable[Preset]) -> DraftFigures:
    """Return how a text was drafted, from the parts of runs that it has."""
    if not stretches:
        return DraftFigures()
    known = tuple(presets)
    steps = [step for stretch in stretches for step in stretch.steps]
    depth = sum(step.depth for step in steps)
    runs = [stretch.run for stretch in stretches]
    return DraftFigures(
        words=sum(
            max(stretch.steps[-1].num_words - stretch.words_before, 0)
            for stretch in stretches
            if stretch.steps
        ),
        drafted_s=sum(step.step_ms for step in steps) / 1000,
        tokens_at_a_time=sum(step.num_tokens for step in steps) / len(steps) if steps else None,
        guesses_kept=sum(step.num_accepted for step in steps) / depth if depth else None,
        presets=_each_once(preset_name(run, known) for run in runs),
        seeds=tuple(dict.fromkeys(run.sampling.seed for run in runs)),
        models=_each_once("" if run.model is None else run.model.name for run in runs),
        changed=max((run.updated for run in runs if run.updated), default=None),
    )


def preset_name(run: Run, presets: Iterable[Preset]) -> str:
    """Return the name of the preset that a run was drafted with; empty when none has its settings."""
    for preset in presets:
        if replace(preset.sampling, seed=run.sampling.seed) == run.sampling:
            return preset.name
    return ""


def stretch_of(run: Run, steps: Sequence[StepRecord], document: Document, start: int) -> Stretch:
    """Return the part of a run that a document has from a place on.

    Steps are told apart by their words: what the run wrote before the place, and what it wrote after.
    """
    places = [(first, end) for first, end, span in placed_spans(document) if span.run_id == run.run_id]
    here = [first for first, end in places if end > start]
    first = max(here[0], start) if here else start
    before = "".join(document.text[low : min(high, start)] for low, high in places if low < start)
    # a run that went on in this document may have begun in an earlier one, of which nothing stands here
    words_before = count_words(before)
    end = max((high for _, high in places), default=start)
    words_here = count_words(document.text[first:end])
    if places and places[0][0] >= start and run.num_words > words_here + words_before:
        words_before = run.num_words - words_here
    kept = tuple(step for step in steps if step.num_words > words_before)
    return Stretch(run, kept, words_before, first)


def placed_spans(document: Document) -> tuple[tuple[int, int, Span], ...]:
    """Return the spans of a document with the characters that each is from and to."""
    ends = [0]
    for span in document.provenance.spans:
        ends.append(ends[-1] + span.length)
    places = pairwise(ends)
    return tuple((first, end, span) for (first, end), span in zip(places, document.provenance.spans, strict=True))


def runs_in(document: Document, start: int) -> tuple[int, ...]:
    """Return the numbers of the runs whose words a document has from a place on, in order."""
    found = (span.run_id for _, end, span in placed_spans(document) if end > start and span.run_id)
    return tuple(dict.fromkeys(found))


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))

"""A take in numbers: how its text reads, and how it was drafted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from quire.domain.drafting.presets import Preset, preset_named
from quire.domain.drafting.run import Run
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Span
from quire_engine.metrics.word_count import count_words

_NOTHING: Mapping[int, int] = {}

_KNOWN_BY = 80
"""Characters by which the place of a stretch in what a run wrote is known."""


@dataclass(frozen=True, slots=True)
class TextFigures:
    """How a text reads.

    Attributes:
        variety: mean Distinct-2 of the windows that end in it; None where none is full.
        echoes: share of it that repeats text up to 2,000 words before; None where it has no words.
    """

    num_words: int
    variety: float | None
    echoes: float | None


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a run that a text has from some place on, with the steps that wrote it.

    Attributes:
        words_before: of the run, before that part.
        num_words: in it.
        start: characters of the text before it.
    """

    run: Run
    steps: tuple[StepRecord, ...]
    words_before: int
    num_words: int
    start: int


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """How the drafted part of a text was made.

    Attributes:
        drafted_s: in steps, without reading and pauses.
        words: drafted ones.
        presets: names, empty for settings that no preset has.
        changed: when a run last wrote in it.
        on_servers: those of the models that ran on a server, which nobody can reproduce.
    """

    words: int = 0
    drafted_s: float = 0.0
    tokens_at_a_time: float | None = None
    acceptance_rate: float | None = None
    presets: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    models: tuple[str, ...] = ()
    changed: datetime | None = None
    on_servers: tuple[str, ...] = ()

    @property
    def words_per_min(self) -> float | None:
        """How fast it was drafted; None where no time was measured."""
        return 60 * self.words / self.drafted_s if self.drafted_s > 0 else None


@dataclass(frozen=True, slots=True)
class TakeFigures:
    """Both sets of figures."""

    text: TextFigures
    draft: DraftFigures


def draft_figures(stretches: Sequence[Stretch], presets: Iterable[Preset]) -> DraftFigures:
    """Return how a text was drafted, from the parts of runs that it has."""
    if not stretches:
        return DraftFigures()
    known = tuple(presets)
    steps = [step for stretch in stretches for step in stretch.steps]
    runs = [stretch.run for stretch in stretches]
    servers = _each_once(run.model.name for run in runs if run.model is not None and run.model.is_on_server)
    # several passes together have no depth, as some servers tell of them
    depth = sum(step.depth or (step.num_drafted if servers else 0) for step in steps)
    return DraftFigures(
        words=sum(stretch.num_words for stretch in stretches),
        drafted_s=sum(step.step_ms for step in steps) / 1000,
        tokens_at_a_time=None
        if servers or not steps
        else sum(step.num_tokens for step in steps) / len(steps),
        acceptance_rate=sum(step.num_accepted for step in steps) / depth if depth else None,
        presets=_each_once(preset_name(run, known) for run in runs),
        seeds=tuple(dict.fromkeys(run.sampling.seed for run in runs)),
        models=_each_once("" if run.model is None else run.model.name for run in runs),
        on_servers=servers,
        changed=max((run.updated for run in runs if run.updated), default=None),
    )


def preset_name(run: Run, presets: Iterable[Preset]) -> str:
    """Return the name of the preset that a run was drafted with; empty when none has its settings."""
    return preset_named(run.sampling, presets)


def stretch_of(
    run: Run, steps: Sequence[StepRecord], drafted: str, document: Document, start: int
) -> Stretch:
    """Return the part of a run that a document has from a place on. Steps are found by their words.

    Args:
        drafted: everything that the run wrote; it may have begun in another document.
    """
    places = [(first, end) for first, end, span in placed_spans(document) if span.run_id == run.run_id]
    behind = [(max(first, start), end) for first, end in places if end > start]
    if not behind:
        return Stretch(run, (), 0, 0, start)
    text = document.text
    begins = text[places[0][0] : places[0][1]][:_KNOWN_BY]
    words_before = count_words(drafted[: max(drafted.find(begins), 0)])
    words_before += count_words(
        "".join(text[first : min(end, start)] for first, end in places if first < start)
    )
    num_words = count_words("".join(text[first:end] for first, end in behind))
    last = words_before + num_words
    kept = tuple(step for step in steps if words_before < step.num_words <= last)
    return Stretch(run, kept, words_before, num_words, behind[0][0])


def steps_from_one(stretches: Iterable[Stretch]) -> tuple[StepRecord, ...]:
    """Return the steps of all of them, as if one run had made them: words are counted from the first."""
    steps: list[StepRecord] = []
    words = 0
    for stretch in stretches:
        for step in stretch.steps:
            steps.append(replace(step, num_words=words + step.num_words - stretch.words_before))
        words += stretch.num_words
    return tuple(steps)


def placed_spans(document: Document) -> tuple[tuple[int, int, Span], ...]:
    """Return the spans of a document with the characters where each begins and ends."""
    ends = [0]
    for span in document.provenance.spans:
        ends.append(ends[-1] + span.length)
    places = pairwise(ends)
    return tuple(
        (first, end, span) for (first, end), span in zip(places, document.provenance.spans, strict=True)
    )


def drafted_places(document: Document, kept: Mapping[int, int] = _NOTHING) -> tuple[tuple[int, int], ...]:
    """Return the characters where each stretch of drafted words begins and ends, edited ones included.

    Answers that the writer put in place of other words are kept ones.

    Args:
        kept: up to which place the writer has made the words of a run their own: they are left out.
    """
    places: list[tuple[int, int]] = []
    for first, end, span in placed_spans(document):
        first = max(first, kept.get(span.run_id, 0))
        if span.origin.has_run and first < end:
            if places and places[-1][1] == first:
                first, _ = places.pop()  # one stretch, of two drafts or edited in the middle
            places.append((first, end))
    return tuple(places)


def runs_in(document: Document, start: int) -> tuple[int, ...]:
    """Return the numbers of the runs whose words a document has from a place on, in order."""
    found = (span.run_id for _, end, span in placed_spans(document) if end > start and span.run_id)
    return tuple(dict.fromkeys(found))


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def first_words_of(document: Document, run_id: int) -> tuple[int, int]:
    """Return where a run's own words begin in a document, and how far they are as it wrote them."""
    own = [
        (first, end) for first, end, span in placed_spans(document) if span.kind == (Origin.DRAFTED, run_id)
    ]
    return own[0] if own else (len(document.text), len(document.text))

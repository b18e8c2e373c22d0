from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.presets import BALANCED, BUILT_IN, Preset
from quire.domain.drafting.run import Run
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.take_metrics import (
    draft_figures,
    drafted_places,
    first_words_of,
    preset_name,
    runs_in,
    steps_from_one,
    stretch_of,
)
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Provenance, Span
from quire.domain.text_quality.text_metrics import measured
from quire_engine.api.config import SamplingConfig
from quire_engine.metrics.word_count import count_words

WRITTEN, DRAFTED, MORE = "It rained. ", "The ferry crossed a river. ", "Nobody sang on board."


def run_of(run_id: int = 1, seed: int = 5, num_words: int = 9) -> Run:
    return Run(run_id, 1, SamplingConfig(seed=seed), 20, "", "", num_words=num_words, num_prompt=1)


def step(num_words: int, step_ms: float = 500.0) -> StepRecord:
    return StepRecord(2, num_words, 2, 4, 1, step_ms, 1.0, 1.0, 1.0)


def document(*pieces: tuple[str, int]) -> Document:
    text, provenance = "", Provenance()
    for words, run_id in pieces:
        text += words
        provenance = provenance.grown(len(words), Origin.DRAFTED if run_id else Origin.WRITTEN, run_id)
    return Document(1, "", text, provenance)


STEPS = tuple(step(num_words) for num_words in range(1, 10))


def test_a_part_of_a_run_has_the_steps_that_wrote_it() -> None:
    text = document((WRITTEN, 0), (DRAFTED + MORE, 1))
    whole = stretch_of(run_of(), STEPS, DRAFTED + MORE, text, len(WRITTEN))
    assert (whole.words_before, whole.num_words, len(whole.steps)) == (0, 9, 9)
    rest = stretch_of(run_of(), STEPS, DRAFTED + MORE, text, len(WRITTEN + DRAFTED))
    assert (rest.words_before, rest.num_words, rest.start) == (5, 4, len(WRITTEN + DRAFTED))
    assert [one.num_words for one in rest.steps] == [6, 7, 8, 9]
    assert [one.num_words for one in steps_from_one([rest])] == [1, 2, 3, 4]


def test_what_was_cut_off_a_run_does_not_count() -> None:
    first = stretch_of(run_of(), STEPS, DRAFTED + MORE, document((WRITTEN, 0), (DRAFTED, 1)), 0)
    assert (first.num_words, [one.num_words for one in first.steps]) == (5, [1, 2, 3, 4, 5])


def test_a_run_that_began_in_another_text_is_known_by_its_words() -> None:
    here = stretch_of(run_of(), STEPS, DRAFTED + MORE, document((MORE, 1)), 0)
    assert (here.words_before, here.num_words) == (5, 4)
    assert [one.num_words for one in here.steps] == [6, 7, 8, 9]


def test_a_run_that_is_not_there_has_no_part() -> None:
    assert stretch_of(run_of(2), STEPS, DRAFTED, document((WRITTEN, 0)), 3).num_words == 0


def test_figures_are_those_of_all_runs_together() -> None:
    text = document((WRITTEN, 0), (DRAFTED, 1), ("I wrote. ", 0), (MORE, 2))
    first, second = run_of(), run_of(2, seed=9)
    stretches = [
        stretch_of(first, STEPS[:5], DRAFTED, text, 0),
        stretch_of(replace(second, sampling=SamplingConfig(temperature=0.3)), STEPS[:4], MORE, text, 0),
    ]
    found = draft_figures(stretches, BUILT_IN)
    assert (found.words, found.drafted_s) == (9, 4.5)
    assert found.tokens_at_a_time == 2.0
    assert found.acceptance_rate == 0.5
    assert found.words_per_min == pytest.approx(120)
    assert (found.presets, found.seeds) == ((BALANCED.name, ""), (5, 0))
    assert [one.num_words for one in steps_from_one(stretches)] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert draft_figures([], BUILT_IN).words_per_min is None


def test_a_preset_is_known_by_its_settings_whatever_the_seed() -> None:
    own = Preset("Mine", SamplingConfig(temperature=0.7))
    drafted = replace(run_of(), sampling=replace(own.sampling, seed=77))
    assert preset_name(drafted, [*BUILT_IN, own]) == "Mine"
    assert preset_name(drafted, BUILT_IN) == ""
    banning = replace(drafted, sampling=replace(drafted.sampling, banned=("suddenly",)))
    assert preset_name(banning, [*BUILT_IN, own]) == "Mine"  # what a project bans belongs to no preset
    earlier = SamplingConfig(temperature=0.8, min_p=0.15, repetition_penalty=1.15, seed=77)
    assert preset_name(replace(drafted, sampling=earlier), BUILT_IN) == "Faithful"


def test_where_the_words_of_a_run_are() -> None:
    text = document((WRITTEN, 0), (DRAFTED, 1), ("I. ", 0), (MORE, 1))
    assert first_words_of(text, 1) == (len(WRITTEN), len(WRITTEN + DRAFTED))
    assert first_words_of(text, 8) == (len(text.text), len(text.text))
    assert (runs_in(text, 0), runs_in(text, len(WRITTEN + DRAFTED)), runs_in(text, len(text.text))) == (
        (1,), (1,), ()
    )  # fmt: skip


def test_variety_needs_two_thousand_words_and_echoes_need_none() -> None:
    before = " ".join(f"word{number}" for number in range(1_500))
    fresh = " " + " ".join(f"other{number}" for number in range(1_000))
    found = measured(before + fresh, len(before))
    assert (found.num_words, found.variety, found.echoes) == (count_words(fresh), 1.0, 0.0)
    copied = measured(before + " " + before[:500], len(before))
    assert copied.variety is None
    assert copied.echoes is not None
    assert copied.echoes > 0.8
    assert measured(before, len(before)).echoes is None


@given(st.lists(st.tuples(st.sampled_from(Origin), st.integers(1, 4), st.integers(1, 3)), max_size=12))
def test_the_stretches_of_drafted_words_are_what_the_model_wrote(
    pieces: list[tuple[Origin, int, int]],
) -> None:
    """Each character of the model's lies in one stretch, none of the writer's does, and none touch."""
    spans = [Span(length, origin, run_id if origin.has_run else 0) for origin, length, run_id in pieces]
    text = Document(1, "", "x" * sum(span.length for span in spans), Provenance(tuple(spans)))
    places = drafted_places(text)
    covered = [place for first, end in places for place in range(first, end)]
    expected = [span.origin.has_run for span in spans for _ in range(span.length)]
    assert covered == [place for place, drafted in enumerate(expected) if drafted]
    assert all(end < first for (_, end), (first, _) in pairwise(places))

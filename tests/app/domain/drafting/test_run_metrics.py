from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting import run_metrics
from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import OTHER, SOURCES, Source
from quire_engine.api.messages import StepCompleted
from quire_engine.metrics.acceptance import RunMetrics, StepMetrics

NO_SOURCES: tuple[Source, ...] = ()


def step(
    accepted: tuple[Source, ...] = NO_SOURCES, depth: int = 0, words: int = 0, step_ms: float = 10.0
) -> StepRecord:
    return StepRecord(
        num_tokens=len(accepted) + 1,
        num_words=words,
        depth=depth,
        num_drafted=2 * depth,
        num_accepted=len(accepted),
        step_ms=step_ms,
        draft_ms=step_ms / 4,
        verify_ms=step_ms / 2,
        margin=1.5,
        sources=accepted,
    )


@st.composite
def runs(draw: st.DrawFn) -> list[StepRecord]:
    steps, words = list[StepRecord](), 0
    for depth, growth, quarters in draw(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 400)), max_size=40)
    ):
        accepted = draw(st.lists(st.sampled_from(SOURCES), max_size=depth))
        words += growth
        steps.append(step(tuple(accepted), depth, words, quarters / 4))
    return steps


def figures_of(steps: list[StepRecord]) -> RunMetrics:
    figures = RunMetrics()
    for one in steps:
        spent = (one.draft_ms, one.verify_ms, one.step_ms - one.draft_ms - one.verify_ms)
        guessed = (one.num_drafted, one.depth, one.sources)
        figures.add(StepMetrics(*guessed, one.num_tokens, *spent, one.margin))
    return figures


def test_a_record_keeps_what_the_engine_said() -> None:
    completed = StepCompleted(
        run_id=3,
        token_ids=(5, 6, 7),
        text=" a b",
        num_words=12,
        draft_depth=4,
        num_accepted=2,
        step_ms=30.5,
        margin=0.25,
        num_drafted=9,
        accepted_sources=("heads", "ngrams"),
        draft_ms=4.5,
        verify_ms=20.5,
        token_chars=(2, 0, 2),
    )
    expected = StepRecord(3, 12, 4, 9, 2, 30.5, 4.5, 20.5, 0.25, ("heads", "ngrams"), (2, 0, 2))
    assert run_metrics.record_of(completed, completed.text) == expected


def test_lengths_of_a_text_that_was_cleaned_are_not_kept() -> None:
    completed = StepCompleted(3, (5, 6), "\n", 1, 0, 0, 1.0, 0.5, token_chars=(1, 1))
    assert run_metrics.record_of(completed, completed.text).token_chars == ()


@given(runs())
def test_every_figure_equals_the_engines(steps: list[StepRecord]) -> None:
    figures = figures_of(steps)
    assert run_metrics.acceptance_rate(steps) == figures.alpha
    assert run_metrics.beta(steps) == figures.beta
    assert run_metrics.phrase_share(steps) == figures.phrase_share
    assert run_metrics.tokens_per_pass(steps) == figures.tokens_per_pass
    assert run_metrics.kept_at_depth(steps) == figures.kept_at_depth
    assert run_metrics.accepted_lengths(steps) == figures.accepted_lengths
    assert run_metrics.accepted_by_source(steps) == figures.accepted_by_source
    assert run_metrics.smallest_margin(steps) == figures.margin
    pace = run_metrics.pace(steps)
    assert (pace is None) == (figures.tokens_per_s is None)
    if pace is not None:
        assert pace.tokens_per_s == pytest.approx(figures.tokens_per_s)


@given(runs(), st.integers(1, 8), st.sampled_from([0.01, 0.1, 1.0]))
def test_what_rolls_is_what_the_gauge_showed(steps: list[StepRecord], window: int, window_s: float) -> None:
    so_far = [steps[:end] for end in range(1, len(steps) + 1)]
    assert run_metrics.rolling_guesses_kept(steps, window) == [
        run_metrics.acceptance_rate(part, window) for part in so_far
    ]
    assert run_metrics.rolling_tokens_per_pass(steps, window) == [
        run_metrics.tokens_per_pass(part, window) for part in so_far
    ]
    assert run_metrics.rolling_pace(steps, window_s, 3) == [
        run_metrics.pace(part, window_s, 3) for part in so_far
    ]
    assert run_metrics.rolling_tokens_by_origin(steps, window) == [
        tuple(total / len(part[-window:]) for total in run_metrics.tokens_by_origin(part[-window:]))
        for part in so_far
    ]


@given(runs())
def test_tokens_by_origin_add_up_to_the_tokens(steps: list[StepRecord]) -> None:
    written = sum(one.num_tokens for one in steps)
    assert sum(run_metrics.tokens_by_origin(steps)) == written
    assert run_metrics.tokens_after(steps)[-1:] == ([written] if steps else [])
    assert min(run_metrics.tokens_by_origin(steps)) >= 0


def test_nothing_was_written() -> None:
    assert run_metrics.pace([]) is None
    for rate in (
        run_metrics.acceptance_rate,
        run_metrics.tokens_per_pass,
        run_metrics.phrase_share,
        run_metrics.beta,
    ):
        assert rate([]) is None
    assert run_metrics.kept_at_depth([]) == run_metrics.accepted_lengths([]) == ()
    assert run_metrics.tokens_by_origin([]) == (0, 0, 0)
    assert run_metrics.smallest_margin([]) == math.inf


def test_plain_steps_leave_the_guesses_kept_alone_and_lower_the_tokens_at_a_time() -> None:
    steps = [step(("heads",) * 3, depth=4), step(), step()]
    assert run_metrics.rolling_guesses_kept([step(), *steps]) == [None, 0.75, 0.75, 0.75]
    assert run_metrics.rolling_tokens_per_pass(steps) == [4, 2.5, 2]


def test_the_window_of_guesses_kept_counts_steps_that_drafted() -> None:
    steps = [step((), depth=4), *[step(("heads",) * 4, depth=4)] * 2, *[step()] * 500]
    assert run_metrics.acceptance_rate(steps, window=2) == 1
    assert run_metrics.acceptance_rate(steps, window=3) == pytest.approx(2 / 3)


def test_the_pace_is_that_of_the_last_minute_of_drafting() -> None:
    slow = [step(words=place, step_ms=1000) for place in range(1, 101)]
    fast = [step(words=100 + 2 * place, step_ms=500) for place in range(1, 121)]
    pace = run_metrics.pace([*slow, *fast])
    assert pace == (2, 240, 60)
    assert run_metrics.pace(slow) == (1, 60, 60)
    assert run_metrics.pace(slow[:10], words_before=4) == (1, 36, 10)


def test_seconds_add_up() -> None:
    assert run_metrics.drafting_s([step(step_ms=500), step(step_ms=1500)]) == [0.5, 2]


def test_tokens_of_an_unknown_drafter_still_count_as_drafted() -> None:
    steps = [step(("ngrams", OTHER, OTHER), 3)]
    assert run_metrics.accepted_by_source(steps) == {"ngrams": 1, OTHER: 2}
    assert run_metrics.tokens_by_origin(steps) == (1, 2, 1)
    assert run_metrics.phrase_share(steps) == pytest.approx(1 / 3)


def test_sources_are_counted_apart() -> None:
    steps = [step(("heads", "ngrams"), 2), step(("fourgrams",), 1), step(("feature",), 3)]
    assert run_metrics.tokens_by_origin(steps) == (3, 2, 2)
    assert run_metrics.accepted_by_source(steps) == {"heads": 1, "feature": 1, "ngrams": 1, "fourgrams": 1}
    assert run_metrics.phrase_share(steps) == 0.5
    assert run_metrics.beta(steps) == pytest.approx(1 / 6)
    assert run_metrics.kept_at_depth(steps) == (1, 0.5, 0)

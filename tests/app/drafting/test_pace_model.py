from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.charts.chart_kinds import ChartKind
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.run_metrics import StepRecord
from quire.drafting.pace_model import MinutesLeft, PaceModel, rounded_min


def step(num_words: int, step_ms: float, num_tokens: int = 2) -> StepRecord:
    return StepRecord(num_tokens, num_words, 1, 1, 1, step_ms, 0.0, 0.0, 1.0)


def steps(count: int, step_ms: float, words_each: int = 1, words_before: int = 0) -> list[StepRecord]:
    return [step(words_before + words_each * number, step_ms) for number in range(1, count + 1)]


def drafting(*batches: list[StepRecord]) -> PaceModel:
    model = PaceModel()
    model.begin()
    tokens, seconds = 0, 0.0
    for batch in batches:
        tokens += sum(one.num_tokens for one in batch)
        seconds += sum(one.step_ms for one in batch) / 1000
        model.report(seconds, batch[-1].num_words, tokens, batch)
    return model


def test_there_is_no_pace_before_there_is_enough_to_tell() -> None:
    assert PaceModel().words_per_min is None
    model = drafting(steps(9, 100.0))
    assert model.words_per_min is None
    assert model.time_left(500) is None


def test_pace_is_words_per_minute_of_drafting() -> None:
    assert drafting(steps(300, 100.0)).words_per_min == pytest.approx(600)


def test_only_the_last_minute_counts() -> None:
    model = drafting(steps(600, 100.0), steps(600, 100.0, words_each=2, words_before=600))
    assert model.words_per_min == pytest.approx(1200)


DRAWN = st.lists(
    st.tuples(st.integers(0, 8), st.floats(0.1, 30_000), st.integers(1, 9)), min_size=1, max_size=80
)


@given(DRAWN, st.integers(1, 7))
def test_strip_and_chart_have_one_pace(drawn: list[tuple[int, float, int]], per_batch: int) -> None:
    charts, words, all_steps = RunCharts(), 0, []
    charts.begin()
    for more, step_ms, num_tokens in drawn:
        words += more
        all_steps.append(step(words, step_ms, num_tokens))
        charts.add(all_steps[-1])
    model = drafting(*(all_steps[at : at + per_batch] for at in range(0, len(all_steps), per_batch)))
    drawn_pace = charts.chart(ChartKind.PACE).series[0].y[-1]
    told = math.nan if model.words_per_min is None else model.words_per_min
    assert told == pytest.approx(drawn_pace, nan_ok=True)
    stored = PaceModel()
    stored.show_run(all_steps)
    assert (math.nan if stored.words_per_min is None else stored.words_per_min) == pytest.approx(
        drawn_pace, nan_ok=True
    )


def test_a_run_goes_on_after_a_pause_as_if_there_had_been_none() -> None:
    model = drafting(steps(200, 100.0))
    model.begin()
    model.report(20.0, 400, 800, steps(200, 100.0, words_before=200))
    assert model.words_per_min == pytest.approx(600)


def test_another_run_begins_with_no_pace() -> None:
    model = drafting(steps(200, 100.0))
    model.begin()
    model.report(0.5, 5, 10, steps(5, 100.0))
    assert model.words_per_min is None
    model.report(20.5, 405, 410, [step(5 + 2 * number, 100.0) for number in range(1, 201)])
    assert model.words_per_min == pytest.approx(60 * 405 / 20.5)


def test_a_run_whose_beginning_was_not_seen_is_measured_from_its_first_step() -> None:
    model = PaceModel()
    model.begin()
    model.report(20.0, 1_201, 2_402, steps(201, 100.0, words_before=1_000))
    assert model.words_per_min == pytest.approx(600)


def test_the_range_is_wide_while_the_run_is_young_and_narrows() -> None:
    ratios = []
    for count in (60, 1_000, 6_000):
        left = drafting(steps(count, 100.0)).time_left(3_000)
        assert left is not None
        ratios.append(left.high_min / left.low_min)
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[0] > 1.5 > 1.25 > ratios[2]


def test_time_left_grows_more_than_in_proportion() -> None:
    model = drafting(steps(3_000, 100.0))
    near, far = model.time_left(5_000), model.time_left(50_000)
    assert near is not None
    assert far is not None
    assert far.low_min > 10 * near.low_min


def test_what_passes_between_steps_is_part_of_the_time_left() -> None:
    quick = drafting(steps(3_000, 100.0)).time_left(20_000)
    model = PaceModel()
    model.begin()
    model.report(450.0, 3_000, 6_000, steps(3_000, 100.0))  # the clock says half as much again
    slow = model.time_left(20_000)
    assert quick is not None
    assert slow is not None
    assert slow.low_min == pytest.approx(1.5 * quick.low_min, rel=0.1)
    assert model.words_per_min == pytest.approx(600)


def test_the_last_minute_is_not_counted_in_minutes() -> None:
    assert drafting(steps(600, 100.0)).time_left(100) == MinutesLeft(0, 0)


def test_hours_are_rounded_to_five_minutes() -> None:
    assert [rounded_min(minutes) for minutes in (0.2, 7.4, 59.4, 61.0, 193.0)] == [1, 7, 59, 60, 195]


def test_no_words_in_a_minute_leave_the_pace_at_nothing() -> None:
    assert drafting([step(0, 100.0) for _ in range(600)]).words_per_min == 0


def test_clear_forgets_the_pace() -> None:
    model = drafting(steps(600, 100.0))
    model.clear()
    assert model.words_per_min is None
    assert model.time_left(500) is None


def test_boost_is_against_the_plain_steps_of_the_same_minute() -> None:
    plain = [replace(one, num_tokens=1, depth=0) for one in steps(16, 30.0)]
    model = drafting(plain[:15], steps(600, 40.0, words_before=15))
    assert model.boost is None
    model = drafting(plain, steps(600, 40.0, words_before=16))
    # 30 ms a token plainly; 16 x 30 + 600 x 40 ms for 1,216 tokens
    assert model.boost == pytest.approx(30 / ((16 * 30 + 600 * 40) / 1216))


def test_plain_steps_of_an_earlier_minute_tell_nothing() -> None:
    plain = [replace(one, num_tokens=1, depth=0) for one in steps(16, 30.0)]
    model = drafting(plain, steps(2_000, 40.0, words_before=16))
    assert model.boost is None


def test_without_a_step_that_drafts_ahead_there_is_no_boost_to_speak_of() -> None:
    model = drafting([replace(one, num_tokens=1, depth=0) for one in steps(100, 30.0)])
    assert model.boost == pytest.approx(1.0)


def test_tokens_at_the_goal_follow_the_run() -> None:
    model = drafting(steps(600, 40.0))
    model.look_at(1_000, 0)
    assert model.tokens_after(100) == 1_000 + 1_200 + 200

from __future__ import annotations

import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.draft_goal import (
    CHAPTER_WORDS,
    MAX_PHRASE,
    MOST_WORDS,
    DraftGoal,
    engine_goal,
    goal_of,
    going_on,
    with_goal,
)
from quire.domain.drafting.run import Run
from quire_engine.api.config import Goal, SamplingConfig
from quire_engine.api.messages import FinishReason


def run_of(**details: object) -> Run:
    return replace(Run(1, 1, SamplingConfig(), 500, "", ""), **details)  # type: ignore[arg-type]


@st.composite
def goals(draw: st.DrawFn) -> DraftGoal:
    words = draw(st.none() | st.integers(1, MOST_WORDS))
    return DraftGoal(
        words=words,
        at_heading=draw(st.booleans()) if words else True,
        minutes=draw(st.none() | st.integers(1, 600)),
        phrase=draw(st.text(max_size=MAX_PHRASE)),
        at_end=draw(st.booleans()),
        passed=draw(st.integers(0, 2**31)),
    )


@given(goals())
def test_what_is_stored_with_a_run_is_the_goal_itself(goal: DraftGoal) -> None:
    assert goal_of(with_goal({}, goal), goal.words_at_most) == goal


@given(goals(), goals())
def test_another_goal_takes_the_place_of_the_one_before_and_of_nothing_else(
    one: DraftGoal, other: DraftGoal
) -> None:
    asked = with_goal(with_goal({"preset": "Calm"}, one), other)
    assert asked == with_goal({"preset": "Calm"}, other)
    assert asked["preset"] == "Calm"


NAMES = [f"goal.{name}" for name in ("heading", "minutes", "phrase", "end", "passed", "open")]


@given(
    st.dictionaries(
        st.sampled_from(NAMES),
        st.text(string.printable + "٣½", max_size=300),
    ),
    st.integers(-5, 10**7),
)
def test_whatever_a_file_says_is_some_goal(asked: dict[str, str], words: int) -> None:
    goal = goal_of(asked, words)
    assert 1 <= goal.words_at_most <= MOST_WORDS
    engine_goal(run_of(asked=asked, goal_words=max(words, 1)))


def test_the_engine_is_told_every_way_to_end() -> None:
    goal = DraftGoal(words=2_000, at_heading=True, minutes=30, phrase="The End", at_end=True, passed=7)
    run = run_of(goal_words=2_500, asked=with_goal({}, goal))  # the words count from the run's beginning
    assert engine_goal(run) == Goal(
        words=2_500, stop_at_end=True, stop_at_heading=True, stop_phrase="The End", passed=7, minutes=30
    )


def test_a_run_of_earlier_versions_ends_after_its_words() -> None:
    assert engine_goal(run_of()) == Goal(words=500)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (DraftGoal(words=40), 40),
        (DraftGoal(at_heading=True), CHAPTER_WORDS),
        (DraftGoal(minutes=30), MOST_WORDS),
        (DraftGoal(phrase="The End"), MOST_WORDS),
    ],
)
def test_no_draft_goes_on_for_ever(goal: DraftGoal, words: int) -> None:
    assert goal.words_at_most == words


def test_a_run_that_ended_at_a_heading_goes_on_past_it() -> None:
    goal = DraftGoal(at_heading=True)
    ended = run_of(num_tokens=812, finish_reason=FinishReason.HEADING, asked=with_goal({}, goal))
    assert going_on(ended, goal).passed == 812
    resting = run_of(num_tokens=900, asked=with_goal({}, going_on(ended, goal)))
    assert going_on(resting, goal).passed == 812  # it has passed that heading once and for all
    assert going_on(None, replace(goal, passed=3)).passed == 0


@pytest.mark.parametrize(
    "details",
    [
        {},
        {"words": 0},
        {"words": MOST_WORDS + 1},
        {"minutes": 0},
        {"words": 1, "passed": -1},
        {"words": 1, "phrase": "x" * (MAX_PHRASE + 1)},
    ],
)
def test_what_is_no_goal_is_refused(details: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must|needs"):
        DraftGoal(**details)  # type: ignore[arg-type]

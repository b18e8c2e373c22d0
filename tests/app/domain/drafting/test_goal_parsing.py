from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.goal_parsing import (
    MAX_GOAL_WORDS,
    MIN_GOAL_WORDS,
    parse_draft_goal,
    parse_goal,
    parse_minutes,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("500 words", 500),
        ("500", 500),
        ("  750 w ", 750),
        ("2,000 words", 2000),
        ("2.000", 2000),
        ("2 000", 2000),
        ("2\u00a0000 Words", 2000),
        ("20'000", 20000),
        ("2k", 2000),
        ("1.5k words", 1500),
        ("1,5 K", 1500),
        (str(MAX_GOAL_WORDS), MAX_GOAL_WORDS),
        (str(MIN_GOAL_WORDS), MIN_GOAL_WORDS),
    ],
)
def test_a_goal_is_understood_as_writers_type_it(text: str, words: int) -> None:
    assert parse_goal(text) == words


@pytest.mark.parametrize(
    "text", ["", "words", "many", "0", "9", "-500", "1.50 words", "2,00", "500 pages", "1e9", "9" * 5000, "k"]
)
def test_what_is_no_goal_in_range_is_none(text: str) -> None:
    assert parse_goal(text) is None


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("30 min", 30), ("30m", 30), ("1 minute", 1), ("90 Minuten", 90), ("2 h", 120), ("1.5 hours", 90)],
)
def test_a_time_is_understood_as_writers_type_it(text: str, minutes: int) -> None:
    assert parse_minutes(text) == minutes
    assert parse_draft_goal(text) == DraftGoal(minutes=minutes)


@pytest.mark.parametrize("text", ["0 min", "25 h", "min", "3000 min", "-5 min", "1 day", "9" * 5000 + " min"])
def test_what_is_no_time_in_range_is_none(text: str) -> None:
    assert parse_minutes(text) is None
    assert parse_draft_goal(text) is None


@pytest.mark.parametrize("text", ["chapter", "End of chapter", "to the end of the chapter", "Kapitelende"])
def test_the_end_of_the_chapter_can_be_typed(text: str) -> None:
    assert parse_draft_goal(text) == DraftGoal(at_heading=True)


def test_words_are_a_goal_too() -> None:
    assert parse_draft_goal("2k") == DraftGoal(words=2_000)


@given(st.text(max_size=60))
def test_nothing_that_is_typed_breaks_it(text: str) -> None:
    goal = parse_draft_goal(text)
    assert goal is None or goal.words_at_most > 0

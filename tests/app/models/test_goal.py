from __future__ import annotations

import pytest

from quire.models.goal import MAX_GOAL_WORDS, MIN_GOAL_WORDS, parse_goal


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

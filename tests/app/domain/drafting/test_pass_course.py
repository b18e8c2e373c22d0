"""The curve of tokens per pass over a book."""

from __future__ import annotations

from quire.domain.drafting.pass_course import CoursePoint, pass_course
from quire.domain.drafting.run_metrics import StepRecord


def steps(count: int, tokens: int, first_word: int = 0) -> list[StepRecord]:
    """Steps of a word each that take 10 ms."""
    return [
        StepRecord(tokens, first_word + number + 1, 0, 0, 0, 10.0, 0.0, 0.0, 1.0) for number in range(count)
    ]


def test_a_point_for_each_thousand_words_over_all_runs() -> None:
    found = pass_course([steps(600, 1), steps(1_400, 2), steps(150, 4)])
    assert found == (
        CoursePoint(1_000, 1_400 / 1_000, 10_000 / 1_400),
        CoursePoint(2_000, 2.0, 5.0),
        CoursePoint(2_150, 4.0, 2.5),
    )


def test_a_short_end_says_nothing_and_nothing_is_nothing() -> None:
    assert pass_course([]) == ()
    assert pass_course([steps(99, 1)]) == ()
    assert len(pass_course([steps(1_050, 1)])) == 1


def test_words_that_a_run_lost_are_not_subtracted() -> None:
    found = pass_course([[*steps(700, 1), *steps(700, 1, first_word=300)]])
    assert [point.words for point in found] == [1_000, 1_399]

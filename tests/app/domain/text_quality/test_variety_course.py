"""The variety of a draft: of all of it while it is short, and the same however it arrived."""

from __future__ import annotations

import random

import pytest

from quire.domain.text_quality.text_monitor import TextWatch
from quire.domain.text_quality.variety_course import FIRST_UNITS, DistinctCourse, WholeCourse
from quire_engine.metrics.distinct_n import WINDOW, DistinctCounter, units_of
from quire_engine.metrics.word_count import count_words


def prose(seed: int, num_words: int) -> str:
    chance = random.Random(seed)
    return "".join(
        f"word{int(chance.paretovariate(0.6)) % 900}{chance.choice([' ', ', '])}" for _ in range(num_words)
    )


def test_a_draft_has_readings_from_its_first_hundred_words_on() -> None:
    before, draft = prose(1, 300), prose(2, 400)
    watch, course = TextWatch(before), DistinctCourse(len(before))
    for start in range(0, len(draft), 70):
        watch.add(draft[start : start + 70])
        course.update(watch)
    assert course.points[0].num_units == FIRST_UNITS
    for point in course.points:
        counter = DistinctCounter()
        counter.add_all(units_of(draft)[: point.num_units])
        assert point.ratios == pytest.approx(counter.reading().ratios)
    at_once = TextWatch(before + draft)
    assert DistinctCourse(len(before)).update(at_once) == course.points
    assert course.points[0].num_words > count_words(before)


def test_a_long_draft_is_measured_over_its_last_words() -> None:
    draft = prose(3, 3_000)
    points = DistinctCourse().update(TextWatch(draft))
    units = units_of(draft)
    assert points[-1].num_units == WINDOW
    ends = [
        next(n for n in range(len(units)) if count_words(" ".join(units[:n])) >= p.num_words)
        for p in points[-1:]
    ]
    counter = DistinctCounter()
    counter.add_all(units[ends[0] - WINDOW : ends[0]])
    assert points[-1].ratios == pytest.approx(counter.reading().ratios, abs=2 / WINDOW)


def test_what_was_cut_away_is_measured_no_more() -> None:
    draft = prose(4, 900)
    watch, course, whole = TextWatch(draft), DistinctCourse(), WholeCourse()
    assert len(course.update(watch)) > 20
    assert len(whole.update(watch)) > 2
    watch.cut(len(draft) // 4)
    assert list(course.update(watch)) == list(DistinctCourse().update(watch))
    assert list(whole.update(watch)) == list(WholeCourse().update(watch))

"""Distinct-n counted while a text grows equals counting it afresh, at every place and in every window."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.metrics.distinct_n import (
    MAX_ORDER,
    Distinct,
    DistinctCounter,
    DistinctSeries,
    share_inside,
    units_of,
)
from tests.engine.tiny import OPENING, few
from tests.training.corpus import read_books

TEXTS = st.lists(st.integers(0, 3), max_size=60)
PROSE = st.text(st.sampled_from("aB1_ '’.,—“é汉\n") | st.characters(), max_size=40)


def by_hand(units: Sequence[object]) -> Distinct:
    """The definition, word for word."""
    ratios: list[float | None] = []
    for order in range(1, MAX_ORDER + 1):
        ngrams = [tuple(units[start : start + order]) for start in range(len(units) - order + 1)]
        ratios.append(len(set(ngrams)) / len(ngrams) if ngrams else None)
    return Distinct(len(units), tuple(ratios))


def test_a_sentence_counted_by_a_reader() -> None:
    counter = DistinctCounter()
    counter.add_all(["the", "rain", "and", "the", "rain", "and", "the", "sea"])
    reading = counter.reading()
    assert reading.of(1) == 4 / 8
    assert reading.of(2) == 4 / 7
    assert reading.of(3) == 4 / 6
    assert reading.of(4) == 4 / 5
    assert reading.average == pytest.approx((4 / 8 + 4 / 7 + 4 / 6 + 4 / 5) / 4)


def test_a_text_that_is_too_short_has_no_reading() -> None:
    counter = DistinctCounter()
    assert counter.reading() == Distinct(0, (None,) * MAX_ORDER)
    counter.add_all("ab")
    assert counter.reading() == Distinct(2, (1.0, 1.0, None, None))
    assert counter.reading().average is None
    assert counter.reading().report()["distinct_3"] is None


@few
@given(TEXTS)
def test_a_growing_text_is_counted_as_if_afresh(units: list[int]) -> None:
    counter = DistinctCounter()
    for end, unit in enumerate(units, start=1):
        counter.add(unit)
        assert counter.reading() == by_hand(units[:end])


@few
@given(TEXTS, st.integers(1, 12))
def test_a_window_holds_the_last_units_and_nothing_else(units: list[int], window: int) -> None:
    counter = DistinctCounter(window)
    for end, unit in enumerate(units, start=1):
        counter.add(unit)
        assert counter.reading() == by_hand(units[max(0, end - window) : end])


@few
@given(TEXTS, st.integers(1, 12), st.integers(1, 7))
def test_a_series_reads_full_windows_at_every_step(units: list[int], window: int, step: int) -> None:
    series = DistinctSeries(window, step)
    for start in range(0, len(units), 5):  # whatever the pieces
        series.add_all(units[start : start + 5])
    wanted = [by_hand(units[end - window : end]) for end in range(window, len(units) + 1, step)]
    assert series.readings == wanted


def test_a_loop_is_outside_of_the_human_band_and_so_is_a_list_of_words() -> None:
    loop, words = DistinctSeries(), DistinctSeries()
    loop.add_all(units_of(OPENING) * 60)
    words.add_all(range(4000))
    assert len(loop.readings) > 3
    assert share_inside(loop.readings) == 0
    assert len(words.readings) == 9
    assert share_inside(words.readings) == 0


def test_human_novels_are_inside_of_the_human_band() -> None:
    corpus = Path(__file__).parents[4] / "shared" / "corpus"
    if not corpus.is_dir():
        pytest.skip(f"no corpus of human novels at {corpus}")
    for book in itertools.islice(read_books(corpus), 2):
        series = DistinctSeries()
        series.add_all(units_of(book.text[:400_000]))
        assert len(series.readings) > 100
        assert share_inside(series.readings) == 1, book.title


def test_the_share_inside_a_band_counts_its_ends() -> None:
    readings = [Distinct(9, (0.1, ratio, None, None)) for ratio in (0.4, 0.5, 0.6, 0.7)]
    assert share_inside(readings, (0.5, 0.6)) == 0.5
    assert share_inside([]) is None
    with pytest.raises(ValueError, match="order"):
        share_inside(readings, order=5)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        (
            "“Don’t,” said Dr. Hale—twice!",
            ["“", "don't", ",", "”", "said", "dr", ".", "hale", "—", "twice", "!"],
        ),
        ("rock 'n' roll's end'", ["rock", "n", "roll's", "end"]),
        ("* # ( )", []),
    ],
)
def test_units_are_words_and_marks(text: str, units: list[str]) -> None:
    assert units_of(text) == units


@pytest.mark.parametrize("window", [0, -1])
def test_an_empty_window_is_rejected(window: int) -> None:
    with pytest.raises(ValueError, match="window"):
        DistinctCounter(window)

"""The table of novels by length is what its passages have."""

from __future__ import annotations

import random

import pytest

from quire_engine.metrics.distinct_n import DistinctCounter, units_of
from tests.training.distinct_bands import PASSAGES_PER_BOOK, bands, passages


def book(seed: int, num_words: int) -> str:
    chance = random.Random(seed)
    return " ".join(f"word{chance.randrange(200)}" for _ in range(num_words))


def test_passages_are_spread_over_a_book_and_counted_right() -> None:
    text = book(1, 700)
    (length, ratios), *others = passages(text, (300, 5_000))
    assert (length, others) == (300, [])  # the book is shorter than the longest
    assert ratios.shape == (PASSAGES_PER_BOOK, 4)
    for row, units in ((0, units_of(text)[:300]), (-1, units_of(text)[-300:])):
        counter = DistinctCounter()
        counter.add_all(units)
        assert tuple(ratios[row]) == pytest.approx(counter.reading().ratios)


def test_a_long_book_counts_no_more_than_a_short_one() -> None:
    short, long = "one two three four " * 100, book(2, 4_000)
    low, median, high = bands((short, long), (100,))[100][0]
    assert low == pytest.approx(0.04)
    assert low < median < high

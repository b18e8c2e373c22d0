from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.ngrams import NEVER, ORDERS, NgramIndex

UNITS = st.lists(st.sampled_from("abc"), max_size=40)


def gaps_by_hand(units: list[str], order: int) -> list[int]:
    ngrams = [tuple(units[start : start + order]) for start in range(len(units) - order + 1)]
    return [
        next((back for back in range(1, place + 1) if ngrams[place - back] == ngram), NEVER)
        for place, ngram in enumerate(ngrams)
    ]


@settings(deadline=None)
@given(st.lists(UNITS, max_size=4))
def test_a_gap_is_the_way_back_to_the_same_ngram(pieces: list[list[str]]) -> None:
    index, units = NgramIndex(), list[str]()
    for piece in pieces:
        index.add_all(piece)
        units += piece
    assert len(index) == len(units)
    for order in ORDERS:
        assert list(index.gaps(order)) == gaps_by_hand(units, order)
        assert index.num_different()[order] == list(index.gaps(order)).count(NEVER)


@settings(deadline=None)
@given(UNITS, st.floats(0, 1), UNITS)
def test_what_was_cut_leaves_nothing_behind(units: list[str], at: float, more: list[str]) -> None:
    kept = int(at * len(units))
    index, fresh = NgramIndex(), NgramIndex()
    index.add_all(units)
    index.cut(kept)
    fresh.add_all(units[:kept])
    for one in (index, fresh):
        one.add_all(units[kept : kept + 3] + more)
    for order in ORDERS:
        assert index.gaps(order) == fresh.gaps(order)
    assert index.num_different() == fresh.num_different()


@settings(deadline=None)
@given(UNITS, st.integers(0, 40), st.integers(1, 40), st.sampled_from([1, 150]))
def test_repeats_are_the_places_with_a_short_way_back(
    units: list[str], first: int, reach: int, times: int
) -> None:
    index = NgramIndex()
    index.add_all(units * times)
    gaps = list(index.gaps(2))
    wanted = [place for place, gap in enumerate(gaps) if place >= first and gap <= reach]
    assert index.repeats(2, first, reach) == wanted


def test_impossible_lengths_and_cuts_are_refused() -> None:
    with pytest.raises(ValueError, match="orders must be 1 or more, got \\[0, 2\\]"):
        NgramIndex((2, 0))
    with pytest.raises(ValueError, match="cannot keep 1 of 0 units"):
        NgramIndex().cut(1)

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality import ngrams
from quire.domain.text_quality.ngrams import NEVER, ORDERS, NgramIndex

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


def last_stood(units: list[str], order: int) -> list[int]:
    """Return the gaps of all n-grams of one length, which are remembered in full."""
    last, gaps = dict[tuple[str, ...], int](), list[int]()
    for place in range(len(units) - order + 1):
        ngram = tuple(units[place : place + order])
        gaps.append(place - last[ngram] if ngram in last else NEVER)
        last[ngram] = place
    return gaps


def assert_index_knows(index: NgramIndex, units: list[str]) -> None:
    for order in ORDERS:
        wanted = last_stood(units, order)
        assert list(index.gaps(order)) == wanted
        assert index.num_different()[order] == wanted.count(NEVER)


def some_text(seed: int, num_units: int, num_words: int) -> list[str]:
    """Return words as often as words are, and now and then a passage that stood before."""
    chance = random.Random(seed)
    units: list[str] = []
    while len(units) < num_units:
        if units and chance.random() < 0.05:
            start = chance.randrange(len(units))
            units += units[start : start + chance.randrange(90)] * chance.choice([1, 1, 3])
        units += [str(int(chance.paretovariate(0.6)) % num_words) for _ in range(chance.randrange(40))]
    return units[:num_units]


@settings(deadline=None, max_examples=12)
@given(
    st.integers(0, 9_999),
    st.sampled_from([2, 40, 3_000]),
    st.lists(st.sampled_from([0, 1, 3, 255, 256, 700, 1_500]), min_size=1, max_size=5),
    st.lists(st.one_of(st.integers(0, 7), st.floats(0, 1)), min_size=1, max_size=5),
)
def test_a_text_is_the_same_taken_at_once_word_by_word_and_edited(
    seed: int, num_words: int, lengths: list[int], cuts: list[float]
) -> None:
    text = some_text(seed, sum(lengths), num_words)
    index, kept = NgramIndex(), 0
    places = [sum(lengths[:number]) for number in range(len(lengths) + 1)]
    units: list[str] = []
    for (start, end), cut in zip(pairwise(places), cuts * len(lengths), strict=False):
        index.add_all(text[start:end])
        units += text[start:end]
        kept = max(len(units) - cut, 0) if isinstance(cut, int) else int(cut * len(units))
        index.cut(kept)
        del units[kept:]
    assert_index_knows(index, units)


def test_a_text_that_grows_word_by_word_is_known_however_long_it_is() -> None:
    text, index = some_text(1, 6_000, 900), NgramIndex()
    for unit in text:
        index.add_all([unit])
    assert_index_knows(index, text)
    assert max(index.num_different().values()) > 4_000


@pytest.mark.parametrize("num_at_once", [1, 700])
def test_ngrams_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch, num_at_once: int) -> None:
    monkeypatch.setattr(ngrams, "_FACTOR", 0)  # every hash is 0 then
    text, index = some_text(2, 700, 30), NgramIndex()
    for start in range(0, len(text), num_at_once):
        index.add_all(text[start : start + num_at_once])
    index.cut(690)
    index.add_all(text[690:])
    assert_index_knows(index, text)


def test_a_long_text_takes_little_room() -> None:
    index = NgramIndex()
    index.add_all(some_text(3, 30_000, 9_000))
    kept = sum(len(order.gaps) + len(order.slots) for order in index._orders.values())
    assert kept * 4 < 30_000 * 100  # it was four times that with a dictionary for each length


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

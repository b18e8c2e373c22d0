"""The table of counts: equal to a slow exact one, however its texts came in, before and after folding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.drafting import ngram_table
from quire_engine.drafting.ngram_table import NgramTable, digest_of
from tests.engine.tiny import few

Counts = dict[tuple[int, ...], dict[int, int]]
text = st.lists(st.integers(0, 5), max_size=50)


@pytest.fixture(autouse=True)
def small_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the newest tokens join the arrays every 16 tokens, so that short texts cross that boundary."""
    monkeypatch.setattr(ngram_table, "_FOLD", 16)


def count_slowly(texts: Sequence[Sequence[int]], stream: Sequence[int], weight: int, longest: int) -> Counts:
    """Count by definition: dictionaries, one token after the other."""
    counts: Counts = {}
    for tokens, times in [*((t, 1) for t in texts), (stream, weight)]:
        for place, token in enumerate(tokens):
            for length in range(1, min(longest, place) + 1):
                followers = counts.setdefault(tuple(tokens[place - length : place]), {})
                followers[token] = followers.get(token, 0) + times
    return counts


def expected(counts: Counts, context: Sequence[int]) -> list[dict[int, int]]:
    """Return the followers of ever longer endings of a context, until one was never met."""
    found = []
    for length in range(1, len(context) + 1):
        if tuple(context[-length:]) not in counts:
            break
        found.append(counts[tuple(context[-length:])])
    return found


def filled(
    texts: Sequence[Sequence[int]], stream: Sequence[int], *, longest: int = 5, own: int = 2
) -> NgramTable:
    table = NgramTable(longest, own)
    for tokens in texts:
        table.learn(tokens)
    table.observe(stream)
    return table


@given(
    st.lists(text, max_size=3, unique_by=tuple),
    text,
    st.integers(1, 5),
    st.integers(1, 4),
    st.lists(st.integers(0, 5), min_size=1, max_size=5),
)
@few
def test_followers_are_those_of_a_slow_exact_count(
    texts: list[list[int]], stream: list[int], longest: int, own: int, context: list[int]
) -> None:
    table = filled(texts, stream, longest=longest, own=own)
    counts = count_slowly(texts, stream, own, longest)
    for asked in (context, stream[-5:], *(t[:3] for t in texts)):
        if asked:
            found = table.followers(asked)
            assert [f.counts for f in found] == expected(counts, asked[-longest:])
            assert [f.total for f in found] == [sum(f.counts.values()) for f in found]
            assert [f.distinct for f in found] == [len(f.counts) for f in found]


@given(st.lists(text, max_size=2), st.lists(st.lists(st.integers(0, 5), max_size=30), max_size=6))
@few
def test_a_stream_in_pieces_is_the_same_stream(texts: list[list[int]], pieces: list[list[int]]) -> None:
    stream = [token for piece in pieces for token in piece]
    in_pieces = filled(texts, [])
    for piece in pieces:
        in_pieces.observe(piece)
    one_by_one = filled(texts, [])
    for token in stream:
        one_by_one.observe([token])
    at_once = filled(texts, stream)
    assert in_pieces.recent == one_by_one.recent == at_once.recent == tuple(stream[-5:])
    for end in range(1, len(stream) + 1, 7):
        context = stream[max(0, end - 5) : end]
        assert (
            in_pieces.mix(context, (4.0,)) == at_once.mix(context, (4.0,)) == one_by_one.mix(context, (4.0,))
        )


@given(text, text, st.lists(st.integers(0, 5), min_size=1, max_size=5))
@few
def test_shares_and_the_rest_make_up_one(one: list[int], stream: list[int], context: list[int]) -> None:
    mixed, rest = filled([one], stream).mix(context, (4.0,))
    assert sum(mixed.values()) + rest == pytest.approx(1.0)
    assert all(share > 0 for share in mixed.values())


def test_the_mixture_is_witten_and_bells_with_the_caution_of_the_caller() -> None:
    table = filled([], [1, 2, 1, 2, 1, 3], own=1)
    mixed, rest = table.mix([1], (1.0,))
    assert mixed == pytest.approx({2: 2 / 5, 3: 1 / 5})
    assert rest == pytest.approx(2 / 5)
    more_careful, left = table.mix([1], (4.0,))
    assert more_careful[2] == pytest.approx(2 / 11)
    assert left == pytest.approx(8 / 11)


def test_caution_is_by_length_of_the_context() -> None:
    table = filled([], [1, 2, 3], own=1)
    mixed, rest = table.mix([1, 2], (7.0, 3.0))
    # a quarter after both tokens, then an eighth of what is left
    assert mixed == pytest.approx({3: 1 / 4 + 3 / 4 / 8})
    assert rest == pytest.approx(3 / 4 * 7 / 8)


def test_no_ngram_crosses_from_one_text_into_another() -> None:
    table = filled([[1, 2], [3, 4]], [5, 6])
    assert table.followers([2]) == []
    assert table.followers([4]) == []
    assert table.followers([1])[0].counts == {2: 1}


def test_the_streams_own_words_weigh_more() -> None:
    table = filled([[1, 2], [1, 2, 7]], [1, 3], own=3)
    assert table.followers([1])[0].counts == {2: 2, 3: 3}


def test_a_text_is_learned_once() -> None:
    table = NgramTable()
    assert table.learn([1, 2, 3])
    assert not table.learn(np.array([1, 2, 3]))
    assert not table.learn([])
    assert table.followers([1])[0].counts == {2: 1}
    assert len(table.texts) == 1


def test_of_very_many_followers_the_most_frequent_are_looked_at() -> None:
    often = [token for token in range(100, 110) for _ in range(3)]
    table = NgramTable()
    table.learn([token for follower in (*range(1, 99), *often) for token in (0, follower)])
    found = table.followers([0])[0]
    assert (found.total, found.distinct) == (98 + 30, 108)
    assert len(found.counts) == 32
    assert {follower for follower, count in found.counts.items() if count == 3} == set(range(100, 110))


def test_half_a_million_tokens_fit() -> None:
    tokens = np.random.default_rng(5).zipf(1.3, 500_000) % 8192
    table = NgramTable()
    table.learn(tokens)
    assert table.num_bytes < 60e6
    context = tokens[1000:1005].tolist()
    assert table.followers(context)[-1].counts[int(tokens[1005])] >= 1


def test_digests_tell_texts_apart() -> None:
    assert digest_of(np.array([1, 2])) == digest_of(np.array([1, 2], dtype=np.int32))
    assert digest_of(np.array([1, 2])) != digest_of(np.array([2, 1]))


@pytest.mark.parametrize("wrong", [[-1], [1 << 20], [3, 1 << 40]])
def test_ids_that_no_vocabulary_has_are_rejected(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match="token ids"):
        NgramTable().learn(wrong)
    with pytest.raises(ValueError, match="token ids"):
        NgramTable().observe(wrong)


def test_nonsensical_settings_are_rejected() -> None:
    with pytest.raises(ValueError, match="max_context"):
        NgramTable(0)
    with pytest.raises(ValueError, match="own_weight"):
        NgramTable(own_weight=0)

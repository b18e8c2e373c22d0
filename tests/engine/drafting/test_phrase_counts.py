"""Counts of one text as they are stored: nothing is lost or invented, and damaged bytes are refused."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.drafting.ngram_table import NgramTable
from quire_engine.drafting.phrase_counts import PhraseCounts, counted, unpacked
from tests.engine.tiny import few

text = st.lists(st.integers(0, 5), max_size=60)


def counts_of(tokens: Sequence[int], max_context: int = 5) -> PhraseCounts:
    return counted(np.array(tokens, dtype=np.int64), max_context)


def entries(counts: PhraseCounts) -> list[dict[int, int]]:
    return [dict(zip(keys.tolist(), found.tolist(), strict=True)) for keys, found in counts.orders]


@given(text, st.integers(1, 5), st.integers(1, 3))
@few
def test_what_is_stored_is_what_was_counted(tokens: list[int], longest: int, least: int) -> None:
    counts = counts_of(tokens, longest)
    kept = counts.frequent(least)
    found = unpacked(kept.packed(), longest)
    assert found.num_tokens == len(tokens)
    assert entries(found) == [
        {key: count for key, count in order.items() if count >= least} for order in entries(counts)
    ]


@given(st.lists(text, max_size=3, unique_by=tuple), text)
@few
def test_a_table_of_counts_is_the_table_of_the_texts(texts: list[list[int]], stream: list[int]) -> None:
    learned, merged = NgramTable(), NgramTable()
    for tokens in texts:
        learned.learn(tokens)
        merged.learn_counts(counts_of(tokens))
    for table in (learned, merged):
        table.observe(stream)
    for tokens in (*texts, stream):
        assert merged.followers(tokens[:4]) == learned.followers(tokens[:4])


def test_damaged_bytes_are_refused_or_are_counts_in_order() -> None:
    chance = random.Random(8)
    whole = counts_of([chance.randrange(40) for _ in range(3000)]).frequent().packed()
    refused = 0
    for _ in range(300):
        damaged = bytearray(whole)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        else:
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        try:
            found = unpacked(bytes(damaged), 5)
        except ValueError:
            refused += 1
            continue
        table = NgramTable()
        table.learn_counts(found)
        mixed, rest = table.mix([1, 2, 3], (4.0,))
        assert sum(mixed.values()) + rest == pytest.approx(1.0)
    assert refused > 100


def test_counts_of_other_context_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="another kind"):
        unpacked(counts_of([1, 2, 1, 2], 4).packed(), 5)


def test_bytes_of_earlier_versions_can_still_be_read() -> None:
    """Where this fails, nothing finds the keys of stored tables: change the first four bytes, too."""
    packed = counts_of([number * number % 97 for number in range(400)]).frequent().packed()
    assert packed[:4] == b"QNG1"
    assert hashlib.sha256(packed).hexdigest()[:16] == "9389bff2833eb38c"

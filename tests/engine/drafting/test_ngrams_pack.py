"""A packed table comes back as it was, goes on where it stopped, and is never believed when it is damaged."""

from __future__ import annotations

import hashlib
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.drafting.ngram_pack import pack, unpack
from quire_engine.drafting.ngram_table import NgramTable
from tests.engine.tiny import few

VOCAB = 100
text = st.lists(st.integers(0, 6), max_size=60)


def filled(texts: list[list[int]], stream: list[int]) -> NgramTable:
    table = NgramTable(4, 3)
    for tokens in texts:
        table.learn(tokens)
    table.observe(stream)
    return table


def reseal(data: bytes, body: bytes) -> bytes:
    """Return a file with another body and a checksum that is right."""
    packed = zlib.compress(body)
    return data[: data.index(b"\n") + 1] + hashlib.sha256(packed).digest() + packed


def body_of(data: bytes) -> bytes:
    return zlib.decompress(data[data.index(b"\n") + 1 + 32 :])


@given(st.lists(text, max_size=3), text, st.lists(st.integers(0, 6), min_size=1, max_size=4))
@few
def test_a_round_trip_predicts_the_same(
    texts: list[list[int]], stream: list[int], context: list[int]
) -> None:
    table = filled(texts, stream)
    again = unpack(pack(table, "tok"), "tok", VOCAB)
    assert again is not None
    assert again.mix(context, (4.0,)) == table.mix(context, (4.0,))
    assert again.followers(context) == table.followers(context)
    assert (again.recent, again.num_stream) == (table.recent, table.num_stream)
    assert (again.max_context, again.own_weight) == (4, 3)
    assert pack(again, "tok") == pack(table, "tok")


@given(st.lists(text, max_size=2), text, text)
@few
def test_a_table_resumed_from_its_watermark_is_one_learned_at_once(
    texts: list[list[int]], before: list[int], after: list[int]
) -> None:
    stream = before + after
    resumed = unpack(pack(filled(texts, before), "tok"), "tok", VOCAB, stream)
    assert resumed is not None
    resumed.observe(stream[resumed.num_stream :])
    whole = filled(texts, stream)
    for end in range(1, len(stream) + 1):
        assert resumed.mix(stream[:end][-4:], (4.0,)) == whole.mix(stream[:end][-4:], (4.0,))


def test_another_stream_makes_the_old_one_a_text() -> None:
    again = unpack(pack(filled([], [1, 2, 3]), "tok"), "tok", VOCAB, [1, 2, 4])
    assert again is not None
    assert again.num_stream == 0
    assert [t.tolist() for t in again.texts] == [[1, 2, 3]]


def test_ids_of_large_vocabularies_survive() -> None:
    again = unpack(pack(filled([[70_000, 1]], []), "tok"), "tok", 128_000)
    assert again is not None
    assert again.followers([70_000])[0].counts == {1: 1}


def test_another_tokenizer_or_a_smaller_vocabulary_means_learning_again() -> None:
    data = pack(filled([[1, 2, 90]], []), "tok")
    assert unpack(data, "other", VOCAB) is None
    assert unpack(data, "tok", 90) is None


@given(st.data())
@few
def test_damage_is_noticed(data: st.DataObject) -> None:
    packed = bytearray(pack(filled([[1, 2, 3] * 20], [4, 5, 6] * 20), "tok"))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    assert unpack(bytes(packed), "tok", VOCAB) is None
    assert unpack(bytes(packed[:place]), "tok", VOCAB) is None


@pytest.mark.parametrize(
    "body", [b"", b"{}\n", b"[]\n", b"null\n", b"\xff\n", b'{"bytes_per_token": 2}\n123']
)
def test_a_sealed_file_that_makes_no_sense_is_refused(body: bytes) -> None:
    assert unpack(reseal(pack(filled([], [1, 2]), "tok"), body), "tok", VOCAB) is None


def test_a_sealed_file_with_wrong_lengths_is_refused() -> None:
    data = pack(filled([], [1, 2]), "tok")
    for lengths in (b"[3]", b"[-1, 3]", b"[]", b"2", b'["x"]'):
        body = body_of(data).replace(b'"lengths": [2]', b'"lengths": ' + lengths)
        assert unpack(reseal(data, body), "tok", VOCAB) is None

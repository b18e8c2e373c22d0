from __future__ import annotations

import pytest

from quire.storage.codec import NO_DIGEST, chained, crc_of, packed, unpacked


def test_ids_come_back() -> None:
    ids = (0, 1, 255, 70_000, 2**32 - 1)
    assert packed(ids).hex().startswith("0000000001000000")
    assert unpacked(packed(ids)) == ids
    assert unpacked(b"") == ()


def test_a_blob_that_is_not_whole_is_refused() -> None:
    with pytest.raises(ValueError, match="has 3 bytes"):
        unpacked(b"abc")


def test_the_digest_sees_every_field_and_every_predecessor() -> None:
    digests = {
        chained(previous, packed(ids), text, words)
        for previous in (NO_DIGEST, "x")
        for ids in ((1,), (1, 2))
        for text in (b"a", b"b")
        for words in (1, 2)
    }
    assert len(digests) == 16


def test_the_crc_sees_ids_and_text() -> None:
    assert len({crc_of(packed((1,)), b"a"), crc_of(packed((2,)), b"a"), crc_of(packed((1,)), b"b")}) == 3

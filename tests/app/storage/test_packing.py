from __future__ import annotations

import contextlib
import math
import random
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.provenance import Origin, Provenance, Span
from quire.storage.packing import (
    packed_bytes,
    packed_ids,
    packed_spans,
    packed_steps,
    packed_text,
    unpacked_bytes,
    unpacked_ids,
    unpacked_spans,
    unpacked_steps,
    unpacked_text,
)
from quire_engine.api.config import OTHER, SOURCES, Source

COUNTS = st.integers(0, 70_000) | st.integers(0, 5)
TIMES = st.floats(0, 1e5)
MARGINS = st.floats(0, 70_000) | st.just(math.inf)
STEPS = st.builds(
    StepRecord,
    COUNTS,
    COUNTS,
    COUNTS,
    COUNTS,
    COUNTS,
    TIMES,
    TIMES,
    TIMES,
    MARGINS,
    st.lists(st.sampled_from((*SOURCES, OTHER)), max_size=6).map(tuple),
    st.lists(st.integers(0, 300), max_size=6).map(tuple),
)
SPANS = st.builds(Span, st.integers(1, 2**31), st.sampled_from([Origin.WRITTEN, Origin.PASTED])) | st.builds(
    Span,
    st.integers(1, 300),
    st.sampled_from([Origin.DRAFTED, Origin.EDITED]),
    st.integers(1, 2**31),
)
UNPACKERS: list[Callable[[bytes], object]] = [
    unpacked_bytes,
    unpacked_ids,
    unpacked_spans,
    unpacked_steps,
    unpacked_text,
]
STEP = StepRecord(3, 40, 4, 9, 2, 30.5, 4.25, 20.0, 0.5, ("heads", "ngrams"))


@given(st.binary(max_size=300))
def test_bytes_come_back_and_never_grow_by_more_than_a_byte(data: bytes) -> None:
    assert unpacked_bytes(packed_bytes(data)) == data
    assert len(packed_bytes(data)) <= len(data) + 1


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_texts_come_back(text: str) -> None:
    assert unpacked_text(packed_text(text)) == text


@given(st.lists(st.integers(0, 2**16 - 1) | st.integers(0, 2**32 - 1), max_size=100))
def test_ids_come_back(ids: list[int]) -> None:
    assert unpacked_ids(packed_ids(ids)) == tuple(ids)


def test_small_ids_take_two_bytes_and_large_ones_four() -> None:
    assert len(packed_ids((1, 2**16 - 1))) == 2 + 4
    assert len(packed_ids((1, 2**16))) == 2 + 8
    with pytest.raises(ValueError, match="token ids are from 0"):
        packed_ids((-1,))
    with pytest.raises(ValueError, match="token ids are from 0"):
        packed_ids((2**32,))


@given(st.lists(SPANS, max_size=20))
def test_spans_come_back(spans: list[Span]) -> None:
    provenance = Provenance(tuple(spans))
    if all(span.length < 2**32 for span in provenance.spans):
        assert unpacked_spans(packed_spans(provenance)) == provenance


@given(st.lists(STEPS, max_size=20))
def test_counts_and_sources_come_back_exactly_and_times_to_a_hundredth(steps: list[StepRecord]) -> None:
    found = unpacked_steps(packed_steps(steps))
    assert len(found) == len(steps)
    for there, here in zip(found, steps, strict=True):
        assert counts_of(there) == counts_of(here)
        for now, then in zip(measures_of(there), measures_of(here), strict=True):
            assert now == pytest.approx(then, abs=0.0051, rel=0)
        assert there.margin == pytest.approx(min(here.margin, 65_504), rel=2**-11, abs=2**-24) or (
            there.margin == here.margin == math.inf
        )
    assert packed_steps(found) == packed_steps(steps)


def counts_of(step: StepRecord) -> tuple[object, ...]:
    counts = (step.num_tokens, step.num_words, step.depth, step.num_drafted, step.num_accepted)
    return *counts, step.sources, step.token_chars


def measures_of(step: StepRecord) -> tuple[float, ...]:
    return step.step_ms, step.draft_ms, step.verify_ms


def test_what_is_too_large_is_clipped_and_never_wraps_around() -> None:
    (found,) = unpacked_steps(packed_steps([StepRecord(1, 1, 0, 0, 0, 1e12, -1.0, math.inf, 1e9)]))
    assert measures_of(found) == (21_474_836.47, 0, 21_474_836.47)
    assert found.margin == 65_504
    with pytest.raises(ValueError, match="too large for the project file"):
        packed_steps([StepRecord(2**32, 1, 0, 0, 0, 1.0, 0.0, 0.0, 0.0)])


def test_a_step_takes_few_bytes() -> None:
    plain = [
        StepRecord(3, 3 * number, 4, 9, 2, 30 + number % 7, 4.0, 20.0, 0.5, ("heads", "ngrams"))
        for number in range(1000)
    ]
    assert len(packed_steps(plain)) < 4000
    chance = random.Random(5)
    whole = [replace(step, token_chars=tuple(chance.choices(range(1, 8), k=3))) for step in plain]
    assert len(packed_steps(whole)) < len(packed_steps(plain)) + 1500


def test_steps_of_versions_without_lengths_of_tokens_are_read() -> None:
    blob = b"T\0b\x01\x008b\x02b\x010b\x01\x04b\x04b\tb(0h\xea\x0bh\xa9\x01h\xd0\x07"
    assert unpacked_steps(blob) == (STEP,)


@pytest.mark.parametrize("unpack", UNPACKERS)
@pytest.mark.parametrize("packed", [b"", b"\7", b"\1", b"\1no", b"T\1no", b"S\7", b"H\1no", b"H\0abc"])
def test_what_was_never_packed_is_refused(unpack: Callable[[bytes], object], packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpack(packed)


@given(st.data(), st.lists(STEPS, min_size=1, max_size=5))
def test_a_damaged_record_of_steps_is_refused_or_has_other_numbers(
    data: st.DataObject, steps: list[StepRecord]
) -> None:
    """Where the damage leaves a record of steps whole, only the row's checksum can tell."""
    plain = unpacked_bytes(packed_steps(steps)[1:])
    place = data.draw(st.integers(0, len(plain) - 1))
    damaged = plain[:place] + bytes([data.draw(st.integers(0, 255))]) + plain[place + 1 :]
    for blob in (b"T\0" + damaged, b"T\0" + plain[:place], b"T\0" + damaged + b"\0"):
        try:
            found = unpacked_steps(blob)
        except ValueError:
            continue
        assert len(found) <= len(blob)
    with pytest.raises(ValueError, match=r"cut off|left over|unknown|zeros"):
        unpacked_steps(b"U\0" + plain[:place])


@given(st.binary(max_size=60))
def test_noise_is_refused_or_read(noise: bytes) -> None:
    with contextlib.suppress(ValueError):
        assert len(unpacked_steps(b"U\0" + noise)) <= len(noise)
    with contextlib.suppress(ValueError):
        assert len(unpacked_spans(b"S\0" + noise).spans) <= len(noise)


def test_compressed_bytes_that_are_cut_off_or_too_many_are_refused() -> None:
    packed = packed_bytes(b"a" * 10_000)
    assert len(packed) < 100
    assert unpacked_bytes(packed, 10_000) == b"a" * 10_000
    for damaged in (packed[:-3], packed + b"x"):
        with pytest.raises(ValueError, match="not whole"):
            unpacked_bytes(damaged)
    for most in (0, 100, 9_999):
        with pytest.raises(ValueError, match=f"more than {most}"):
            unpacked_bytes(packed, most)
    with pytest.raises(ValueError, match="more than 2"):
        unpacked_bytes(packed_bytes(b"abc"), 2)


@pytest.mark.parametrize("count", [1000, 2**31, 2**32 - 1])
def test_what_claims_to_be_long_is_refused_before_it_takes_memory(count: int) -> None:
    number = struct.pack("<I", count)
    claim = b"I" + number + b"0" * 30
    for form, unpack in ((b"U", unpacked_steps), (b"S", unpacked_spans)):
        with pytest.raises(ValueError, match=r"cut off|zeros"):
            unpack(form + b"\0" + claim)
        with pytest.raises(ValueError, match=r"cut off|zeros"):
            unpack(form + b"\1" + zlib.compress(claim))


@pytest.mark.parametrize("number", [len(SOURCES) + 1, 127])
def test_a_source_of_a_newer_version_is_read_as_other_and_stays_so(number: int) -> None:
    plain = unpacked_bytes(packed_steps([STEP])[1:])
    sources = plain.index(b"b\1\4") + 1
    (step,) = unpacked_steps(b"U\0" + plain[:sources] + bytes([number]) + plain[sources + 1 :])
    assert step == replace(STEP, sources=(OTHER, "ngrams"))
    assert unpacked_steps(packed_steps([step])) == (step,)


def test_the_numbers_of_sources_are_those_of_the_projects_that_exist() -> None:
    known: tuple[Source, ...] = ("heads", "partial", "feature", "ngrams", "fourgrams")
    plain = unpacked_bytes(packed_steps([replace(STEP, sources=known)])[1:])
    assert b"b\1\2\3\4\5" in plain


def test_an_impossible_source_or_an_unknown_origin_is_refused() -> None:
    plain = unpacked_bytes(packed_steps([STEP])[1:])
    sources = plain.index(b"b\1\4") + 1
    for number in (0, 255):  # the column is signed
        with pytest.raises(ValueError, match="unknown source"):
            unpacked_steps(b"U\0" + plain[:sources] + bytes([number]) + plain[sources + 1 :])
    spans = unpacked_bytes(packed_spans(Provenance.of(3, Origin.PASTED))[1:])
    with pytest.raises(ValueError, match="unknown origin"):
        unpacked_spans(b"S\0" + spans.replace(b"b\3b\3", b"b\3b\5"))

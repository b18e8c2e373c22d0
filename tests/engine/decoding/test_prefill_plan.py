"""Plans of reading: what they say, and what of a held text another reading may use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import PREFILL_CHUNK
from quire_engine.decoding.prefill_plan import (
    MAX_COUNTS,
    CachedText,
    Ids,
    PrefillSegment,
    is_plan,
    num_reusable,
    plan_of,
    plan_reusing,
    prefill_segments,
)
from tests.engine.tiny import few


def ids_of(count: int, *, different_from: int | None = None) -> Ids:
    ids = np.arange(count, dtype=np.int64)
    if different_from is not None:
        ids[different_from:] += 1_000_000
    return ids


def cached(
    counts: tuple[int, ...], num_prompt: int, num_read: int, *, rows_repeat: bool = True
) -> CachedText:
    return CachedText(ids_of(num_read), prefill_segments(counts, num_prompt, num_read), rows_repeat)


@st.composite
def plans(draw: st.DrawFn) -> tuple[tuple[int, ...], int]:
    """Return counts and the length of the prompt that they describe."""
    counts = tuple(draw(st.lists(st.integers(0, 1200), max_size=6)))
    return counts, (sum(counts) if counts else draw(st.integers(0, 2000))) + 1


def test_a_prompt_is_read_in_chunks_and_what_follows_by_decode_passes() -> None:
    assert prefill_segments((), 601, 650) == (
        PrefillSegment(0, 512, decoded=False),
        PrefillSegment(512, 600, decoded=False),
        PrefillSegment(600, 650, decoded=True),
    )


def test_chunks_behind_decoded_tokens_end_where_chunks_always_end() -> None:
    assert prefill_segments((100, 50, 500), 651, 700) == (
        PrefillSegment(0, 100, decoded=False),
        PrefillSegment(100, 150, decoded=True),
        PrefillSegment(150, 512, decoded=False),
        PrefillSegment(512, 650, decoded=False),
        PrefillSegment(650, 700, decoded=True),
    )


@pytest.mark.parametrize("counts", [(-1, 101), (99,), (100, 1), (100, True), (1,) * 100, (100.0,)])
def test_what_is_no_plan_of_a_prompt_is_rejected(counts: tuple[int, ...]) -> None:
    assert not is_plan(counts, 101)
    with pytest.raises(ValueError, match="add up to 100"):
        prefill_segments(counts, 101, 120)


@few
@given(plans(), st.integers(0, 700))
def test_pieces_cover_a_stream_and_their_plan_reads_it_the_same_way(
    plan: tuple[tuple[int, ...], int], num_generated: int
) -> None:
    counts, num_prompt = plan
    num_read = num_prompt - 1 + num_generated
    segments = prefill_segments(counts, num_prompt, num_read)
    assert [segment.start for segment in segments] == [0, *[segment.end for segment in segments]][
        : len(segments)
    ]
    assert (segments[-1].end if segments else 0) == num_read
    for segment in segments:
        assert segment.start < segment.end
        assert segment.decoded or segment.end <= (segment.start // PREFILL_CHUNK + 1) * PREFILL_CHUNK
    prompt_part = prefill_segments(counts, num_prompt, num_prompt - 1)
    again = plan_of(prompt_part)
    assert prefill_segments(again, num_prompt, num_prompt - 1) == prompt_part
    assert prefill_segments(again, num_prompt, num_read) == segments


def test_a_text_read_as_usual_needs_no_plan() -> None:
    assert plan_of(prefill_segments((), 1500, 1499)) == ()


@few
@given(plans(), st.integers(0, 300), st.data())
def test_what_a_new_run_inherits_is_read_by_its_plan_just_as_it_was(
    plan: tuple[tuple[int, ...], int], num_generated: int, data: st.DataObject
) -> None:
    counts, num_prompt = plan
    num_read = num_prompt - 1 + num_generated
    text = cached(counts, num_prompt, num_read)
    edited = data.draw(st.integers(0, num_read))
    ids = ids_of(data.draw(st.integers(1, num_read + 900)), different_from=edited)
    new_counts, num_reused = plan_reusing(text, ids)
    assert is_plan(new_counts, len(ids))
    assert num_reused <= min(edited, len(ids) - 1)
    segments = prefill_segments(new_counts, len(ids), len(ids) - 1)
    assert num_reusable(text, ids, segments) >= num_reused
    was_decoded = any(segment.decoded and segment.start <= edited <= segment.end for segment in text.segments)
    if was_decoded and len(ids) > edited:
        assert num_reused == edited  # not one token that is still the same is read again


def test_a_chunk_that_was_changed_is_read_whole() -> None:
    text = cached((), 1100, 1150)
    assert plan_reusing(text, ids_of(1200, different_from=700)) == ((), 512)
    assert plan_reusing(text, ids_of(1300, different_from=1120)) == ((1099, 21, 179), 1120)
    assert plan_reusing(text, ids_of(1121, different_from=1120)) == ((1099, 21), 1120)


def test_where_rows_do_not_repeat_only_whole_chunks_are_used_again() -> None:
    text = cached((), 1100, 1150, rows_repeat=False)
    assert plan_reusing(text, ids_of(1300, different_from=1120)) == ((), 1024)
    ids = ids_of(1140)
    assert num_reusable(text, ids, prefill_segments((), 1100, 1139)) == 1099


def test_a_chunk_is_not_used_where_it_would_be_longer() -> None:
    text = cached((), 601, 600)
    ids = ids_of(700)
    assert num_reusable(text, ids, prefill_segments((), 701, 700)) == 512
    assert num_reusable(text, ids, prefill_segments((600, 0, 100), 701, 700)) == 600
    assert plan_reusing(text, ids_of(701)) == ((600, 0, 100), 600)


def test_decoded_tokens_are_not_used_where_they_would_be_read_in_chunks() -> None:
    text = cached((), 101, 200)
    assert num_reusable(text, ids_of(300), prefill_segments((), 301, 300)) == 0
    assert num_reusable(text, ids_of(300), prefill_segments((100, 60, 140), 301, 300)) == 160
    assert (
        num_reusable(text, ids_of(300, different_from=130), prefill_segments((100, 60, 140), 301, 300)) == 130
    )


def test_a_plan_that_would_grow_too_long_begins_again() -> None:
    counts = (10,) * (MAX_COUNTS - 1)
    text = cached(counts, 10 * (MAX_COUNTS - 1) + 1, 10 * (MAX_COUNTS - 1) + 20)
    assert plan_reusing(text, ids_of(700)) == ((), 0)
    assert plan_reusing(text, ids_of(700, different_from=100))[1] == 100


def test_where_all_reading_is_alike_everything_is_reused_and_there_is_no_plan() -> None:
    ids = np.arange(900)
    cached = CachedText(ids[:700], prefill_segments((), 600, 700), rows_repeat=True, reads_alike=True)
    edited = np.concatenate([ids[:650], ids[:100]])
    assert plan_reusing(cached, edited) == ((), 650)
    assert plan_reusing(cached, ids[:650]) == ((), 649)
    assert num_reusable(cached, ids, prefill_segments((), 300, 899)) == 700

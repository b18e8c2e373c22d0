"""Prefill plans: which tokens were read in large chunks and which by decode passes.

The two round differently, so a resume must repeat the plan. A prompt is read in chunks, and generated tokens
by decode passes. When a new run starts on an edited text and the KV cache still has its front, that front
stays as it was computed, and the new run's plan says so: counts of tokens read in chunks, by decode passes,
in chunks, and so on, for all of the prompt but its last token (the root of the first decode pass); () means
all in chunks. Chunks end at absolute multiples of PREFILL_CHUNK. A chunk's rows depend on its whole shape,
and rows of a padded decode pass on nothing after them: so chunks are reused whole and decoded tokens one by
one. Integer passes leave the same bits however a token is read; then everything is reused and the plan is ().
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import PREFILL_CHUNK

MAX_COUNTS = 32
"""Most entries of a plan; a text that was edited more often is read from the start, and its plan is () again.
"""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PrefillSegment:
    """Tokens [start, end) of a stream that are read alike: one chunk, or a stretch of decode passes."""

    start: int
    end: int
    decoded: bool


@dataclass(frozen=True, slots=True)
class CachedText:
    """The text of a KV cache: ids[:length], read as `segments` say, which may reach further than the ids.

    Attributes:
        ids: the cached tokens.
        segments: how they were read, in order.
        rows_repeat: a token gets the same bits in every decode pass (ModelLoaded.reproducible).
        reads_alike: and in chunks as well.
    """

    ids: Ids
    segments: tuple[PrefillSegment, ...]
    rows_repeat: bool
    reads_alike: bool = False


def is_plan(counts: Sequence[int], num_prompt: int) -> bool:
    """Say whether these counts are a plan for a prompt of `num_prompt` tokens."""
    fits = all(type(count) is int and count >= 0 for count in counts) and len(counts) <= MAX_COUNTS
    return fits and (not counts or sum(counts) == num_prompt - 1)


def prefill_segments(counts: Sequence[int], num_prompt: int, num_read: int) -> tuple[PrefillSegment, ...]:
    """Return how the first `num_read` tokens of a stream are read, none of them out of the context.

    Adjacent stretches of decode passes are merged. Raises ValueError when the counts do not match the prompt.
    """
    if not is_plan(counts, num_prompt):
        raise ValueError(f"counts must add up to {num_prompt - 1}, got {tuple(counts)}")
    segments: list[PrefillSegment] = []
    done = 0
    for place, count in enumerate(counts or (num_prompt - 1,)):
        _extend(segments, done, min(done + count, num_read), decoded=place % 2 == 1)
        done += count
    _extend(segments, done, num_read, decoded=True)
    return tuple(segments)


def _extend(segments: list[PrefillSegment], start: int, end: int, *, decoded: bool) -> None:
    """Append tokens [start, end) to the segments."""
    while start < end:
        if decoded and segments and segments[-1].decoded:
            segments[-1] = replace(segments[-1], end=end)
            return
        stop = end if decoded else min(end, (start // PREFILL_CHUNK + 1) * PREFILL_CHUNK)
        segments.append(PrefillSegment(start, stop, decoded))
        start = stop


def plan_of(segments: Sequence[PrefillSegment]) -> tuple[int, ...]:
    """Return the plan of adjacent segments that start at 0; () where all are regular chunks."""
    counts: list[int] = [0]
    for segment in segments:
        is_decoded = len(counts) % 2 == 0
        if segment.decoded != is_decoded:
            counts.append(0)
        elif not segment.decoded and segment.start % PREFILL_CHUNK:
            counts += [0, 0]  # a chunk that ended early: without this mark the two would be merged
        counts[-1] += segment.end - segment.start
    return tuple(counts) if len(counts) > 1 else ()


def num_reusable(cached: CachedText, ids: Ids, segments: Sequence[PrefillSegment]) -> int:
    """Return how many tokens at the front of a stream are cached exactly as these segments would read
    them."""
    limit = _num_equal(cached.ids, ids)
    if cached.reads_alike:
        return limit
    done = 0
    for cached_segment, wanted_segment in zip(cached.segments, segments, strict=False):
        end = min(cached_segment.end, wanted_segment.end, limit)
        if cached_segment.decoded != wanted_segment.decoded:
            break
        if cached_segment.decoded:
            if cached.rows_repeat:
                done = max(done, end)
        elif cached_segment.end == wanted_segment.end == end:
            done = end
        if not (cached_segment.end == wanted_segment.end == end == done):
            break
    return done


def plan_reusing(cached: CachedText, ids: Ids) -> tuple[tuple[int, ...], int]:
    """Return the plan with which a new prompt reuses most of the cache, and how many tokens it reuses.

    ids: the prompt. What is not cached is read in chunks.
    """
    num_prompt = len(ids)
    limit = min(_num_equal(cached.ids, ids), num_prompt - 1)
    if cached.reads_alike:
        return (), limit
    kept: list[PrefillSegment] = []
    for segment in cached.segments:
        end = min(segment.end, limit)
        usable = cached.rows_repeat if segment.decoded else end == segment.end
        if not cached.rows_repeat and end % PREFILL_CHUNK:
            usable = False  # not reproducible: only use what every prefill gives
        if end <= segment.start or not usable:
            break
        kept.append(replace(segment, end=end))
    num_reused = kept[-1].end if kept else 0
    _extend(kept, num_reused, num_prompt - 1, decoded=False)
    counts = plan_of(kept)
    return (counts, num_reused) if len(counts) <= MAX_COUNTS else ((), 0)


def _num_equal(a: Ids, b: Ids) -> int:
    length = min(len(a), len(b))
    different = np.flatnonzero(a[:length] != b[:length])
    return int(different[0]) if len(different) else length

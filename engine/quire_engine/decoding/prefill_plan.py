"""How a text was read: in large chunks or by decode passes. They round differently, so a resume must know.

A prompt is read in chunks, and what a run wrote by decode passes. When a new run begins on an edited text and
the model still holds its front, that front stays as it was computed, and the new run's record says so: counts
of tokens read in chunks, by decode passes, in chunks, and so on, for all of the prompt but its last token
(which is the root of the first decode pass); () says that all of it is read in chunks. Chunks end at absolute
multiples of PREFILL_CHUNK. A chunk's rows depend on its whole shape, and rows of a padded decode pass on
nothing that follows them: so chunks are used again whole, and decoded tokens one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import PREFILL_CHUNK

MAX_COUNTS = 32
"""Entries of a plan at most; a text that was edited more often is read anew, and its plan is () again."""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PrefillSegment:
    """Tokens [start, end) of a stream that are read alike: one chunk, or a stretch of decode passes."""

    start: int
    end: int
    decoded: bool


@dataclass(frozen=True, slots=True)
class CachedText:
    """What a model holds: ids[:length], read as `pieces` say; those may reach further than the ids.

    rows_repeat: a token gets the same bits in every decode pass (ModelLoaded.reproducible).
    """

    ids: Ids
    pieces: tuple[PrefillSegment, ...]
    rows_repeat: bool


def is_plan(counts: Sequence[int], num_prompt: int) -> bool:
    """Say whether these counts describe how a prompt of so many tokens is read."""
    fits = all(type(count) is int and count >= 0 for count in counts) and len(counts) <= MAX_COUNTS
    return fits and (not counts or sum(counts) == num_prompt - 1)


def prefill_segments(counts: Sequence[int], num_prompt: int, num_read: int) -> tuple[PrefillSegment, ...]:
    """Return how the first `num_read` tokens of a stream are read, none of them out of view.

    Stretches of decode passes that touch are one. ValueError when the counts do not describe the prompt.
    """
    if not is_plan(counts, num_prompt):
        raise ValueError(f"counts must add up to {num_prompt - 1}, got {tuple(counts)}")
    pieces: list[PrefillSegment] = []
    done = 0
    for place, count in enumerate(counts or (num_prompt - 1,)):
        _extend(pieces, done, min(done + count, num_read), decoded=place % 2 == 1)
        done += count
    _extend(pieces, done, num_read, decoded=True)
    return tuple(pieces)


def _extend(pieces: list[PrefillSegment], start: int, end: int, *, decoded: bool) -> None:
    """Add tokens [start, end) behind the pieces."""
    while start < end:
        if decoded and pieces and pieces[-1].decoded:
            pieces[-1] = replace(pieces[-1], end=end)
            return
        stop = end if decoded else min(end, (start // PREFILL_CHUNK + 1) * PREFILL_CHUNK)
        pieces.append(PrefillSegment(start, stop, decoded))
        start = stop


def counts_of(pieces: Sequence[PrefillSegment]) -> tuple[int, ...]:
    """Return the plan of these pieces, which lie side by side from 0 on; () where all are chunks as usual."""
    counts: list[int] = [0]
    for piece in pieces:
        is_decoded = len(counts) % 2 == 0
        if piece.decoded != is_decoded:
            counts.append(0)
        elif not piece.decoded and piece.start % PREFILL_CHUNK:
            counts += [0, 0]  # a chunk that ended early: without this mark the two would be read as one
        counts[-1] += piece.end - piece.start
    return tuple(counts) if len(counts) > 1 else ()


def num_agreed(held: CachedText, ids: Ids, pieces: Sequence[PrefillSegment]) -> int:
    """Return how many tokens at the front of a stream are held just as these pieces would read them."""
    limit = _num_equal(held.ids, ids)
    done = 0
    for had, wanted in zip(held.pieces, pieces, strict=False):
        end = min(had.end, wanted.end, limit)
        if had.decoded != wanted.decoded:
            break
        if had.decoded:
            if held.rows_repeat:
                done = max(done, end)
        elif had.end == wanted.end == end:
            done = end
        if not (had.end == wanted.end == end == done):
            break
    return done


def inherited(held: CachedText, ids: Ids) -> tuple[tuple[int, ...], int]:
    """Return the plan by which a new run on a prompt uses most of what is held, and how many tokens it uses.

    ids: the prompt. What is not held is read in chunks.
    """
    num_prompt = len(ids)
    limit = min(_num_equal(held.ids, ids), num_prompt - 1)
    kept: list[PrefillSegment] = []
    for piece in held.pieces:
        end = min(piece.end, limit)
        usable = held.rows_repeat if piece.decoded else end == piece.end
        if not held.rows_repeat and end % PREFILL_CHUNK:
            usable = False  # where nothing may hang on what is held, only what any reading gives is used
        if end <= piece.start or not usable:
            break
        kept.append(replace(piece, end=end))
    num_reused = kept[-1].end if kept else 0
    _extend(kept, num_reused, num_prompt - 1, decoded=False)
    counts = counts_of(kept)
    return (counts, num_reused) if len(counts) <= MAX_COUNTS else ((), 0)


def _num_equal(a: Ids, b: Ids) -> int:
    length = min(len(a), len(b))
    different = np.flatnonzero(a[:length] != b[:length])
    return int(different[0]) if len(different) else length

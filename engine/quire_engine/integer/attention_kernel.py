"""Attention over a cache of bytes: sums of integers, and between them real numbers in a fixed order.

A key has a scale for each 32 of its numbers, some of which may be far larger than the rest; a value has one.

Positions are cut into segments of 256, counted from the start of the text. Within a segment a row's scores
become shares, and the shares integers, by what is in this segment alone; then the segments are merged, one
after the other. So nothing depends on how many rows a pass has, or on how many threads share its segments.
A row sees a stretch of the cache from its start, and then rows of its own pass, its ancestors and itself; a
position counts the same in either place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.activations_kernel import bend
from quire_engine.integer.float_code import add_scaled_sums, largest_of, scale_sums, shorts_of, weigh
from quire_engine.integer.kernel_kinds import ZERO, kernel, kernel_inline, kernel_part
from quire_engine.integer.portable_math import exp
from quire_engine.integer.vector_code import COLUMNS, LANES, LINE, PAIR_ROWS, fetch_lines, pair_sums

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

POSITIONS = 64
"""Positions of a block of the cache."""
KEY_PART = 32
"""Numbers of a key that share a scale."""
SEGMENT = 256
"""Positions whose integer sums are taken at once: 2^15 * 2^7 * 256 is below 2^31."""
QUERY_TOP = np.float32(8191.0)
"""Largest digit of a query: 2^13 * 2^7 * 32 numbers that share a scale stay below 2^31."""
SHARE_TOP = np.float32(32767.0)
MAX_HEAD = 256
_TINY = np.float32(1e-30)
_NEVER = np.float32(-1e30)
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)

_one, _two, _three, _four, _five, _six = (pair_sums(rows) for rows in range(1, 7))


class Past(NamedTuple):
    """Keys and values of one head, of the cache or of the rows of a pass.

    Attributes:
        keys: (blocks, pairs of the head's numbers, 64, 2).
        key_scales: (parts of 32 numbers, positions).
        values: (blocks, 32, padded numbers of the head, 2).
        value_scales: (positions,).
    """

    keys: Int8s
    key_scales: Floats
    values: Int8s
    value_scales: Floats


class Sight(NamedTuple):
    """What the rows of a pass see.

    Attributes:
        seen: (rows,) positions of the cache.
        paths: (rows, longest) rows of the pass that come behind them, in order.
        lengths: (rows,) how many those are.
    """

    seen: Int64s
    paths: Int64s
    lengths: Int64s


class Partial(NamedTuple):
    """What queries found in one segment.

    Attributes:
        best: (queries,) largest score.
        mass: (queries,) sum of e^(score - best); 0: nothing seen.
        mixed: (queries, numbers of the head) values, each times its e^(score - best).
    """

    best: Floats
    mass: Floats
    mixed: Floats


class Scratch(NamedTuple):
    """What one thread writes for one segment and overwrites for the next.

    Attributes:
        scores: (queries, 256).
        shares: (queries, 256).
        factors: (256,) and one more.
        units: (queries,) what one share stands for.
        new_scores, new_shares: (queries, positions of the rows of the pass, padded to 64).
        sums: (2, queries, padded numbers of the head).
        exact: (queries of one call, 64).
    """

    scores: Floats
    shares: Int16s
    factors: Floats
    units: Floats
    new_scores: Floats
    new_shares: Int16s
    sums: Int32s
    exact: Int32s


@njit(inline="always")
def _pair_sums(
    rows: int, columns: int, at: int, row: int, pairs: int, step: int, out: int, line: int
) -> None:
    if rows == 1:
        _one(columns, at, row, pairs, step, out, line)
    elif rows == 2:
        _two(columns, at, row, pairs, step, out, line)
    elif rows == 3:
        _three(columns, at, row, pairs, step, out, line)
    elif rows == 4:
        _four(columns, at, row, pairs, step, out, line)
    elif rows == 5:
        _five(columns, at, row, pairs, step, out, line)
    else:
        _six(columns, at, row, pairs, step, out, line)


@kernel
def write_position(keys: Int8s, values: Int8s, slot: int, key: Int8s, value: Int8s) -> None:
    """Write one position of one head into the cache.

    Args:
        keys, values: as in `Past`.
        key, value: (numbers of the head,).
    """
    block, place = slot // POSITIONS, slot % POSITIONS
    for d in range(len(key)):
        keys[block, d // 2, place, d % 2] = key[d]
        values[block, place // 2, d, place % 2] = value[d]


@kernel_part
def score_blocks(
    queries: Int16s, query_scales: Floats, past: Past, first: int, last: int, exact: Int32s, scores: Floats
) -> None:
    """Write the scores of the blocks [first, last) for all queries into the first columns of `scores`.

    exact: as in `Scratch`.
    """
    count, pairs = queries.shape[0], queries.shape[1] // 2
    row, line, step = queries.strides[0], 4 * COLUMNS, KEY_PART // 2
    for query in range(0, count, PAIR_ROWS):
        rows = min(PAIR_ROWS, count - query)
        for block in range(first, last):
            for part in range(past.key_scales.shape[0]):
                at = queries.ctypes.data + query * row + 2 * KEY_PART * part
                start = block * past.keys.strides[0] + part * step * 2 * POSITIONS
                some = min(step, pairs - part * step)
                columns = past.keys.ctypes.data + start
                _pair_sums(rows, columns, at, row, some, 2 * POSITIONS, exact.ctypes.data, line)
                factors = past.key_scales.ctypes.data + part * past.key_scales.strides[0] + block * line
                for each in range(rows):
                    out = scores.ctypes.data + (query + each) * scores.strides[0] + (block - first) * line
                    scale, sums = query_scales[query + each], exact.ctypes.data + each * line
                    if part == 0:
                        scale_sums(sums, scale, factors, out, POSITIONS)
                    else:
                        add_scaled_sums(sums, scale, factors, out, POSITIONS)


@kernel_part
def mix_blocks(shares: Int16s, values: Int8s, first: int, last: int, sums: Int32s) -> None:
    """Write the sums of shares times values of the blocks [first, last), (queries, padded numbers).

    shares: (queries, positions from the first block on or more).
    """
    mix_pairs(shares, values, first, (last - first) * POSITIONS // 2, sums)


@kernel_part
def mix_pairs(shares: Int16s, values: Int8s, first: int, pairs: int, sums: Int32s) -> None:
    """Write what `mix_blocks` does, of so many pairs of positions from the block `first` on."""
    count, width = shares.shape[0], values.shape[2]
    row, line, step = shares.strides[0], sums.strides[0], values.strides[1]
    for column in range(0, width, COLUMNS):
        columns = values.ctypes.data + first * values.strides[0] + 2 * column
        for query in range(0, count, PAIR_ROWS):
            rows, at = min(PAIR_ROWS, count - query), shares.ctypes.data + query * row
            out = sums.ctypes.data + query * line + 4 * column
            _pair_sums(rows, columns, at, row, pairs, step, out, line)


@kernel_part
def _padded(count: int) -> int:
    return -(-count // POSITIONS) * POSITIONS


@kernel_part
def _in_lanes(count: int) -> int:
    return -(-count // LANES) * LANES


@njit(inline="always", error_model="numpy")
def _into_shares(
    scores: Floats, factors: int, top: Floats, begin: int, end: int, span: int, shares: Int16s
) -> tuple[np.float32, np.float32, np.float32]:
    """Turn one query's scores of a segment into shares of 0 to 32767.

    Args:
        factors: address of the values' scales.
        top: room for one number.
        begin, end: the query sees the positions [begin, end) of the segment.
        span: shares to write, a multiple of 64 not below end.

    Returns:
        The largest score, the sum of all e^(score - largest), and what one share stands for.
    """
    used = _in_lanes(end)
    for place in range(begin):
        scores[place] = _NEVER
    for place in range(end, used):
        scores[place] = _NEVER
    at = scores.ctypes.data
    best = largest_of(at, used)
    mass = weigh(at, best, factors, top.ctypes.data, used)
    most = max(top[0], _TINY)
    shorts_of(at, SHARE_TOP / most, shares.ctypes.data, used)
    for place in range(used, span):
        shares[place] = 0
    return best, mass, most / SHARE_TOP


@njit(inline="always", error_model="numpy")
def _share(
    row: int,
    query: int,
    start: int,
    low: int,
    span: int,
    past: Past,
    new: Past,
    sight: Sight,
    scratch: Scratch,
) -> tuple[np.float32, np.float32, np.float32]:
    """Turn one query's scores of a segment into shares of the cache and of the rows of the pass.

    Args:
        start: of the segment.
        low: the first position that the row sees.
        span: positions of the cache whose shares are written, a multiple of 64.
    """
    seen, scores, shares = sight.seen[row], scratch.scores[query], scratch.shares[query]
    end = min(seen + sight.lengths[row] - start, SEGMENT)
    begin, cached = max(low - start, 0), min(max(seen - start, 0), SEGMENT)
    if end <= begin:
        for place in range(span):
            shares[place] = 0
        return _NEVER, _ZERO, _ZERO
    scales = scratch.factors
    factors = past.value_scales.ctypes.data + 4 * start
    if end > cached:  # some are rows of the pass: scores and scales of both, one behind the other
        factors = scales.ctypes.data
        for place in range(cached):
            scales[place] = past.value_scales[start + place]
        for place in range(cached, end):
            other = sight.paths[row, start + place - seen]
            scores[place], scales[place] = scratch.new_scores[query, other], new.value_scales[other]
        for place in range(end, _in_lanes(end)):
            scales[place] = _ZERO
    found = _into_shares(scores, factors, scales[SEGMENT:], begin, end, span, shares)
    for place in range(max(begin, cached), end):
        scratch.new_shares[query, sight.paths[row, start + place - seen]] = shares[place]
    for place in range(cached, span):
        shares[place] = 0
    return found


@kernel_part
def lowest(sight: Sight, row: int, window: int) -> int:
    """Return the first position that a row sees."""
    return max(0, sight.seen[row] + sight.lengths[row] - window) if window else 0


@kernel_part
def _reach(sight: Sight, first_row: int, rows: int, start: int) -> tuple[int, bool]:
    """Return how many cached positions of a segment some rows see, and whether it has rows of the pass."""
    most, has_new = 0, False
    for row in range(first_row, first_row + rows):
        seen = sight.seen[row]
        most = max(most, min(seen - start, SEGMENT))
        has_new = has_new or (
            seen < start + SEGMENT and seen + sight.lengths[row] > start and sight.lengths[row] > 0
        )
    return _padded(most), has_new


@kernel_inline
def attend_segment(
    queries: Int16s,
    query_scales: Floats,
    group: int,
    first_row: int,
    past: Past,
    new: Past,
    sight: Sight,
    window: int,
    cap: float,
    segment: int,
    scratch: Scratch,
    out: Partial,
) -> None:
    """Attend to one segment with queries of one key-value head.

    Args:
        queries: (rows * group, numbers of the head), digits of the rows from first_row on.
        query_scales: (rows * group,), the attention's own scale included.
        group: queries of a row that share the head.
        past, new: of the cache, and of the rows of the pass.
        window: positions that a row sees at most; 0 for all.
        cap: scores are bent below it; 0: they are not.
        out: written for all these queries.
    """
    count, dim, start = queries.shape[0], queries.shape[1], segment * SEGMENT
    span, has_new = _reach(sight, first_row, count // group, start)
    first, blocks, new_blocks = start // POSITIONS, span // POSITIONS, _padded(len(sight.seen)) // POSITIONS
    new_pairs = (len(sight.seen) + 1) // 2
    cached, added = scratch.sums[0, :count], scratch.sums[1, :count]
    score_blocks(queries, query_scales, past, first, first + blocks, scratch.exact, scratch.scores)
    if has_new:
        score_blocks(queries, query_scales, new, ZERO, new_blocks, scratch.exact, scratch.new_scores)
        for query in range(count):
            for place in range(2 * new_pairs):
                scratch.new_shares[query, place] = 0
    if cap > 0.0:
        bend(scratch.scores[:count, :span], np.float32(cap))
        if has_new:
            bend(scratch.new_scores[:count], np.float32(cap))
    factors, top = past.value_scales.ctypes.data + 4 * start, scratch.factors.ctypes.data + 4 * SEGMENT
    # memory rests while scores become shares: the next segment's values come meanwhile, some with each query
    ahead = past.values.ctypes.data + (first + blocks) * past.values.strides[0]
    lines = -(-blocks * past.values.strides[0] // (LINE * count))
    for query in range(count):
        row = first_row + query // group
        if sight.seen[row] >= start + SEGMENT and (window == 0 or lowest(sight, row, window) <= start):
            # all of the segment is seen
            fetch_lines(ahead + LINE * lines * query, lines)
            at = scratch.scores.ctypes.data + query * scratch.scores.strides[0]
            best = largest_of(at, SEGMENT)
            out.best[query], out.mass[query] = best, weigh(at, best, factors, top, SEGMENT)
            most = max(scratch.factors[SEGMENT], _TINY)
            shares = scratch.shares.ctypes.data + query * scratch.shares.strides[0]
            shorts_of(at, SHARE_TOP / most, shares, SEGMENT)
            scratch.units[query] = most / SHARE_TOP
            continue
        found = _share(row, query, start, lowest(sight, row, window), span, past, new, sight, scratch)
        out.best[query], out.mass[query], scratch.units[query] = found
    mix_blocks(scratch.shares[:count], past.values, first, first + blocks, cached)
    if has_new:
        mix_pairs(scratch.new_shares[:count], new.values, ZERO, new_pairs, added)
    for query in range(count):
        unit, line = scratch.units[query], out.mixed[query]
        if has_new:
            for d in range(dim):
                line[d] = np.float32(cached[query, d] + added[query, d]) * unit
        else:
            for d in range(dim):
                line[d] = np.float32(cached[query, d]) * unit


@kernel
def forget(total: Partial, query: int) -> None:
    """Begin with no segment."""
    total.best[query] = _NEVER
    total.mass[query] = _ZERO
    line = total.mixed[query]
    for d in range(len(line)):
        line[d] = _ZERO


@kernel
def merge(part: Partial, query: int, total: Partial, place: int) -> None:
    """Add what a query found in the next segment to what it found in those before."""
    if part.mass[query] == _ZERO:
        return
    before, here = total.best[place], part.best[query]
    best = max(before, here)
    old, new = exp(before - best), exp(here - best)
    total.best[place] = best
    total.mass[place] = total.mass[place] * old + part.mass[query] * new
    line, added = total.mixed[place], part.mixed[query]
    for d in range(len(line)):
        line[d] = line[d] * old + added[d] * new


@kernel
def write_mean(total: Partial, query: int, out: Floats) -> None:
    """Write the mean of the values that a query found, (numbers of the head,)."""
    inverse, line = _ONE / total.mass[query], total.mixed[query]
    for d in range(len(out)):
        out[d] = line[d] * inverse

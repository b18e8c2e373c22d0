"""Attention over a cache of bytes: sums of integers, and between them real numbers in an order that is fixed
by position.

A row sees a stretch of the cache from its start and then rows of its own pass, its ancestors and itself.
Every sum is
taken by absolute position, so it makes no difference which of the two a position comes from.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.portable_math import ROUNDER, exp
from quire_engine.integer.vector_code import largest_of, low_short, pair_sums, sum_of

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

POSITIONS = 64
"""Positions of a block of the cache."""
COLUMNS = 64
"""Values that one call of the inner loop sums; a head's are padded to a multiple of it."""
QUERY_TOP = np.float32(8191.0)
"""Largest digit of a query: 2^13 * 2^7 * 256 numbers of a head stay below 2^31."""
SHARE_TOP = np.float32(32767.0)
SEGMENT = 256
"""Positions after which integer sums of values are added up as real numbers: 2^15 * 2^7 * 256 is below
2^31."""
MAX_HEAD = 256
_TINY = np.float32(1e-30)
_NEVER = np.float32(-1e30)
_ZERO = np.float32(0.0)

_one, _two, _three, _four = (pair_sums(rows) for rows in (1, 2, 3, 4))


@njit(inline="always")
def _pair_sums(rows: int, columns: int, at: int, row: int, pairs: int, step: int, out: int) -> None:
    if rows == 1:
        _one(columns, at, row, pairs, step, out)
    elif rows == 2:
        _two(columns, at, row, pairs, step, out)
    elif rows == 3:
        _three(columns, at, row, pairs, step, out)
    else:
        _four(columns, at, row, pairs, step, out)


@njit(nogil=True, error_model="numpy", cache=True)
def write_position(keys: Int8s, values: Int8s, slot: int, key: Int8s, value: Int8s) -> None:
    """Write one position of one head into the cache.

    Args:
        keys: (blocks, pairs of the head's numbers, 64, 2).
        values: (blocks, 32, padded numbers of the head, 2).
        key, value: (numbers of the head,).
    """
    block, place = slot // POSITIONS, slot % POSITIONS
    for d in range(len(key)):
        keys[block, d // 2, place, d % 2] = key[d]
        values[block, place // 2, d, place % 2] = value[d]


@njit(nogil=True, error_model="numpy", cache=True)
def _scores_of_blocks(
    queries: Int16s,
    query_scales: Floats,
    keys: Int8s,
    key_scales: Floats,
    first: int,
    last: int,
    scores: Floats,
) -> None:
    """Fill the scores of the cache's blocks [first, last) for all queries."""
    count, pairs = queries.shape[0], queries.shape[1] // 2
    row_bytes = queries.strides[0]
    sums = np.empty((4, POSITIONS), np.int32)
    at_keys, at_queries, to = keys.ctypes.data, queries.ctypes.data, sums.ctypes.data
    for block in range(first, last):
        columns = at_keys + block * keys.strides[0]
        start = block * POSITIONS
        for query in range(0, count, 4):
            rows = min(4, count - query)
            _pair_sums(rows, columns, at_queries + query * row_bytes, row_bytes, pairs, 2 * POSITIONS, to)
            factors = key_scales[start : start + POSITIONS]
            for each in range(rows):
                scale, line = query_scales[query + each], scores[query + each, start : start + POSITIONS]
                exact = sums[each]
                for place in range(POSITIONS):
                    line[place] = (np.float32(exact[place]) * scale) * factors[place]


@njit(nogil=True, error_model="numpy", cache=True)
def _weigh(
    scores: Floats,
    start: int,
    low: int,
    seen: int,
    end: int,
    value_scales: Floats,
    tail_scales: Floats,
    shares: Int16s,
) -> np.float32:
    """Turn one row's scores into shares of -32767 to 32767; return what one of them stands for.

    Args:
        start: multiple of 64 at or below low.
        low, end: the row sees the positions [low, end).
        seen: positions from here on are rows of the pass.
        value_scales: (positions,) of the cache.
        tail_scales: of the positions from `seen` on.
        shares: written for [start, the next multiple of 64 behind end).
    """
    padded = -(-end // POSITIONS) * POSITIONS
    scores[start:low] = _NEVER
    scores[end:padded] = _NEVER
    # slices, so that every index is seen to be positive: otherwise loops don't become vector code
    part, digits = scores[start:padded], shares[start:padded]
    at, count = part.ctypes.data, len(part)
    best = largest_of(at, count)
    for place in range(len(part)):
        part[place] = exp(part[place] - best)
    mass: np.float32 = sum_of(at, count)
    cached, scales = scores[start : min(seen, end)], value_scales[start : min(seen, end)]
    for place in range(len(cached)):
        cached[place] *= scales[place]
    for place in range(seen, end):
        scores[place] *= tail_scales[place - seen]
    top: np.float32 = max(largest_of(at, count), _TINY)
    inverse = SHARE_TOP / top
    for place in range(len(part)):
        digits[place] = low_short(part[place] * inverse + ROUNDER)
    return (top / SHARE_TOP) / mass


@njit(nogil=True, error_model="numpy", cache=True)
def _values_of_blocks(shares: Int16s, values: Int8s, first: int, last: int, sums: Int32s) -> None:
    """Add the blocks [first, last) to the sums of all queries, (queries, padded numbers of the head)."""
    count, width = shares.shape[0], values.shape[2]
    row_bytes, step = shares.strides[0], values.strides[1]
    part = np.empty((4, COLUMNS), np.int32)
    at_values, at_shares, to = values.ctypes.data, shares.ctypes.data, part.ctypes.data
    for block in range(first, last):
        for column in range(0, width, COLUMNS):
            columns = at_values + block * values.strides[0] + column * 2
            for query in range(0, count, 4):
                rows = min(4, count - query)
                at = at_shares + query * row_bytes + block * POSITIONS * 2
                _pair_sums(rows, columns, at, row_bytes, POSITIONS // 2, step, to)
                for each in range(rows):
                    line, added = sums[query + each, column : column + COLUMNS], part[each]
                    for lane in range(COLUMNS):
                        line[lane] += added[lane]


@njit(nogil=True, error_model="numpy", cache=True)
def attend(
    queries: Int16s,
    query_scales: Floats,
    group: int,
    keys: Int8s,
    key_scales: Floats,
    values: Int8s,
    value_scales: Floats,
    new_keys: Int8s,
    new_key_scales: Floats,
    new_values: Int8s,
    new_value_scales: Floats,
    seen: Int64s,
    paths: Int64s,
    lengths: Int64s,
    window: int,
    scores: Floats,
    shares: Int16s,
    out: Floats,
) -> None:
    """Attend with all queries of one key-value head.

    Args:
        queries: (rows * group, numbers of the head), digits.
        query_scales: (rows * group,), the attention's own scale included.
        group: queries of a row that share the head.
        keys, values: the cache of the head, as in `write_position`.
        key_scales, value_scales: (positions,).
        new_keys, new_values: (rows of the pass, numbers of the head) and their scales (rows,).
        seen: (rows,) positions of the cache that a row sees.
        paths: (rows, longest) rows of the pass that a row sees behind them, in order; lengths of them:
        (rows,).
        window: positions that a row sees at most; 0 for all.
        scores, shares: room, (rows * group, positions padded to 64).
        out: (rows * group, numbers of the head).
    """
    count, dim = queries.shape
    rows, width = len(seen), values.shape[2]
    start, end, most = 1 << 60, 0, 0
    for row in range(rows):
        length = seen[row] + lengths[row]
        start = min(start, max(0, length - window) if window else 0)
        end = max(end, length)
        most = max(most, seen[row])
    start = start // POSITIONS * POSITIONS
    blocks = -(-most // POSITIONS)
    _scores_of_blocks(queries, query_scales, keys, key_scales, start // POSITIONS, blocks, scores)
    factors = np.empty(count, np.float32)
    tail = np.zeros((count, paths.shape[1]), np.int32)
    tail_scales = np.empty(paths.shape[1], np.float32)
    for query in range(count):
        row = query // group
        length = lengths[row]
        for place in range(length):
            other = paths[row, place]
            exact = np.int32(0)
            for d in range(dim):
                exact += np.int32(queries[query, d]) * np.int32(new_keys[other, d])
            scores[query, seen[row] + place] = (np.float32(exact) * query_scales[query]) * new_key_scales[
                other
            ]
            tail_scales[place] = new_value_scales[other]
        last = seen[row] + length
        low = max(0, last - window) if window else 0
        factors[query] = _weigh(
            scores[query], start, low, seen[row], last, value_scales, tail_scales, shares[query]
        )
        for place in range(length):
            tail[query, place] = shares[query, seen[row] + place]
        padded = -(-max(end, most) // POSITIONS) * POSITIONS
        for place in range(seen[row], padded):
            shares[query, place] = 0
    for query in range(count):
        for d in range(dim):
            out[query, d] = _ZERO
    sums = np.empty((count, width), np.int32)
    for segment in range(start // SEGMENT * SEGMENT, end, SEGMENT):
        sums[:] = 0
        first = max(segment, start) // POSITIONS
        _values_of_blocks(shares, values, first, min((segment + SEGMENT) // POSITIONS, blocks), sums)
        for query in range(count):
            row = query // group
            begin = max(segment - seen[row], 0)
            for place in range(begin, min(segment + SEGMENT - seen[row], lengths[row])):
                other, share = paths[row, place], tail[query, place]
                for d in range(dim):
                    sums[query, d] += share * np.int32(new_values[other, d])
            for d in range(dim):
                out[query, d] += np.float32(sums[query, d])
    for query in range(count):
        for d in range(dim):
            out[query, d] *= factors[query]

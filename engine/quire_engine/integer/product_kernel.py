"""Digits times weights: exact sums, whatever the number of rows.

Weights lie in blocks of 16 outputs, four inputs together, so that one pass over them serves up to eight
rows: the
time of a pass of few rows is that of reading the weights once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.vector_code import DIGIT_BYTES, LANES, OFFSET, weight_sums

Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]

MAX_INNER = 2**31 // (255 * 127) // 64 * 64
"""Inputs of a layer that can't overflow a sum of 32 bits."""
_TOGETHER = 2 * LANES

_one, _two, _three, _four = (weight_sums(rows) for rows in (1, 2, 3, 4))
_five, _six, _seven, _eight = (weight_sums(rows) for rows in (5, 6, 7, 8))


def packed(weights: Int8s) -> Int8s:
    """Return weights (outputs, inputs) as (blocks of 16 outputs, groups of 4 inputs, 16, 4), padded with
    zeros.

    The number of blocks is even.
    """
    outputs, inputs = weights.shape
    if inputs > MAX_INNER:
        raise ValueError(f"a layer may have {MAX_INNER:,} inputs, this one has {inputs:,}")
    padded = np.zeros((-(-outputs // _TOGETHER) * _TOGETHER, -(-inputs // 4) * 4), np.int8)
    padded[:outputs, :inputs] = weights
    blocks, groups = padded.shape[0] // LANES, padded.shape[1] // 4
    return np.ascontiguousarray(padded.reshape(blocks, LANES, groups, 4).transpose(0, 2, 1, 3))


def unpacked(blocks: Int8s, outputs: int, inputs: int) -> Int8s:
    """Return the weights (outputs, inputs) of packed ones."""
    whole = blocks.transpose(0, 2, 1, 3).reshape(blocks.shape[0] * LANES, blocks.shape[1] * 4)
    return np.ascontiguousarray(whole[:outputs, :inputs])


def offsets(blocks: Int8s) -> Int32s:
    """Return what the offset of the digits adds to every output's sum, with the opposite sign."""
    sums: Int32s = blocks.sum(axis=(1, 3), dtype=np.int32).reshape(-1)
    return sums * np.int32(-OFFSET)


def new_digits(rows: int, inputs: int) -> npt.NDArray[np.uint8]:
    """Return room for rows of digits, (rows, bytes), all zero."""
    groups = -(-inputs // 4)
    empty = np.full((rows, groups * 4), OFFSET, np.uint8 if DIGIT_BYTES == 1 else np.int16)
    return empty.view(np.uint8).reshape(rows, groups * 4 * DIGIT_BYTES)


@njit(nogil=True, error_model="numpy", cache=True)
def multiply(
    blocks: Int8s,
    offset: Int32s,
    digits: npt.NDArray[np.uint8],
    rows: int,
    first: int,
    last: int,
    out: Int32s,
) -> None:
    """Write the sums of some rows and of the blocks [first, last), both even, into out.

    Args:
        blocks: as from `packed`.
        offset: as from `offsets`.
        digits: (rows or more, bytes), as from `new_digits`.
        out: (rows or more, 16 * blocks).
    """
    groups = blocks.shape[1]
    row_bytes, block_bytes = digits.strides[0], blocks.strides[0]
    sums = np.empty((8, 2, LANES), np.int32)
    to, at_weights, at_digits = sums.ctypes.data, blocks.ctypes.data, digits.ctypes.data
    for block in range(first, last, 2):
        weights = at_weights + block * block_bytes
        for row in range(0, rows, 8):
            line = at_digits + row * row_bytes
            count = min(8, rows - row)
            if count == 1:
                _one(weights, block_bytes, line, row_bytes, groups, to)
            elif count == 2:
                _two(weights, block_bytes, line, row_bytes, groups, to)
            elif count == 3:
                _three(weights, block_bytes, line, row_bytes, groups, to)
            elif count == 4:
                _four(weights, block_bytes, line, row_bytes, groups, to)
            elif count == 5:
                _five(weights, block_bytes, line, row_bytes, groups, to)
            elif count == 6:
                _six(weights, block_bytes, line, row_bytes, groups, to)
            elif count == 7:
                _seven(weights, block_bytes, line, row_bytes, groups, to)
            else:
                _eight(weights, block_bytes, line, row_bytes, groups, to)
            start = block * LANES
            for each in range(count):
                for half in range(2):
                    for lane in range(LANES):
                        place = start + half * LANES + lane
                        out[row + each, place] = sums[each, half, lane] + offset[place]

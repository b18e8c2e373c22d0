"""Digits times weights: exact sums, whatever the number of rows.

Weights lie in blocks of 16 outputs, four inputs together, so that one pass over them serves up to eight
rows: the time of a pass of few rows is that of reading the weights once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.float_code import scale_outputs, scale_outputs_of_two, scale_outputs_of_wide
from quire_engine.integer.kernel_kinds import ZERO, kernel, kernel_inline, kernel_part
from quire_engine.integer.vector_code import DIGIT_BYTES, LANES, OFFSET, WEIGHT_ROWS, weight_sums

Bytes = npt.NDArray[np.uint8]
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]

SECOND = 254.0
"""Steps of a second digit in one of the first."""
OUTPUTS = 2 * LANES
"""Outputs of a pair of blocks."""
_ROWS_AT_ONCE = -(-8 // WEIGHT_ROWS) * WEIGHT_ROWS
_WIDE_GROUPS = 2**31 // ((127 * 254 + 127) * 127) // 64 * 64 // 4
"""Groups of 4 inputs whose sums fit 32 bits where both digits are one number."""

MAX_INNER = 2**31 // (255 * 127) // 64 * 64
"""Inputs of a layer that can't overflow a sum of 32 bits."""

_one, _two, _three, _four, _five, _six, _seven, _eight = (weight_sums(rows) for rows in range(1, 9))


class OneProduct(NamedTuple):
    """One product of one layer.

    Attributes:
        blocks: as from `packed`.
        offset: as from `offsets`.
        scales: of the outputs, (16 * blocks,).
        bias: (outputs,) or empty.
        two: whether its inputs have two digits.
    """

    blocks: Int8s
    offset: Int32s
    scales: Floats
    bias: Floats
    two: bool


def packed(weights: Int8s) -> Int8s:
    """Return weights (outputs, inputs) as (blocks of 16 outputs, groups of 4 inputs, 16, 4), padded with
    zeros.

    The number of blocks is even.
    """
    outputs, inputs = weights.shape
    if inputs > MAX_INNER:
        raise ValueError(f"a layer may have {MAX_INNER:,} inputs, this one has {inputs:,}")
    padded = np.zeros((-(-outputs // OUTPUTS) * OUTPUTS, -(-inputs // 4) * 4), np.int8)
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


@njit(inline="always")
def _weight_sums(
    rows: int, weights: int, block: int, digits: int, row: int, groups: int, ahead: int, out: int
) -> None:
    if rows == 8:
        _eight(weights, block, digits, row, groups, ahead, out)
    elif rows == 7:
        _seven(weights, block, digits, row, groups, ahead, out)
    elif rows == 6:
        _six(weights, block, digits, row, groups, ahead, out)
    elif rows == 5:
        _five(weights, block, digits, row, groups, ahead, out)
    elif rows == 4:
        _four(weights, block, digits, row, groups, ahead, out)
    elif rows == 3:
        _three(weights, block, digits, row, groups, ahead, out)
    elif rows == 2:
        _two(weights, block, digits, row, groups, ahead, out)
    else:
        _one(weights, block, digits, row, groups, ahead, out)


@kernel
def sums_of_groups(
    blocks: Int8s, digits: Bytes, row: int, rows: int, block: int, first: int, last: int, sums: Int32s
) -> None:
    """Write the sums of some rows of digits and of two blocks, over the groups [first, last) of 4 inputs.

    On processors whose digits have an offset, that is part of the sums; see `offsets`.

    Args:
        blocks: as from `packed`.
        digits: rows as from `new_digits`.
        row, rows: the first one, and how many.
        block: the first of the two.
        sums: (rows or more, 32).
    """
    row_bytes, block_bytes = digits.strides[0], blocks.strides[0]
    weights = blocks.ctypes.data + block * block_bytes + 4 * LANES * first
    start = digits.ctypes.data + row * row_bytes + 4 * DIGIT_BYTES * first
    step = -(-rows // -(-rows // WEIGHT_ROWS))
    for done in range(0, rows, step):
        _weight_sums(
            min(step, rows - done),
            weights,
            block_bytes,
            start + done * row_bytes,
            row_bytes,
            last - first,
            weights + 2 * block_bytes,
            sums.ctypes.data + done * 4 * OUTPUTS,
        )


@kernel_part
def _bias_of(product: OneProduct, start: int, short: Floats) -> int:
    """Return the address of the biases of 32 outputs; 0 where there are none. short: as in `_scale`."""
    if not len(product.bias):
        return 0
    if start + OUTPUTS <= len(product.bias):
        return product.bias.ctypes.data + 4 * start
    for j in range(start, len(product.bias)):
        short[1, j - start] = product.bias[j]
    return short.ctypes.data + 4 * OUTPUTS


@kernel_part
def _scale(
    product: OneProduct,
    sums: Int32s,
    row_scales: Floats,
    row: int,
    rows: int,
    start: int,
    short: Floats,
    out: Floats,
) -> None:
    """Write what the sums of some rows and of 32 outputs stand for.

    Args:
        row, rows: the first row of the pass, and how many.
        start: the first output.
        short: (2, 32), room for outputs that are fewer than 32.
        out: (rows of the pass, outputs).
    """
    fits, step = start + OUTPUTS <= out.shape[1], 4 * OUTPUTS
    offset, scales = product.offset.ctypes.data + 4 * start, product.scales.ctypes.data + 4 * start
    bias = _bias_of(product, start, short)
    for each in range(rows):
        to = out.ctypes.data + (row + each) * out.strides[0] + 4 * start if fits else short.ctypes.data
        scale = row_scales[row + each]
        if product.two:
            high = sums.ctypes.data + 2 * each * step
            factor = np.float64(scale) / SECOND
            scale_outputs_of_two(high, high + step, offset, SECOND, factor, scales, bias, to)
        else:
            scale_outputs(sums.ctypes.data + each * step, offset, scale, scales, bias, to)
        if not fits:
            for j in range(start, out.shape[1]):
                out[row + each, j] = short[0, j - start]


@kernel
def project(
    product: OneProduct, digits: Bytes, row_scales: Floats, rows: int, first: int, last: int, out: Floats
) -> None:
    """Write what rows times the outputs of the pairs of blocks [first, last) stand for.

    Args:
        digits: rows as from `new_digits`; with two digits, a row's are 2 * row and 2 * row + 1.
        row_scales: what a digit of a row stands for, (rows,).
        out: (rows, outputs or more).
    """
    sums, short = np.empty((_ROWS_AT_ONCE, OUTPUTS), np.int32), np.zeros((2, OUTPUTS), np.float32)
    each, groups = 2 if product.two else 1, product.blocks.shape[1]
    for pair in range(first, last):
        for row in range(0, rows, _ROWS_AT_ONCE // each):
            count = min(_ROWS_AT_ONCE // each, rows - row)
            sums_of_groups(product.blocks, digits, each * row, each * count, 2 * pair, ZERO, groups, sums)
            _scale(product, sums, row_scales, row, count, OUTPUTS * pair, short, out)


@kernel
def project_wide(
    product: OneProduct, digits: Bytes, row_scales: Floats, rows: int, first: int, last: int, out: Floats
) -> None:
    """Write what `project` does for two digits, where both are one number of 16 bits (see `cut_wide`).

    digits: one row of `new_digits` for each row.
    """
    sums, short = np.empty((_ROWS_AT_ONCE, OUTPUTS), np.int32), np.zeros((2, OUTPUTS), np.float32)
    exact, groups = np.empty((_ROWS_AT_ONCE, OUTPUTS), np.float64), product.blocks.shape[1]
    for pair in range(first, last):
        start = OUTPUTS * pair
        fits, bias = start + OUTPUTS <= out.shape[1], _bias_of(product, start, short)
        for row in range(0, rows, _ROWS_AT_ONCE):
            count = min(_ROWS_AT_ONCE, rows - row)
            _add_wide(product.blocks, digits, row, count, 2 * pair, groups, sums, exact)
            for each in range(count):
                to = out.ctypes.data + (row + each) * out.strides[0] + 4 * start
                scale_outputs_of_wide(
                    exact.ctypes.data + 8 * OUTPUTS * each,
                    np.float64(row_scales[row + each]) / SECOND,
                    product.scales.ctypes.data + 4 * start,
                    bias,
                    to if fits else short.ctypes.data,
                )
                if not fits:
                    for j in range(start, out.shape[1]):
                        out[row + each, j] = short[0, j - start]


@kernel_inline
def _add_wide(
    blocks: Int8s, digits: Bytes, row: int, rows: int, block: int, groups: int, sums: Int32s, exact: Doubles
) -> None:
    """Write sums that need more than 32 bits, as whole numbers in float64: they stay below 2^53."""
    for begin in range(0, groups, _WIDE_GROUPS):
        end = min(groups, begin + _WIDE_GROUPS)
        sums_of_groups(blocks, digits, row, rows, block, begin, end, sums)
        if begin == 0:
            for each in range(rows):
                for j in range(OUTPUTS):
                    exact[each, j] = np.float64(sums[each, j])
        else:
            for each in range(rows):
                for j in range(OUTPUTS):
                    exact[each, j] += np.float64(sums[each, j])

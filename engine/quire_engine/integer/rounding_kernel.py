"""Weights to integers: norms folded in, inputs rotated, each output rounded by a scale of its own.

Every operation is one of IEEE 754's, in a fixed order, so that a model becomes the same integers on every
computer; and it is done while a few outputs are in the processor's cache.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quire_engine.integer.kernel_kinds import kernel, kernel_part
from quire_engine.integer.portable_math import rounded
from quire_engine.integer.rotation import PANEL, rotate_panel
from quire_engine.integer.vector_code import LANES

Floats = npt.NDArray[np.float32]
Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]

_LARGEST = np.float32(127.0)
_LARGEST_OF_TABLE = np.float32(32767.0)
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)


@kernel_part
def _load_panel(
    weight: Floats, first: int, factors: Floats, signs: Floats, rest: Floats, panel: Floats, room: Floats
) -> None:
    """Fill a panel (inputs, PANEL) with some outputs of a weight, folded and rotated."""
    inputs, count = weight.shape[1], min(PANEL, weight.shape[0] - first)
    for lane in range(count):
        line = weight[first + lane]
        for i in range(inputs):
            panel[i, lane] = line[i] * factors[i]
    for lane in range(count, PANEL):
        for i in range(inputs):
            panel[i, lane] = _ZERO
    if len(signs) > 1:
        for piece in range(0, inputs, len(signs)):
            rotate_panel(panel[piece : piece + len(signs)], signs, rest, room)


@kernel_part
def _scales_of(panel: Floats, largest: np.float32, scales: Floats) -> bool:
    """Write what one step of each output is; return whether all its numbers are finite."""
    tops, probe = np.zeros(PANEL, np.float32), np.zeros(PANEL, np.float32)
    for i in range(panel.shape[0]):
        line = panel[i]
        for lane in range(PANEL):
            size = abs(line[lane])
            tops[lane] = size if size > tops[lane] else tops[lane]
            probe[lane] += line[lane] * _ZERO
    is_finite = True
    for lane in range(PANEL):
        scales[lane] = tops[lane] / largest if tops[lane] > _ZERO else _ONE
        is_finite = is_finite and probe[lane] == _ZERO
    return is_finite


@kernel
def round_and_pack(
    weight: Floats,
    factors: Floats,
    signs: Floats,
    rest: Floats,
    words: Int32s,
    scales: Floats,
    sums: Int32s,
) -> bool:
    """Round outputs of a weight to bytes; return whether all its numbers are finite.

    Args:
        weight: (outputs, inputs).
        factors: (inputs,), multiplied into each output first.
        signs, rest: rotation of the inputs, piece by piece; signs (1,): none.
        words: (blocks of 16 outputs, groups of 4 inputs, 16): blocks as in `product_kernel.packed`, four
            bytes together; an even number of blocks.
        scales: (16 * blocks,).
        sums: (16 * blocks,) of each output's integers.
    """
    outputs, inputs = weight.shape
    groups = words.shape[1]
    panel, room = np.zeros((groups * 4, PANEL), np.float32), np.empty((len(rest), PANEL), np.float32)
    steps = np.empty(PANEL, np.float32)
    is_finite = True
    for first in range(0, outputs, PANEL):
        _load_panel(weight, first, factors, signs, rest, panel[:inputs], room)
        is_finite = _scales_of(panel[:inputs], _LARGEST, steps) and is_finite
        for part in range(PANEL // LANES):
            block, start = words[first // LANES + part], part * LANES
            of_lanes = steps[start : start + LANES]
            total = sums[first + start : first + start + LANES]
            for lane in range(LANES):
                total[lane] = 0
            for group in range(groups):
                a = panel[4 * group, start : start + LANES]
                b = panel[4 * group + 1, start : start + LANES]
                c = panel[4 * group + 2, start : start + LANES]
                d = panel[4 * group + 3, start : start + LANES]
                to = block[group]
                for lane in range(LANES):
                    step = of_lanes[lane]
                    first_one, second = np.int32(rounded(a[lane] / step)), np.int32(rounded(b[lane] / step))
                    third, fourth = np.int32(rounded(c[lane] / step)), np.int32(rounded(d[lane] / step))
                    total[lane] += first_one + second + third + fourth
                    to[lane] = (
                        (first_one & 255) | (second & 255) << 8 | (third & 255) << 16 | (fourth & 255) << 24
                    )
            for lane in range(LANES):
                scales[first + start + lane] = of_lanes[lane] if first + start + lane < outputs else _ZERO
    return is_finite


@kernel
def round_rows(
    weight: Floats, factors: Floats, signs: Floats, rest: Floats, numbers: Int16s, scales: Floats
) -> bool:
    """Round rows of a table to 16 bits, rotated; return whether all its numbers are finite.

    Args:
        weight, factors, signs, rest: as in `round_and_pack`.
        numbers: (rows, width).
        scales: (rows,).
    """
    rows, width = weight.shape
    panel, room = np.empty((width, PANEL), np.float32), np.empty((len(rest), PANEL), np.float32)
    steps = np.empty(PANEL, np.float32)
    is_finite = True
    for first in range(0, rows, PANEL):
        _load_panel(weight, first, factors, signs, rest, panel, room)
        is_finite = _scales_of(panel, _LARGEST_OF_TABLE, steps) and is_finite
        for lane in range(min(PANEL, rows - first)):
            line, step = numbers[first + lane], steps[lane]
            for i in range(width):
                line[i] = np.int16(rounded(panel[i, lane] / step))
            scales[first + lane] = step
    return is_finite


@kernel
def fold_columns(weight: Floats, factors: Floats, signs: Floats, rest: Floats, columns: Floats) -> bool:
    """Write outputs of a weight as columns, rotated but not rounded; return whether all are finite.

    Args:
        weight, factors, signs, rest: as in `round_and_pack`.
        columns: (inputs, outputs).
    """
    outputs, inputs = weight.shape
    panel, room = np.empty((inputs, PANEL), np.float32), np.empty((len(rest), PANEL), np.float32)
    steps = np.empty(PANEL, np.float32)
    is_finite = True
    for first in range(0, outputs, PANEL):
        _load_panel(weight, first, factors, signs, rest, panel, room)
        is_finite = _scales_of(panel, _LARGEST, steps) and is_finite
        for i in range(inputs):
            for lane in range(min(PANEL, outputs - first)):
                columns[i, first + lane] = panel[i, lane]
    return is_finite

"""Numbers of a row as digits: -127 to 127 times a scale for each 32 of them.

Rows of a pass lie in tiles of eight, block by block within a tile and as close as the tile is narrow: a
product reads them in one sweep, whatever their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from quire_engine.integer.block_forms import BLOCK
from quire_engine.integer.compiled_products import place_of, products_address
from quire_engine.integer.float_code import ROUNDER, larger, over_lanes
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.llvm_code import (
    FLOAT,
    I8,
    I32,
    LANES,
    Builder,
    Value,
    cgutils,
    intrinsic,
    load,
    number,
    same,
    splat,
    store,
    vector,
)

Floats = npt.NDArray[np.float32]
Int32s = npt.NDArray[np.int32]

_LEAST = 1e-30
"""A block whose numbers are smaller has zeros."""
_FLOATS, _SUMS = vector(FLOAT), vector(I32)
_ZERO = np.float32(0.0)


class Digits(NamedTuple):
    """Digits of the rows of a pass, see `place_of`.

    Attributes:
        values: 32 of each row and block.
        scales: what one digit of a block stands for.
        sums: minus the sum of its digits; halves: of the first 16.
        products: address of what multiplies them, see `block_product`.
    """

    values: npt.NDArray[np.int8]
    scales: Floats
    sums: Int32s
    halves: Int32s
    products: Any


def new_digits(rows: int, inputs: int) -> Digits:
    """Allocate for at most this many rows and inputs."""
    count = rows * -(-inputs // BLOCK) + 1  # the last one is read in vain
    return Digits(
        np.zeros(count * BLOCK, np.int8),
        np.zeros(count, np.float32),
        np.zeros(count, np.int32),
        np.zeros(count, np.int32),
        products_address(),
    )


@intrinsic
def _cut_blocks(
    _typing: Any, numbers: Any, count: Any, values: Any, scales: Any, sums: Any, halves: Any, step: Any
) -> Any:
    """Cut blocks of float32 numbers; addresses of the first ones, and how many blocks lie between two."""

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        numbers, count, values, scales, sums, halves, step = arguments
        with cgutils.for_range(b, count) as loop:
            first = b.mul(loop.index, number(2))
            pair = [load(b, numbers, _FLOATS, b.add(first, number(each))) for each in range(2)]
            place = b.mul(loop.index, step)
            inverse = _store_scale(b, pair, scales, place)
            totals = []
            for each, part in enumerate(pair):
                scaled = b.fadd(b.fmul(part, inverse), same(_FLOATS, ROUNDER))
                digits = b.trunc(b.bitcast(scaled, _SUMS), vector(I8))
                store(b, digits, values, b.add(b.mul(place, number(2)), number(each)))
                totals.append(over_lanes(b, b.sext(digits, _SUMS), lambda c, left, right: c.add(left, right)))
            store(b, b.neg(totals[0]), halves, place)
            store(b, b.neg(b.add(*totals)), sums, place)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 7), generate


def _store_scale(b: Builder, pair: list[Value], scales: Value, place: Value) -> Value:
    """Write the scale of a block; return what its numbers are multiplied by, in each lane."""
    sizes = [b.bitcast(b.and_(b.bitcast(part, _SUMS), same(_SUMS, 0x7FFFFFFF)), _FLOATS) for part in pair]
    top = over_lanes(b, larger(b, *sizes), larger)
    top = larger(b, top, same(FLOAT, float(np.float32(_LEAST))))
    store(b, b.fdiv(top, same(FLOAT, 127.0)), scales, place)
    return splat(b, b.fdiv(same(FLOAT, 127.0), top), LANES)


@kernel
def cut_row(values: Floats, row: int, rows: int, digits: Digits) -> None:
    """Cut a row of a pass into digits.

    Args:
        values: (inputs,), contiguous; a last block that isn't whole is filled with zeros.
        row, rows: which row it is, and how many the pass has.
        digits: as from `new_digits`.
    """
    blocks = -(-len(values) // BLOCK)
    place, step = place_of(row, rows, blocks)
    at = (
        digits.values.ctypes.data + BLOCK * place,
        digits.scales.ctypes.data + 4 * place,
        digits.sums.ctypes.data + 4 * place,
        digits.halves.ctypes.data + 4 * place,
    )
    whole = len(values) // BLOCK
    _cut_blocks(values.ctypes.data, whole, at[0], at[1], at[2], at[3], step)
    if whole < blocks:
        last = np.zeros(BLOCK, np.float32)
        for j in range(whole * BLOCK, len(values)):
            last[j - whole * BLOCK] = values[j]
        behind = whole * step
        _cut_blocks(
            last.ctypes.data,
            1,
            at[0] + BLOCK * behind,
            at[1] + 4 * behind,
            at[2] + 4 * behind,
            at[3] + 4 * behind,
            step,
        )


@kernel
def move_row(
    source: Digits, row: int, rows: int, target: Digits, place: int, places: int, inputs: int
) -> None:
    """Copy one row of a pass of `rows` rows to a place among `places`."""
    blocks = -(-inputs // BLOCK)
    start, step = place_of(row, rows, blocks)
    to, width = place_of(place, places, blocks)
    for block in range(blocks):
        old, new = start + block * step, to + block * width
        for j in range(BLOCK):
            target.values[new * BLOCK + j] = source.values[old * BLOCK + j]
        target.scales[new] = source.scales[old]
        target.sums[new] = source.sums[old]
        target.halves[new] = source.halves[old]

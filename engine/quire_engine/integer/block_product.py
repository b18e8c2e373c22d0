"""Rows of a pass times packed weights: a row has the same bits alone and among others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.block_code import call_products, read_block
from quire_engine.integer.block_digits import Digits
from quire_engine.integer.block_forms import BLOCK, GROUP, UNIT_BLOCKS, UNIT_BYTES
from quire_engine.integer.kernel_kinds import kernel

Floats = npt.NDArray[np.float32]


@njit(inline="always")
def groups_of(outputs: int) -> int:
    """Return the number of runs that hold these outputs."""
    return -(-outputs // GROUP)


@njit(inline="always")
def units_of(form: int, inputs: int) -> int:
    """Return the units of a run."""
    count: int = -(-inputs // (BLOCK * UNIT_BLOCKS[form]))
    return count


@kernel
def project_blocks(
    address: int,
    form: int,
    inputs: int,
    digits: Digits,
    rows: int,
    first: int,
    last: int,
    outputs: int,
    out: Floats,
    column: int,
) -> None:
    """Write the products of all rows of a pass with the groups [first, last) of 16 outputs.

    Args:
        address, form, inputs, outputs: of a `PackedWeight`.
        digits: of `rows` rows, as from `cut_row`.
        out: (rows, columns), contiguous; `column` is where the first output of the weight belongs.
    """
    units, line = units_of(form, inputs), out.strides[0]
    run = units * UNIT_BYTES[form]
    whole = max(first, min(last, outputs // GROUP))
    start = address + first * run
    to = out.ctypes.data + 4 * (column + GROUP * first)
    _project(start, form, whole - first, units, digits, rows, to, line)
    if whole < last:
        short = np.empty((rows, GROUP), np.float32)
        start, line = address + whole * run, short.strides[0]
        _project(start, form, 1, units, digits, rows, short.ctypes.data, line)
        for row in range(rows):
            for j in range(outputs - whole * GROUP):
                out[row, column + whole * GROUP + j] = short[row, j]


@njit(inline="always")
def _project(
    weights: int, form: int, groups: int, units: int, digits: Digits, rows: int, to: int, line: int
) -> None:
    call_products(
        digits.products,
        form,
        weights,
        groups,
        units,
        rows,
        digits.values.ctypes.data,
        digits.scales.ctypes.data,
        digits.sums.ctypes.data,
        digits.halves.ctypes.data,
        to,
        line,
    )


@kernel
def read_row(address: int, form: int, inputs: int, row: int, out: Floats) -> None:
    """Write the numbers that one output of a packed weight stands for. out: (inputs,)."""
    blocks = UNIT_BLOCKS[form]
    unit = address + row // GROUP * units_of(form, inputs) * UNIT_BYTES[form]
    found = np.empty((BLOCK, GROUP), np.float32)
    for block in range(-(-inputs // BLOCK)):
        read_block(form, unit + block // blocks * UNIT_BYTES[form], block % blocks, found.ctypes.data)
        for j in range(min(BLOCK, inputs - block * BLOCK)):
            out[block * BLOCK + j] = found[j, row % GROUP]


@kernel
def read_rows(address: int, form: int, inputs: int, first: int, out: Floats) -> None:
    """Write the numbers of some outputs, from the first one of a group on. out: (outputs, inputs)."""
    blocks = UNIT_BLOCKS[form]
    found = np.empty((BLOCK, GROUP), np.float32)
    for row in range(0, len(out), GROUP):
        unit = address + (first + row) // GROUP * units_of(form, inputs) * UNIT_BYTES[form]
        for block in range(-(-inputs // BLOCK)):
            read_block(form, unit + block // blocks * UNIT_BYTES[form], block % blocks, found.ctypes.data)
            for lane in range(min(GROUP, len(out) - row)):
                for j in range(min(BLOCK, inputs - block * BLOCK)):
                    out[row + lane, block * BLOCK + j] = found[j, lane]

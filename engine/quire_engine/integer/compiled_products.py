"""The products of all forms, compiled once and called by their address.

A kernel that calls another one is compiled together with it, each time anew; these take seven seconds.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
from numba import cfunc, njit, types

from quire_engine.integer.block_code import CASES, add_groups
from quire_engine.integer.block_forms import BLOCK, UNIT_BLOCKS, UNIT_BYTES

TILE = 8
"""Rows of a tile; the last one of a pass has those that are left."""
_KEPT = 65536
"""Bytes of weights that the next rows find in the processor's second cache."""
_CASE_FOR = np.array(
    [min([each for each in CASES if each >= rows] or [max(CASES)]) for rows in range(TILE + 1)]
)
"""By the rows that are left of a tile: how many are computed at once."""


@njit(inline="always")
def place_of(row: int, rows: int, blocks: int) -> tuple[int, int]:
    """Return the place of a row's first block, and the distance to its next."""
    tile = row // TILE
    return tile * TILE * blocks + row % TILE, min(TILE, rows - tile * TILE)


@cache
def products_address() -> int:
    """Return where the compiled products are; the first call compiles them, or loads what was kept."""
    compiled = cast("Any", cfunc(types.void(*[types.int64] * 11), cache=True, error_model="numpy")(_multiply))
    return int(compiled.address)


def _multiply(
    form: int,
    weights: int,
    groups: int,
    units: int,
    rows: int,
    digits: int,
    scales: int,
    sums: int,
    halves: int,
    out: int,
    line: int,
) -> None:
    """Write the products of all rows of a pass with some runs.

    Args:
        weights: address of the first run; units: of each.
        digits, scales, sums, halves: addresses of `Digits`.
        out: address of the first row's outputs; line: bytes to the next row's.
    """
    blocks, run = units * UNIT_BLOCKS[form], units * UNIT_BYTES[form]
    step = max(1, _KEPT // run if rows > CASES[-1] else groups)
    for group in range(0, groups, step):
        row = 0
        while row < rows:
            place, width = place_of(row, rows, blocks)
            count = _CASE_FOR[width - row % TILE]
            add_groups(
                form,
                count,
                width - row % TILE,
                weights + group * run,
                min(step, groups - group),
                units,
                UNIT_BLOCKS[form],
                width,
                digits + BLOCK * place,
                scales + 4 * place,
                sums + 4 * place,
                halves + 4 * place,
                out + 64 * group + row * line,
                line,
            )
            row += count

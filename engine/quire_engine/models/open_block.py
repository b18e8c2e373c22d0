"""Which keys of the open block each row of a decode pass sees, laid out on the host."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from quire_engine.models.attention import BLOCK


def lay_out_tails(slots: npt.NDArray[np.int64], start: int, parents: Sequence[int]) -> list[int]:
    """Fill the store slots that the nodes of a tree see in the open block; return how many each one sees.

    Args:
        slots: (nodes or more, BLOCK).
        start: position of the root. ValueError when a path leaves the block.
    """
    count = len(parents)
    block_start = start // BLOCK * BLOCK
    in_block = start - block_start
    slots[:count, :in_block] = np.arange(block_start, start)
    ends: list[int] = []
    for row in range(count):
        path = _path_to(row, parents)
        end = in_block + len(path)
        if end > BLOCK:
            raise ValueError("a tree may not cross a block boundary")
        slots[row, in_block:end] = np.add(path, start)
        slots[row, end:] = 0
        ends.append(end)
    return ends


def _path_to(row: int, parents: Sequence[int]) -> list[int]:
    """Return the nodes from the root to `row`, both included."""
    path: list[int] = []
    while row >= 0:
        path.append(row)
        row = parents[row]
    return path[::-1]

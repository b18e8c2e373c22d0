"""Which weights of a model come from which rows of a tensor in a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Order = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive rows of a source tensor that become one weight.

    Attributes:
        name, shape: of the weight.
        num_rows: rows of the source; a vector has one number per row.
        order: rows of the weight, as rows of this piece; None: as they are.
        added: is added to every number.
    """

    name: str
    shape: tuple[int, ...]
    num_rows: int
    order: Order | None = None
    added: float = 0.0


def rows_and_width(shape: Sequence[int]) -> tuple[int, int]:
    """Return a tensor's rows and the numbers in one; every axis but the last counts rows."""
    if len(shape) == 1:
        return shape[0], 1
    return math.prod(shape[:-1]), shape[-1]


def whole(name: str, shape: Sequence[int], order: Order | None = None, added: float = 0.0) -> Piece:
    """Return the piece that is all of a tensor."""
    return Piece(name, tuple(shape), rows_and_width(shape)[0], order, added)


def split(names: Sequence[str], sizes: Sequence[int], shape: Sequence[int]) -> list[Piece]:
    """Cut a matrix or vector by rows into several weights."""
    rest = tuple(shape[1:])
    return [Piece(name, (size, *rest), size) for name, size in zip(names, sizes, strict=True)]


def stacked(names: Sequence[str], shape: Sequence[int]) -> list[Piece]:
    """Cut a tensor along its first axis, which disappears: experts, or the norms of heads."""
    rest = tuple(shape[1:])
    rows = math.prod(rest[:-1]) if len(rest) > 1 else 1
    return [Piece(name, rest, rows) for name in names]


def halves_apart(rows: int, num_heads: int) -> Order:
    """Return the order that puts the even rows of a head before its odd ones.

    GGUF files of some families keep the two numbers of a rotated pair side by side; the library expects the
    first numbers of all pairs, then the second ones.
    """
    dim = rows // num_heads
    return np.arange(rows).reshape(num_heads, dim // 2, 2).swapaxes(1, 2).reshape(-1)


def interleaved(rows: int, num_heads: int) -> Order:
    """Return the order that puts query, key and value of a head together, from all queries first."""
    dim = rows // (3 * num_heads)
    return np.arange(rows).reshape(3, num_heads, dim).swapaxes(0, 1).reshape(-1)

"""Sines and cosines of the angles of positions, with the same bits on every processor."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Int64s = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

_AT_ONCE = 1024
"""Positions by which the tables of angles grow."""
_TWO_OVER_PI = 0.6366197723675814
# pi / 2 in three parts of 33 bits, so that products with whole numbers below 2^20 are exact
_PART_1, _PART_2, _PART_3 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
_SINES = (-1 / 6, 1 / 120, -1 / 5040, 1 / 362_880, -1 / 39_916_800, 1 / 6_227_020_800, -1 / 1_307_674_368_000)
_COSINES = (-1 / 2, 1 / 24, -1 / 720, 1 / 40_320, -1 / 3_628_800, 1 / 479_001_600, -1 / 87_178_291_200)


def cos_and_sin(angles: Doubles) -> tuple[Floats, Floats]:
    """Return the cosines and sines of angles from 0 to a million, in float32.

    Only additions and products, in a fixed order: numpy's own functions differ between instruction sets.
    """
    turns = np.rint(angles * _TWO_OVER_PI)
    rest = ((angles - turns * _PART_1) - turns * _PART_2) - turns * _PART_3
    square = rest * rest
    sine, cosine = rest + rest * (square * _series(square, _SINES)), 1.0 + square * _series(square, _COSINES)
    quadrant = turns.astype(np.int64) & 3
    odd = quadrant % 2 == 1
    cos = np.where(odd, sine, cosine) * np.where((quadrant == 1) | (quadrant == 2), -1.0, 1.0)
    sin = np.where(odd, cosine, sine) * np.where(quadrant >= 2, -1.0, 1.0)
    return cos.astype(np.float32), sin.astype(np.float32)


def _series(square: Doubles, factors: tuple[float, ...]) -> Doubles:
    """Return the sum of factors times powers of a square, the last one first."""
    result = np.full_like(square, factors[-1])
    for factor in factors[-2::-1]:
        result = result * square + factor
    return result


def query_factors(positions: Int64s, growth: float, trained: int) -> Floats:
    """Return by what queries are multiplied, the more often a text is longer than what a model learned from.

    Rounded to float32, as before that the logarithms of two systems may differ in the last bit.
    """
    if not growth:
        return np.ones(len(positions), np.float32)
    return np.array([1 + growth * math.log(1 + each // trained) for each in positions.tolist()], np.float32)


class AngleTables:
    """Cosines and sines of positions, as far as somebody asked for them: all of a context take seconds.

    Args:
        frequencies: (tables, half of the rotated numbers), radians per position.
        scales: (tables,) factors of cosines and sines.
    """

    def __init__(self, frequencies: Doubles, scales: Floats) -> None:
        self._frequencies, self._scales = frequencies[:, None, :], scales[:, None, None]
        none = np.zeros((len(frequencies), 0, frequencies.shape[1]), np.float32)
        self._tables = none, none

    def of(self, positions: Int64s) -> tuple[Floats, Floats]:
        """Return those of some positions, (tables, positions, half of the rotated numbers)."""
        tables = self._tables
        if (count := int(positions.max(initial=-1)) + 1) > tables[0].shape[1]:
            tables = self._tables = self._grown(count)  # another thread may do the same at the same time
        # contiguous, as indexing would not leave them: kernels are compiled for each layout apart
        cos, sin = (np.take(table, positions, axis=1) for table in tables)
        return cos, sin

    def _grown(self, count: int) -> tuple[Floats, Floats]:
        old = self._tables
        places = np.arange(old[0].shape[1], -(-count // _AT_ONCE) * _AT_ONCE, dtype=np.float64)
        new = cos_and_sin(places[None, :, None] * self._frequencies)
        cos, sin = (np.concatenate([a, b * self._scales], axis=1) for a, b in zip(old, new, strict=True))
        return cos, sin

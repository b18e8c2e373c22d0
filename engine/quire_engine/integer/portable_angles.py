"""Sines and cosines of the angles of positions, with the same bits on every processor."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

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

"""Functions of real numbers with the same bits on every processor.

The processor's own additions, multiplications, divisions and square roots are exact to the last bit by IEEE
754.
Everything else comes from a library of the system or of numpy, which differ by a bit between versions and
instruction sets. So what passes need of it is made of the former, in a fixed order, without fused operations.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from quire_engine.integer.vector_code import power_of_two

_LOG2_E = np.float32(1.44269504)
_LN2_HIGH = np.float32(0.693359375)
_LN2_LOW = np.float32(-2.12194440e-4)
ROUNDER = np.float32(12582912.0)
"""1.5 * 2^23: added to a number below 2^22 it rounds it to the nearest integer, ties to even, in the lowest
bits."""
_LEAST = np.float32(-87.0)
_MOST = np.float32(88.0)
# Cephes' polynomial for exp(r) - 1 - r over r^2, |r| <= ln(2) / 2
_P0, _P1, _P2 = np.float32(1.9875691500e-4), np.float32(1.3981999507e-3), np.float32(8.3334519073e-3)
_P3, _P4, _P5 = np.float32(4.1665795894e-2), np.float32(1.6666665459e-1), np.float32(5.0000001201e-1)
_ONE, _ZERO = np.float32(1.0), np.float32(0.0)


@njit(inline="always", error_model="numpy")
def rounded(x: np.float32) -> np.float32:
    """Return the nearest integer, ties to even, of a number below 2^22."""
    return (x + ROUNDER) - ROUNDER


@njit(inline="always", error_model="numpy")
def exp(x: np.float32) -> np.float32:
    """Return e^x to about one unit in the last place; 0 below -87."""
    bounded = x if x > _LEAST else _LEAST
    bounded = bounded if bounded < _MOST else _MOST
    shifted = bounded * _LOG2_E + ROUNDER
    n = shifted - ROUNDER
    r = (bounded - n * _LN2_HIGH) - n * _LN2_LOW
    p = ((((_P0 * r + _P1) * r + _P2) * r + _P3) * r + _P4) * r + _P5
    y = (p * (r * r) + r) + _ONE
    return y * power_of_two(shifted) if x >= _LEAST else _ZERO


@njit(inline="always", error_model="numpy")
def silu(x: np.float32) -> np.float32:
    """Return x / (1 + e^-x)."""
    return x / (_ONE + exp(-x))

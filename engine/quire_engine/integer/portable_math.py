"""Functions of real numbers with the same bits on every processor.

The processor's own additions, multiplications, divisions and square roots are exact to the last bit by IEEE
754. Everything else comes from a library of the system or of numpy, which differ by a bit between versions
and instruction sets. So what passes need of it is made of the former, in a fixed order, and nothing is fused.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from quire_engine.integer import float_code
from quire_engine.integer.float_code import exp

__all__ = ["ROUNDER", "exp", "rounded", "silu"]

_ONE = np.float32(1.0)
ROUNDER = np.float32(float_code.ROUNDER)
"""1.5 * 2^23: added to a number below 2^22 it rounds it to the nearest integer, ties to even, in the lowest
bits."""


@njit(inline="always", error_model="numpy")
def rounded(x: np.float32) -> np.float32:
    """Return the nearest integer, ties to even, of a number below 2^22."""
    return (x + ROUNDER) - ROUNDER


@njit(inline="always", error_model="numpy")
def silu(x: np.float32) -> np.float32:
    """Return x / (1 + e^-x)."""
    result: np.float32 = x / (_ONE + exp(-x))
    return result

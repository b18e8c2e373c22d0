"""What is done to one row between two products: norms, activations, and cutting numbers into digits.

A row's numbers become digits of -127 to 127 times one scale. A layer whose inputs have outliers gets a
second digit for what the first one leaves, a 254th of its steps; it is one more row of the same product.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer import product_kernel
from quire_engine.integer.float_code import largest_size_of, low_byte, low_short, sum_of_squares
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.portable_math import ROUNDER, rounded
from quire_engine.integer.vector_code import DIGIT_BYTES, LANES, OFFSET

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

LARGEST = np.float32(127.0)
_SECOND = np.float32(product_kernel.SECOND)
_LEAST = np.float32(1e-30)
_STORED = ROUNDER + np.float32(OFFSET)
_DIGIT = np.int8 if DIGIT_BYTES == 1 else np.int16


@njit(inline="always")
def as_digits(row: Bytes) -> npt.NDArray[Any]:
    """Return a row of digits as numbers that can be written."""
    return row.view(_DIGIT)


_stored = low_byte if DIGIT_BYTES == 1 else low_short


@kernel
def largest_size(values: Floats) -> np.float32:
    """Return the largest absolute value of some numbers, or 1e-30 if that is larger."""
    whole = len(values) // LANES * LANES
    top: np.float32 = largest_size_of(values.ctypes.data, whole)
    for j in range(whole, len(values)):
        top = max(top, abs(values[j]))
    return max(top, _LEAST)


@kernel
def cut(values: Floats, width: int, two: bool, high: Bytes, low: Bytes) -> np.float32:
    """Cut a row into digits; return their scale.

    Args:
        values: (width or more,).
        two: fill the second digits as well.
        high, low: rows of `new_digits`.
    """
    top = largest_size(values[:width])
    inverse = LARGEST / top
    first = as_digits(high)
    if two:
        second = as_digits(low)
        for j in range(width):
            scaled = values[j] * inverse
            first[j] = _stored(scaled + _STORED)
            second[j] = _stored((scaled - rounded(scaled)) * _SECOND + _STORED)
    else:
        for j in range(width):
            first[j] = _stored(values[j] * inverse + _STORED)
    return top / LARGEST


@kernel
def cut_wide(values: Floats, width: int, out: Bytes) -> np.float32:
    """Cut a row into both digits, as one number of 16 bits: 254 times the first one and the second.

    out: a row of `new_digits` whose digits have two bytes.
    """
    top = largest_size(values[:width])
    inverse = LARGEST / top
    both = out.view(np.int16)
    for j in range(width):
        scaled = values[j] * inverse
        first = rounded(scaled)
        second = rounded((scaled - first) * _SECOND)
        both[j] = low_short(first * _SECOND + second + ROUNDER)
    return top / LARGEST


@kernel
def reciprocal_rms(values: Floats, width: int, eps: float) -> np.float32:
    """Return 1 / sqrt(mean(x^2) + eps) of a row; its squares are added in float64."""
    whole = width // LANES * LANES
    total = sum_of_squares(values.ctypes.data, whole)
    for j in range(whole, width):
        x = np.float64(values[j])
        total += x * x
    return np.float32(1.0 / math.sqrt(total / width + eps))

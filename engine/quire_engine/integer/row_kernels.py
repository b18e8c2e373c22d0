"""What is done to one row between two products: norms, activations, and cutting numbers into digits.

A row's numbers become digits of -127 to 127 times one scale. A layer whose inputs have outliers gets a
second digit
for what the first one leaves, a 254th of its steps; it is one more row of the same product.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.portable_math import ROUNDER, rounded, silu
from quire_engine.integer.vector_code import DIGIT_BYTES, OFFSET, largest_size_of, low_byte, low_short

Floats = npt.NDArray[np.float32]
Int32s = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]

LARGEST = np.float32(127.0)
SECOND = np.float32(254.0)
"""Steps of the second digit in one of the first."""
_LEAST = np.float32(1e-30)
_SUMS = 16


_STORED = ROUNDER + np.float32(OFFSET)


_DIGIT = np.int8 if DIGIT_BYTES == 1 else np.int16


@njit(inline="always")
def as_digits(row: Bytes) -> npt.NDArray[Any]:
    """Return a row of digits as numbers that can be written."""
    return row.view(_DIGIT)


_stored = low_byte if DIGIT_BYTES == 1 else low_short


@njit(nogil=True, error_model="numpy", cache=True)
def cut(values: Floats, width: int, two: bool, high: Bytes, low: Bytes) -> np.float32:
    """Cut a row into digits; return their scale.

    Args:
        values: (width or more,).
        two: fill the second digits as well.
        high, low: rows of `new_digits`.
    """
    top: np.float32 = largest_size_of(values.ctypes.data, width // _SUMS * _SUMS)
    for j in range(width // _SUMS * _SUMS, width):
        top = max(top, abs(values[j]))
    top = max(top, _LEAST)
    inverse = LARGEST / top
    first = as_digits(high)
    if two:
        second = as_digits(low)
        for j in range(width):
            scaled = values[j] * inverse
            first[j] = _stored(scaled + _STORED)
            second[j] = _stored((scaled - rounded(scaled)) * SECOND + _STORED)
    else:
        for j in range(width):
            first[j] = _stored(values[j] * inverse + _STORED)
    return top / LARGEST


@njit(nogil=True, error_model="numpy", cache=True)
def reciprocal_rms(values: Floats, width: int, eps: float) -> np.float32:
    """Return 1 / sqrt(mean(x^2) + eps) of a row; its squares are added in 16 fixed sums of float64."""
    sums = np.zeros(_SUMS, np.float64)
    whole = width // _SUMS * _SUMS
    for start in range(0, whole, _SUMS):
        for lane in range(_SUMS):
            x = np.float64(values[start + lane])
            sums[lane] += x * x
    for j in range(whole, width):
        x = np.float64(values[j])
        sums[j - whole] += x * x
    total = 0.0
    for lane in range(_SUMS):
        total += sums[lane]
    return np.float32(1.0 / math.sqrt(total / width + eps))


@njit(nogil=True, error_model="numpy", cache=True)
def scaled_sums(
    sums: Int32s,
    row: int,
    two: bool,
    scale: np.float32,
    scales: Floats,
    bias: Floats,
    count: int,
    out: Floats,
) -> None:
    """Write what the sums of one row stand for into out.

    Args:
        sums: (rows, outputs); with two digits, a row's are 2 * row and 2 * row + 1.
        scale: of the row.
        scales: of the outputs, (outputs or more,).
        bias: (outputs,) or empty.
    """
    target, of_outputs = out[:count], scales[:count]
    if two:
        factor = np.float64(scale) / np.float64(SECOND)
        high, low = sums[2 * row, :count], sums[2 * row + 1, :count]
        for j in range(len(target)):
            exact = np.float64(high[j]) * np.float64(SECOND) + np.float64(low[j])
            target[j] = np.float32(exact * (factor * np.float64(of_outputs[j])))
    else:
        line = sums[row, :count]
        for j in range(len(target)):
            target[j] = np.float32(line[j]) * (scale * of_outputs[j])
    if len(bias):
        for j in range(len(target)):
            target[j] += bias[j]


@njit(nogil=True, error_model="numpy", cache=True)
def gated(values: Floats, count: int) -> None:
    """Replace the first half of a row, gates, by silu(gate) * up."""
    gates, ups = values[:count], values[count : 2 * count]
    for j in range(len(gates)):
        gates[j] = silu(gates[j]) * ups[j]

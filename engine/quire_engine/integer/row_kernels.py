"""Operations on one row between two products: norms, and additions to the residuals."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from quire_engine.integer.float_code import largest_size_of, sum_of, sum_of_squares
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.vector_code import LANES

Floats = npt.NDArray[np.float32]

LARGEST = np.float32(127.0)
_LEAST = np.float32(1e-30)


@kernel
def largest_size(values: Floats) -> np.float32:
    """Return the largest absolute value of some numbers, or 1e-30 if that is larger."""
    whole = len(values) // LANES * LANES
    top: np.float32 = largest_size_of(values.ctypes.data, whole)
    for j in range(whole, len(values)):
        top = max(top, abs(values[j]))
    return max(top, _LEAST)


@kernel
def reciprocal_rms(values: Floats, eps: float) -> np.float32:
    """Return 1 / sqrt(mean(x^2) + eps) of a row; its squares are added in float64."""
    width = len(values)
    whole = width // LANES * LANES
    total = sum_of_squares(values.ctypes.data, whole)
    for j in range(whole, width):
        x = np.float64(values[j])
        total += x * x
    return np.float32(1.0 / math.sqrt(total / width + eps))


@kernel
def mean_of(values: Floats) -> np.float32:
    """Return the mean of a row, which is added up in float64."""
    whole = len(values) // LANES * LANES
    total = sum_of(values.ctypes.data, whole)
    for j in range(whole, len(values)):
        total += np.float64(values[j])
    return np.float32(total / len(values))


@kernel
def norm_row(
    values: Floats, weight: Floats, bias: Floats, subtracts_mean: bool, eps: float, out: Floats
) -> None:
    """Write a row normed: times the weight, and plus the bias unless that is empty."""
    mean = mean_of(values) if subtracts_mean else np.float32(0.0)
    for j in range(len(values)):
        out[j] = values[j] - mean
    factor = reciprocal_rms(out, eps)
    for j in range(len(values)):
        out[j] = (out[j] * factor) * weight[j]
    if len(bias):
        for j in range(len(values)):
            out[j] += bias[j]

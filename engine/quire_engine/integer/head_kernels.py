"""What is done to the numbers of one head between the product that makes them and the attention."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quire_engine.integer.attention_kernel import KEY_PART, QUERY_TOP
from quire_engine.integer.float_code import low_byte, low_short
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.portable_math import ROUNDER
from quire_engine.integer.row_kernels import LARGEST, largest_size, reciprocal_rms

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Floats = npt.NDArray[np.float32]


@kernel
def rotate(vector: Floats, cos: Floats, sin: Floats) -> None:
    """Rotate a head's numbers by its position; those behind the angles stay as they are."""
    half = len(cos)
    left, right = vector[:half], vector[half : 2 * half]
    for d in range(half):
        x, y = left[d], right[d]
        left[d] = x * cos[d] - y * sin[d]
        right[d] = y * cos[d] + x * sin[d]


@kernel
def norm_head(vector: Floats, weight: Floats, eps: float) -> None:
    """Norm a head's numbers."""
    factor = reciprocal_rms(vector, eps)
    for d in range(len(vector)):
        vector[d] = (vector[d] * factor) * weight[d]


@kernel
def byte_digits(vector: Floats, out: Int8s) -> np.float32:
    """Cut numbers into digits of -127 to 127; return their scale."""
    top = largest_size(vector)
    inverse = LARGEST / top
    for d in range(len(vector)):
        out[d] = low_byte(vector[d] * inverse + ROUNDER)
    return top / LARGEST


@kernel
def key_digits(vector: Floats, out: Int8s, scales: Floats) -> None:
    """Cut a key into digits, each 32 of its numbers by a scale of their own."""
    for part in range(len(scales)):
        start, end = part * KEY_PART, min(len(vector), (part + 1) * KEY_PART)
        scales[part] = byte_digits(vector[start:end], out[start:end])


@kernel
def query_digits(vector: Floats, scaling: np.float32, out: Int16s) -> np.float32:
    """Cut a query into digits of -8191 to 8191; return their scale, times that of the attention."""
    top = largest_size(vector)
    inverse = QUERY_TOP / top
    for d in range(len(vector)):
        out[d] = low_short(vector[d] * inverse + ROUNDER)
    return (top / QUERY_TOP) * scaling

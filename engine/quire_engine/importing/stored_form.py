"""What a weight becomes when it is imported; the only place that knows the form of imported weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
DTYPE = "BF16"
"""The name of the form in a safetensors header."""
ITEM_BYTES = 2


def stored(weights: Floats) -> bytes:
    """Round float32 to bfloat16, to the nearest and ties to even, as torch does. No value may be NaN."""
    bits = np.ascontiguousarray(weights, dtype=np.float32).view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = (bits + np.uint32(0x7FFF) + odd) >> np.uint32(16)
    return rounded.astype("<u2").tobytes()


def is_sound(weights: Floats) -> bool:
    """Say whether every number is finite, also after rounding."""
    largest = np.float32(3.3895e38)  # the largest bfloat16
    return bool(np.all(np.abs(weights) <= largest))

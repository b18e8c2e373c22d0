"""Gumbel noise keyed by position: a pure function of seed, stream index and token id.

The noise of every position is fixed before anything is decoded, so a run has no random state: the same seed
gives the same text however its tokens were decoded. Drafters rank with the same noise ahead of time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]

LARGEST = 16.64
"""No noise exceeds it: -log(-log(1 - 2^-24)) is 16.6355."""
SMALLEST = -2.82
"""No noise falls below it: -log(-log(2^-24)) is -2.8113."""
_MASK32 = 0xFFFFFFFF
_MASK64 = 0xFFFFFFFFFFFFFFFF


def position_key(seed: int, index: int) -> int:
    """Return the 64-bit key of a stream index; two rounds of splitmix64."""
    return _splitmix64(_splitmix64(seed) ^ index)


def gumbel(seed: int, index: int, token_ids: Ids) -> npt.NDArray[np.float64]:
    """Return Gumbel(0, 1) noise for these ids at a stream index. token_ids: (n,) int64 -> (n,) float64.

    The hash is integer arithmetic, the same everywhere; the two logarithms are numpy's double ones on the
    host, whatever device the model runs on, so that one implementation decides.
    """
    # 23 bits, and never 0 or 1, so both logarithms are finite
    uniform = (random_bits(seed, index, token_ids).astype(np.float64) * 2 + 1) * 2.0**-24
    return -np.log(-np.log(uniform))


def random_bits(seed: int, index: int, token_ids: Ids) -> Ids:
    """Return 23 random bits for each id at a stream index. token_ids: (n,) int64.

    Products wider than 63 bits wrap around; only their low 32 bits are used, which stay right.
    """
    key = position_key(seed, index)
    x = (token_ids * 0x9E3779B1 + (key & _MASK32)) & _MASK32
    for half in (0, key >> 32):
        x = (x ^ half) & _MASK32
        x = x ^ (x >> 16)
        x = (x * 0x7FEB352D) & _MASK32
        x = x ^ (x >> 15)
        x = (x * 0x846CA68B) & _MASK32
        x = x ^ (x >> 16)
    return x >> 9


def _splitmix64(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK64
    return x ^ (x >> 31)

"""Gumbel noise keyed by position: a pure function of seed, stream index and token id.

The noise of every position is fixed before anything is decoded, so a run has no random state: the same seed
gives the same text however its tokens were decoded. Drafters rank with the same noise ahead of time.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from quire_engine.decoding.portable_functions import Doubles, log

Ids = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint32]

LARGEST = 16.64
"""No noise exceeds it: -log(-log(1 - 2^-24)) is 16.6355."""
SMALLEST = -2.82
"""No noise falls below it: -log(-log(2^-24)) is -2.8113."""
_BITS = 23
_DROPPED = 11  # of the bits, for bounds of the noise
_MARGIN = 1e-9  # far beyond any rounding of the noise
# arrays without axes: numpy takes a third of the time with them
_ID_FACTOR, _FACTOR_1, _FACTOR_2 = (
    np.array(number, dtype=np.uint32) for number in (0x9E3779B1, 0x7FEB352D, 0x846CA68B)
)
_SHIFT_1, _SHIFT_2, _TO_BITS = (np.array(number, dtype=np.uint32) for number in (16, 15, 32 - _BITS))
_STEP, _HALF_STEP = np.array(2.0**-_BITS), np.array(2.0 ** -(_BITS + 1))
_MASK32 = 0xFFFFFFFF
_MASK64 = 0xFFFFFFFFFFFFFFFF


def position_key(seed: int, index: int) -> int:
    """Return the 64-bit key of a stream index; two rounds of splitmix64."""
    return _splitmix64(_splitmix64(seed) ^ index)


def gumbel(seed: int, index: int, token_ids: Ids) -> Doubles:
    """Return Gumbel(0, 1) noise for these ids at a stream index: the same bits on every computer.

    token_ids: (n,) int64 below 2^32.
    """
    return noise_of(random_bits(seed, index, token_ids))


def quick_gumbel(seed: int, index: int, token_ids: Ids) -> Doubles:
    """Return the same noise but for its last bits, by the logarithm of this computer: for drafters.

    Their tokens are proposals, so these bits change no text.
    """
    return -np.log(-np.log(_uniform(random_bits(seed, index, token_ids))))


def random_bits(seed: int, index: int, token_ids: Ids) -> Bits:
    """Return 23 random bits for each id at a stream index. token_ids: (n,) int64 below 2^32."""
    key = position_key(seed, index)
    x = token_ids.astype(np.uint32)
    x *= _ID_FACTOR  # unsigned numbers wrap around
    x += np.uint32(key & _MASK32)
    x = _mixed(x)
    x ^= np.uint32(key >> 32)
    x = _mixed(x)
    x >>= _TO_BITS
    return x


def _mixed(x: Bits) -> Bits:
    x ^= x >> _SHIFT_1
    x *= _FACTOR_1
    x ^= x >> _SHIFT_2
    x *= _FACTOR_2
    x ^= x >> _SHIFT_1
    return x


def noise_of(bits: Bits) -> Doubles:
    """Return the noise that 23 random bits stand for; it grows with them."""
    inner = log(_uniform(bits))
    np.negative(inner, out=inner)
    noise = log(inner)
    np.negative(noise, out=noise)
    return noise


def _uniform(bits: Bits) -> Doubles:
    """Return numbers that are never 0 or 1, so that both logarithms are finite."""
    uniform = bits.astype(np.float64)
    uniform *= _STEP
    uniform += _HALF_STEP
    return uniform


def noise_bounds(bits: Bits) -> tuple[Doubles, Doubles]:
    """Return numbers below and above the noise of each, quicker than `noise_of`: by their leading bits."""
    below, above = _bounds()
    leading = (bits >> _DROPPED).astype(np.intp)
    return below.take(leading), above.take(leading)


@cache
def _bounds() -> tuple[Doubles, Doubles]:
    first = np.arange(0, 1 << _BITS, 1 << _DROPPED, dtype=np.uint32)
    last = first + np.uint32((1 << _DROPPED) - 1)
    return noise_of(first) - _MARGIN, noise_of(last) + _MARGIN


def _splitmix64(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK64
    return x ^ (x >> 31)

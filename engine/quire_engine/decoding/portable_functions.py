"""Logarithm, exponential and sum of doubles, with the same bits on every computer.

numpy's own functions round differently from one instruction set, system library or version to the next.
IEEE 754 defines the result of a single addition, multiplication or division to the last bit, and numpy does
them one array at a time, so nothing is fused or reordered. Whatever lies between logits and a drawn token
uses only these, comparisons, integers, and what is here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

SMALLEST_EXPONENT = -64
"""`exp` is 0 below it: Gumbel noise spans less than 20, so such a token is never drawn."""
_STEPS = 256  # entries of the table of powers per unit of the exponent
_BLOCK = 8192  # numbers that are computed at a time, so that they stay in the processor's cache

_DECIMAL = Context(prec=30)  # Python's own, in whole numbers


def _doubles(*numbers: float) -> tuple[Doubles, ...]:
    """Return numbers as arrays without axes: numpy takes a third of the time with them."""
    return tuple(np.array(number, dtype=np.float64) for number in numbers)


_SQRT_HALF: Integers = np.array(0x3FE6A09E667F3BCD, dtype=np.int64)  # the bits of sqrt(1/2)
_MANTISSA: Integers = np.array(52, dtype=np.int64)
_ONE, _TWO, _LN_2, _SCALE, _MOST = _doubles(1, 2, 0.6931471805599453, -_STEPS, 1 - _STEPS * SMALLEST_EXPONENT)
# log((1 + s) / (1 - s)) = s * (2 + z * (_ATANH[0] + z * (_ATANH[1] + ...))), z = s^2, |s| < 0.1717: the
# series 2/3, 2/5, ... up to its seventh term, interpolated at Chebyshev's points; off by at most 2^-57
_ATANH = _doubles(
    0.666666666666667,
    0.3999999999989889,
    0.2857142862625391,
    0.22222211089368124,
    0.18182892433364564,
    0.15331611694570085,
    0.14617807492803847,
)
# exp(d / 256) over d, |d| <= 1/2: Taylor's series, of which the next term is below 2^-51
_TAYLOR = _doubles(1, 2**-8, 2**-16 / 2, 2**-24 / 6, 2**-32 / 24)


def log(x: Doubles) -> Doubles:
    """Return natural logarithms. x: (n,) positive, finite and normal; off by at most 4 units in the last
    place."""
    if len(x) > _BLOCK:
        return _in_blocks(log, x)
    bits: Integers = x.view(np.int64)
    exponent = (bits - _SQRT_HALF) >> _MANTISSA
    mantissa = (bits - (exponent << _MANTISSA)).view(np.float64)  # from sqrt(1/2) to sqrt(2)
    s = (mantissa - _ONE) / (mantissa + _ONE)
    z = s * s
    result = _polynomial(z, _ATANH)
    result *= z
    result += _TWO
    result *= s
    result += exponent * _LN_2
    return result


def exp(x: Doubles) -> Doubles:
    """Return e^x. x: (n,) at most 0; off by at most 4 units in the last place, and 0 below -64."""
    if len(x) > _BLOCK:
        return _in_blocks(exp, x)
    scaled = np.minimum(x * _SCALE, _MOST)
    nearest = np.rint(scaled)
    result = _powers().take(nearest.astype(np.intp))
    nearest -= scaled  # exact: a multiple of the unit of the larger one
    result *= _polynomial(nearest, _TAYLOR)
    return result


def total(values: Doubles) -> float:
    """Return the sum of numbers, in an order that depends only on how many they are."""
    while (length := len(values)) > 1:
        half = length // 2
        folded = values[:half] + values[half : 2 * half]
        if length % 2:
            folded[0] += values[-1]
        values = folded
    return float(values.item()) if len(values) else 0.0


@lru_cache(maxsize=256)
def log_of(x: float) -> float:
    """Return the natural logarithm of one positive number, by decimal arithmetic: slow, but remembered."""
    return float(_DECIMAL.ln(Decimal(x)))


def _in_blocks(function: Callable[[Doubles], Doubles], x: Doubles) -> Doubles:
    result = np.empty_like(x)
    for start in range(0, len(x), _BLOCK):
        result[start : start + _BLOCK] = function(x[start : start + _BLOCK])
    return result


def _polynomial(x: Doubles, factors: Sequence[Doubles]) -> Doubles:
    """Return the sum of factors times powers of x; Horner's scheme."""
    result = x * factors[-1]
    for factor in factors[-2:0:-1]:
        result += factor
        result *= x
    result += factors[0]
    return result


@cache
def _powers() -> Doubles:
    """Return e^0, e^(-1/256), ... e^-64 and 0: products of two numbers by decimal arithmetic."""
    wholes = np.array([float(_DECIMAL.exp(-whole)) for whole in range(1 - SMALLEST_EXPONENT)])
    parts = np.array([float(_DECIMAL.exp(Decimal(-part / _STEPS))) for part in range(_STEPS)])
    below = np.multiply.outer(wholes, parts).ravel()[: 1 - _STEPS * SMALLEST_EXPONENT]
    return np.append(below, 0.0)

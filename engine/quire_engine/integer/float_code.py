"""Real numbers in vectors of 16, written for LLVM: each lane is IEEE 754's operations in a fixed order.

numba makes vectors of simple loops by itself, but not of a sum or a largest number, whose order it keeps.
Here the order is that of 16 lanes, and then of their halves, on every processor. Nothing is fused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from llvmlite import ir
from numba import types

from quire_engine.integer.llvm_code import (
    DOUBLE,
    FLOAT,
    I8,
    I16,
    I32,
    LANES,
    Builder,
    Value,
    cgutils,
    intrinsic,
    lanes_of,
    load,
    number,
    same,
    splat,
    store,
    vector,
)

ROUNDER = 12582912.0
"""1.5 * 2^23: added to a number below 2^22 it rounds it to the nearest integer, ties to even, in the lowest
bits."""
EXP_LEAST = -87.0
_MOST = 88.0
_LOG2_E, _LN2_HIGH, _LN2_LOW = 1.44269504, 0.693359375, -2.12194440e-4
# Cephes' polynomial for exp(r) - 1 - r over r^2, |r| <= ln(2) / 2
_SERIES = (
    1.9875691500e-4,
    1.3981999507e-3,
    8.3334519073e-3,
    4.1665795894e-2,
    1.6666665459e-1,
    5.0000001201e-1,
)

_FLOATS, _DOUBLES, _SUMS = vector(FLOAT), vector(DOUBLE), vector(I32)


def _constant(kind: Any, value: float) -> Any:
    return same(kind, float(np.float32(value)))


def _integers(kind: Any) -> Any:
    """Return the type of the bits of a float32 or of a vector of them."""
    return vector(I32, kind.count) if isinstance(kind, ir.VectorType) else I32


def _exp(b: Builder, x: Value) -> Value:
    """Return e^x of a float32 or of a vector: to about one unit in the last place, and 0 below -87."""
    kind = x.type

    def c(value: float) -> Any:
        return _constant(kind, value)

    bounded = b.select(b.fcmp_ordered(">", x, c(EXP_LEAST)), x, c(EXP_LEAST))
    bounded = b.select(b.fcmp_ordered("<", bounded, c(_MOST)), bounded, c(_MOST))
    shifted = b.fadd(b.fmul(bounded, c(_LOG2_E)), c(ROUNDER))
    n = b.fsub(shifted, c(ROUNDER))
    r = b.fsub(b.fsub(bounded, b.fmul(n, c(_LN2_HIGH))), b.fmul(n, c(_LN2_LOW)))
    p = c(_SERIES[0])
    for factor in _SERIES[1:]:
        p = b.fadd(b.fmul(p, r), c(factor))
    y = b.fadd(b.fadd(b.fmul(p, b.fmul(r, r)), r), c(1.0))
    bits = _integers(kind)
    power = b.add(b.shl(b.bitcast(shifted, bits), same(bits, 23)), same(bits, 127 << 23))
    return b.select(b.fcmp_ordered(">=", x, c(EXP_LEAST)), b.fmul(y, b.bitcast(power, kind)), c(0.0))


@intrinsic
def exp(_typing: Any, x: Any) -> Any:
    """Return e^x of a float32 to about one unit in the last place; 0 below -87."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return _exp(b, arguments[0])

    return types.float32(types.float32), generate


@intrinsic
def low_byte(_typing: Any, rounded: Any) -> Any:
    """Return n for a float32 that is 1.5 * 2^23 + n, as a byte with its sign."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return b.trunc(b.bitcast(arguments[0], I32), I8)

    return types.int8(types.float32), generate


@intrinsic
def low_short(_typing: Any, rounded: Any) -> Any:
    """Return n for a float32 that is 1.5 * 2^23 + n, in 16 bits with its sign."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return b.trunc(b.bitcast(arguments[0], I32), I16)

    return types.int16(types.float32), generate


def larger(b: Builder, left: Value, right: Value) -> Value:
    return b.select(b.fcmp_ordered(">", left, right), left, right)


def over_lanes(b: Builder, lanes: Value, combine: Callable[[Builder, Value, Value], Value]) -> Value:
    """Combine the lanes of a vector in halves."""
    half = LANES // 2
    while half:
        left, right = lanes_of(b, lanes, range(half)), lanes_of(b, lanes, range(half, 2 * half))
        lanes, half = combine(b, left, right), half // 2
    return b.extract_element(lanes, ir.Constant(I32, 0))


def _vectors(b: Builder, count: Value) -> Any:
    """Return a loop over `count` numbers, 16 at a time."""
    return cgutils.for_range(b, b.sdiv(count, number(LANES)))


@intrinsic
def largest_of(_typing: Any, address: Any, count: Any) -> Any:
    """Return the largest of float32 numbers; count is a multiple of 16."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        address, count = arguments
        slot = cgutils.alloca_once(b, _FLOATS)
        b.store(same(_FLOATS, float("-inf")), slot)
        with _vectors(b, count) as loop:
            b.store(larger(b, b.load(slot), load(b, address, _FLOATS, loop.index)), slot)
        return over_lanes(b, b.load(slot), larger)

    return types.float32(types.int64, types.int64), generate


@intrinsic
def largest_size_of(_typing: Any, address: Any, count: Any) -> Any:
    """Return the largest absolute value of float32 numbers; count is a multiple of 16."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        address, count = arguments
        slot = cgutils.alloca_once(b, _FLOATS)
        b.store(same(_FLOATS, 0.0), slot)
        with _vectors(b, count) as loop:
            bits = b.and_(load(b, address, _SUMS, loop.index), same(_SUMS, 0x7FFFFFFF))
            b.store(larger(b, b.load(slot), b.bitcast(bits, _FLOATS)), slot)
        return over_lanes(b, b.load(slot), larger)

    return types.float32(types.int64, types.int64), generate


def _total(power: Literal[1, 2]) -> Callable[..., float]:
    """Return a kernel: the sum of float32 numbers, or of their squares, in float64 and in 16 sums.

    It is called as (address, count); count is a multiple of 16.
    """

    @intrinsic
    def kernel(_typing: Any, address: Any, count: Any) -> Any:
        def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
            address, count = arguments
            slot = cgutils.alloca_once(b, _DOUBLES)
            b.store(same(_DOUBLES, 0.0), slot)
            with _vectors(b, count) as loop:
                x = b.fpext(load(b, address, _FLOATS, loop.index), _DOUBLES)
                b.store(b.fadd(b.load(slot), x if power == 1 else b.fmul(x, x)), slot)
            return over_lanes(b, b.load(slot), lambda builder, left, right: builder.fadd(left, right))

        return types.float64(types.int64, types.int64), generate

    return kernel


sum_of, sum_of_squares = _total(1), _total(2)


def _scaling(*, adds: bool) -> Callable[..., None]:
    """Return a kernel that writes (sum * scale) * factor for int32 sums, or adds it to what is there.

    It is called as (sums, scale, factors, out, count); count is a multiple of 16.
    """

    @intrinsic
    def kernel(_typing: Any, sums: Any, scale: Any, factors: Any, out: Any, count: Any) -> Any:
        def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
            sums, scale, factors, out, count = arguments
            scales = splat(b, scale)
            with _vectors(b, count) as loop:
                exact = b.sitofp(load(b, sums, _SUMS, loop.index), _FLOATS)
                found = b.fmul(b.fmul(exact, scales), load(b, factors, _FLOATS, loop.index))
                if adds:
                    found = b.fadd(load(b, out, _FLOATS, loop.index), found)
                store(b, found, out, loop.index)
            return context.get_dummy_value()

        return types.void(types.int64, types.float32, types.int64, types.int64, types.int64), generate

    return kernel


scale_sums, add_scaled_sums = _scaling(adds=False), _scaling(adds=True)


@intrinsic
def weigh(_typing: Any, scores: Any, best: Any, factors: Any, top: Any, count: Any) -> Any:
    """Replace scores by e^(score - best) * factor; return the sum of the e^, write the largest product.

    Args:
        scores, factors: addresses of float32 numbers.
        top: address of one float32.
        count: a multiple of 16.
    """

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        scores, best, factors, top, count = arguments
        bests = splat(b, best)
        mass, most = (cgutils.alloca_once(b, _FLOATS) for _ in range(2))
        for slot in (mass, most):
            b.store(same(_FLOATS, 0.0), slot)
        with _vectors(b, count) as loop:
            e = _exp(b, b.fsub(load(b, scores, _FLOATS, loop.index), bests))
            b.store(b.fadd(b.load(mass), e), mass)
            weight = b.fmul(e, load(b, factors, _FLOATS, loop.index))
            b.store(larger(b, b.load(most), weight), most)
            store(b, weight, scores, loop.index)
        store(b, over_lanes(b, b.load(most), larger), top, number(0))
        return over_lanes(b, b.load(mass), lambda builder, left, right: builder.fadd(left, right))

    return types.float32(types.int64, types.float32, types.int64, types.int64, types.int64), generate


@intrinsic
def shorts_of(_typing: Any, numbers: Any, factor: Any, out: Any, count: Any) -> Any:
    """Write the nearest integers of numbers times a factor as int16; count is a multiple of 16."""

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        numbers, factor, out, count = arguments
        factors = splat(b, factor)
        with _vectors(b, count) as loop:
            scaled = b.fmul(load(b, numbers, _FLOATS, loop.index), factors)
            rounded = b.bitcast(b.fadd(scaled, _constant(_FLOATS, ROUNDER)), _SUMS)
            store(b, b.trunc(rounded, vector(I16)), out, loop.index)
        return context.get_dummy_value()

    return types.void(types.int64, types.float32, types.int64, types.int64), generate

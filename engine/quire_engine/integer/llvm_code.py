"""What the kernels that are written for LLVM are made of: types, and vectors taken apart and put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from llvmlite import ir
from numba.core import cgutils as numba_cgutils
from numba.extending import intrinsic as numba_intrinsic

LANES = 16
"""Numbers that are computed side by side."""

cgutils: Any = numba_cgutils  # has no annotations
intrinsic = cast("Callable[[Callable[..., Any]], Callable[..., Any]]", numba_intrinsic)
I8, I16, I32, I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
FLOAT, DOUBLE = ir.FloatType(), ir.DoubleType()

Builder = Any
Value = Any


def vector(kind: Any, count: int = LANES) -> Any:
    """Return the type of a vector."""
    return ir.VectorType(kind, count)


def number(value: int) -> Any:
    """Return an integer of 64 bits."""
    return ir.Constant(I64, value)


def same(kind: Any, value: float) -> Any:
    """Return a constant of a type, in every lane if it is a vector."""
    return ir.Constant(kind, [value] * kind.count if isinstance(kind, ir.VectorType) else value)


def undefined(kind: Any) -> Any:
    """Return any value of a type."""
    return ir.Constant(kind, ir.Undefined)


def mask(lanes: Sequence[int]) -> Any:
    """Return the choice of these lanes."""
    return ir.Constant(ir.VectorType(I32, len(lanes)), list(lanes))


def lanes_of(b: Builder, whole: Value, lanes: Sequence[int]) -> Value:
    """Return these lanes of a vector."""
    return b.shuffle_vector(whole, undefined(whole.type), mask(lanes))


def splat(b: Builder, value: Value, count: int = LANES) -> Value:
    """Return a vector of one number."""
    kind = ir.VectorType(value.type, count)
    first = b.insert_element(undefined(kind), value, ir.Constant(I32, 0))
    return b.shuffle_vector(first, undefined(kind), mask([0] * count))


def joined(b: Builder, parts: list[Value]) -> Value:
    """Return the lanes of several vectors of one length, in order."""
    while len(parts) > 1:
        count = 2 * parts[0].type.count
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [b.shuffle_vector(left, right, mask(range(count))) for left, right in pairs]
    return parts[0]


def pointer(b: Builder, address: Value, kind: Any) -> Value:
    """Return an address as a pointer to a type."""
    return b.inttoptr(address, kind.as_pointer())


def load(b: Builder, address: Value, kind: Any, place: Value) -> Value:
    """Return element `place` of those behind an address, which need not be aligned."""
    return b.load(b.gep(pointer(b, address, kind), [place]), align=1)


def store(b: Builder, value: Value, address: Value, place: Value) -> None:
    """Write element `place` of those behind an address, which need not be aligned."""
    b.store(value, b.gep(pointer(b, address, value.type), [place]), align=1)


def call(b: Builder, name: str, result: Any, arguments: Sequence[Value]) -> Value:
    """Call a function of LLVM's."""
    kind = ir.FunctionType(result, [each.type for each in arguments])
    return b.call(cgutils.get_or_insert_function(b.module, kind, name), list(arguments))

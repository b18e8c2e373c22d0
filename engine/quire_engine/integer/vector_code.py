"""The inner loops of the integer kernels, written for LLVM: sums of products of small integers, 16 at a time.

numba's own loops over int8 become ten times as many instructions. What is here has no choice that could
change a
result: the sums fit 32 bits, and sums of integers don't depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils as numba_cgutils
from numba.extending import intrinsic

from quire_engine.integer.instruction_set import HAS_BYTE_PRODUCTS, instruction_set

LANES = 16
"""Sums that are computed side by side."""
DIGIT_BYTES = 1 if HAS_BYTE_PRODUCTS else 2
"""Bytes of one digit of an activation, as the kernels for products read it."""
OFFSET = 128 if HAS_BYTE_PRODUCTS else 0
"""Added to a digit when it is stored: the byte instruction wants one factor without a sign."""

cgutils: Any = numba_cgutils  # has no annotations
_intrinsic = cast("Callable[[Callable[..., Any]], Callable[..., Any]]", intrinsic)
_I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
_SUMS = ir.VectorType(_I32, LANES)
_BYTES = ir.VectorType(_I8, 4 * LANES)
_HALF_BYTES = ir.VectorType(_I8, 2 * LANES)
_SHORTS = ir.VectorType(_I16, 2 * LANES)
_PAIR_SUMS = {
    "avx512_vnni": ("llvm.x86.avx512.pmaddw.d.512", 16),
    "avx512": ("llvm.x86.avx512.pmaddw.d.512", 16),
    "avx2": ("llvm.x86.avx2.pmadd.wd", 8),
    "sse2": ("llvm.x86.sse2.pmadd.wd", 4),
}
"""Adds the products of neighbouring 16-bit numbers: the function of LLVM, and the sums it returns."""

Builder = Any
Value = Any


def _undefined(kind: Any) -> Any:
    return ir.Constant(kind, ir.Undefined)


def _mask(lanes: Sequence[int]) -> Any:
    return ir.Constant(ir.VectorType(_I32, len(lanes)), list(lanes))


def _lanes(b: Builder, vector: Value, lanes: Sequence[int]) -> Value:
    """Return these lanes of a vector."""
    return b.shuffle_vector(vector, _undefined(vector.type), _mask(lanes))


def _splat(b: Builder, number: Value, count: int) -> Value:
    """Return a vector of one number."""
    kind = ir.VectorType(number.type, count)
    first = b.insert_element(_undefined(kind), number, ir.Constant(_I32, 0))
    return b.shuffle_vector(first, _undefined(kind), _mask([0] * count))


def _joined(b: Builder, parts: list[Value]) -> Value:
    """Return the lanes of several vectors of one length, in order."""
    while len(parts) > 1:
        count = 2 * parts[0].type.count
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [b.shuffle_vector(left, right, _mask(range(count))) for left, right in pairs]
    return parts[0]


def _pair_sums(b: Builder, left: Value, right: Value) -> Value:
    """Return the 16 sums of products of neighbours. left, right: 32 numbers of 16 bits."""
    found = _PAIR_SUMS.get(instruction_set())
    if found is None:
        even, odd = (
            [b.sext(_lanes(b, each, range(first, 2 * LANES, 2)), _SUMS) for each in (left, right)]
            for first in (0, 1)
        )
        return b.add(b.mul(*even), b.mul(*odd))
    name, count = found
    shorts, sums = ir.VectorType(_I16, 2 * count), ir.VectorType(_I32, count)
    function = cgutils.get_or_insert_function(b.module, ir.FunctionType(sums, [shorts, shorts]), name)
    parts = []
    for start in range(0, 2 * LANES, 2 * count):
        lanes = range(start, start + 2 * count)
        whole = count == LANES
        parts.append(b.call(function, [each if whole else _lanes(b, each, lanes) for each in (left, right)]))
    return _joined(b, parts)


def _byte_sums(b: Builder, sums: Value, digits: Value, weights: Value) -> Value:
    """Add four products of bytes to each of 16 sums. digits: without a sign; weights: with one."""
    name = "llvm.x86.avx512.vpdpbusd.512"
    kind = ir.FunctionType(_SUMS, [_SUMS] * 3)
    return b.call(cgutils.get_or_insert_function(b.module, kind, name), [sums, digits, weights])


def _at(b: Builder, address: Value, kind: Any, step: Value, number: int) -> Value:
    """Return a pointer to the element `number` steps (in bytes) behind an address."""
    return b.inttoptr(b.add(address, b.mul(step, ir.Constant(_I64, number))), kind.as_pointer())


class _Sums:
    """Rows times blocks of 16 sums that stay in registers over a loop."""

    def __init__(self, b: Builder, rows: int, blocks: int) -> None:
        self._b = b
        self._slots = [[cgutils.alloca_once(b, _SUMS) for _ in range(blocks)] for _ in range(rows)]
        for row in self._slots:
            for slot in row:
                b.store(ir.Constant(_SUMS, [0] * LANES), slot)

    def get(self, row: int, block: int) -> Value:
        return self._b.load(self._slots[row][block])

    def put(self, row: int, block: int, value: Value) -> None:
        self._b.store(value, self._slots[row][block])

    def add(self, row: int, block: int, value: Value) -> None:
        self.put(row, block, self._b.add(self.get(row, block), value))


def weight_sums(rows: int) -> Callable[..., None]:
    """Return a kernel: digits of some rows times two blocks of 16 outputs.

    It is called as (weights, block, digits, row, groups, out): addresses of the first block's weights,
    (groups, 16, 4) int8, of the first row's digits, 4 a group, and of the sums, (rows, 2, 16) int32; `block`
    and
    `row` are the bytes to the next block and the next row.
    """
    return _weight_sums_of_bytes(rows) if HAS_BYTE_PRODUCTS else _weight_sums_of_shorts(rows)


_SIX = ("weights", "block", "digits", "row", "groups", "out")


def _weight_sums_of_bytes(rows: int) -> Callable[..., None]:
    @_intrinsic
    def kernel(_typing: Any, weights: Any, block: Any, digits: Any, row: Any, groups: Any, out: Any) -> Any:
        def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
            w, block_step, x, row_step, count, to = arguments
            blocks = [_at(b, w, _SUMS, block_step, each) for each in range(2)]
            lines = [_at(b, x, _I32, row_step, each) for each in range(rows)]
            sums = _Sums(b, rows, 2)
            with cgutils.for_range(b, count) as loop:
                loaded = [b.load(b.gep(each, [loop.index]), align=1) for each in blocks]
                for r, line in enumerate(lines):
                    four = _splat(b, b.load(b.gep(line, [loop.index]), align=1), LANES)
                    for n, each in enumerate(loaded):
                        sums.put(r, n, _byte_sums(b, sums.get(r, n), four, each))
            _store_all(b, sums, rows, to)
            return context.get_dummy_value()

        return types.void(weights, block, digits, row, groups, out), generate

    return kernel


def _weight_sums_of_shorts(rows: int) -> Callable[..., None]:
    @_intrinsic
    def kernel(_typing: Any, weights: Any, block: Any, digits: Any, row: Any, groups: Any, out: Any) -> Any:
        def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
            w, block_step, x, row_step, count, to = arguments
            blocks = [_at(b, w, _BYTES, block_step, each) for each in range(2)]
            lines = [_at(b, x, _I64, row_step, each) for each in range(rows)]
            sums = _Sums(b, rows, 4)  # of each block two halves: two sums for each of eight outputs
            with cgutils.for_range(b, count) as loop:
                halves = []
                for each in blocks:
                    loaded = b.load(b.gep(each, [loop.index]), align=1)
                    for start in (0, 2 * LANES):
                        lanes = range(start, start + 2 * LANES)
                        halves.append(b.sext(_lanes(b, loaded, lanes), _SHORTS))
                for r, line in enumerate(lines):
                    four = _splat(b, b.load(b.gep(line, [loop.index]), align=1), LANES // 2)
                    digits = b.bitcast(four, _SHORTS)
                    for n, half in enumerate(halves):
                        sums.add(r, n, _pair_sums(b, half, digits))
            joined = _Sums(b, rows, 2)
            for r in range(rows):
                for n in range(2):
                    both = b.shuffle_vector(
                        sums.get(r, 2 * n), sums.get(r, 2 * n + 1), _mask(range(2 * LANES))
                    )
                    even, odd = (_lanes(b, both, range(first, 2 * LANES, 2)) for first in (0, 1))
                    joined.put(r, n, b.add(even, odd))
            _store_all(b, joined, rows, to)
            return context.get_dummy_value()

        return types.void(weights, block, digits, row, groups, out), generate

    return kernel


def _store_all(b: Builder, sums: _Sums, rows: int, address: Value, blocks: int = 2) -> None:
    pointer = b.inttoptr(address, _SUMS.as_pointer())
    for r in range(rows):
        for n in range(blocks):
            place = b.gep(pointer, [ir.Constant(_I64, r * blocks + n)])
            b.store(sums.get(r, n), place, align=4)


def pair_sums(rows: int) -> Callable[..., None]:
    """Return a kernel: some rows of 16-bit numbers times 64 columns of bytes.

    It is called as (columns, rows_at, row, pairs, step, out): addresses of the columns, (pairs, 64, 2) int8
    with
    `step` bytes from pair to pair, of the first row, 2 int16 a pair, and of the sums, (rows, 64) int32;
    `row` is
    the bytes to the next row.
    """
    blocks = 4

    @_intrinsic
    def kernel(_typing: Any, columns: Any, rows_at: Any, row: Any, pairs: Any, step: Any, out: Any) -> Any:
        def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
            k, x, row_step, count, pair_step, to = arguments
            lines = [_at(b, x, _I32, row_step, each) for each in range(rows)]
            sums = _Sums(b, rows, blocks)
            with cgutils.for_range(b, count) as loop:
                place = b.add(k, b.mul(loop.index, pair_step))
                pointer = b.inttoptr(place, _HALF_BYTES.as_pointer())
                loaded = [
                    b.sext(b.load(b.gep(pointer, [ir.Constant(_I64, n)]), align=1), _SHORTS)
                    for n in range(blocks)
                ]
                for r, line in enumerate(lines):
                    two = _splat(b, b.load(b.gep(line, [loop.index]), align=1), LANES)
                    numbers = b.bitcast(two, _SHORTS)
                    for n, each in enumerate(loaded):
                        sums.add(r, n, _pair_sums(b, each, numbers))
            _store_all(b, sums, rows, to, blocks)
            return context.get_dummy_value()

        return types.void(columns, rows_at, row, pairs, step, out), generate

    return kernel


_FLOAT = ir.FloatType()
_FLOATS = ir.VectorType(_FLOAT, LANES)
_MINUS_INFINITY = float("-inf")


@_intrinsic
def power_of_two(_typing: Any, number: Any) -> Any:
    """Return 2^n for a float32 that is 1.5 * 2^23 + n, n from -126 to 127."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        n = b.shl(b.bitcast(arguments[0], _I32), ir.Constant(_I32, 23))
        return b.bitcast(b.add(n, ir.Constant(_I32, 127 << 23)), _FLOAT)

    return types.float32(types.float32), generate


@_intrinsic
def low_byte(_typing: Any, number: Any) -> Any:
    """Return n for a float32 that is 1.5 * 2^23 + n, as a byte with its sign."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return b.trunc(b.bitcast(arguments[0], _I32), _I8)

    return types.int8(types.float32), generate


@_intrinsic
def low_short(_typing: Any, number: Any) -> Any:
    """Return n for a float32 that is 1.5 * 2^23 + n, in 16 bits with its sign."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return b.trunc(b.bitcast(arguments[0], _I32), _I16)

    return types.int16(types.float32), generate


def _over_lanes(
    b: Builder, numbers: tuple[Value, Value], first: Any, combine: Callable[[Value, Value], Value]
) -> Value:
    """Combine numbers lane by lane, and then the lanes in halves. numbers: address, and count by 16s."""
    address, count = numbers
    slot = cgutils.alloca_once(b, _FLOATS)
    b.store(first, slot)
    pointer = b.inttoptr(address, _FLOATS.as_pointer())
    with cgutils.for_range(b, b.sdiv(count, ir.Constant(_I64, LANES))) as loop:
        b.store(combine(b.load(slot), b.load(b.gep(pointer, [loop.index]), align=4)), slot)
    lanes, half = b.load(slot), LANES // 2
    while half:
        left, right = _lanes(b, lanes, range(half)), _lanes(b, lanes, range(half, 2 * half))
        lanes, half = combine(left, right), half // 2
    return b.extract_element(lanes, ir.Constant(_I32, 0))


@_intrinsic
def largest_of(_typing: Any, address: Any, count: Any) -> Any:
    """Return the largest of float32 numbers; count is a multiple of 16."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        def larger(left: Value, right: Value) -> Value:
            return b.select(b.fcmp_ordered(">", left, right), left, right)

        return _over_lanes(b, arguments, ir.Constant(_FLOATS, [_MINUS_INFINITY] * LANES), larger)

    return types.float32(types.int64, types.int64), generate


@_intrinsic
def largest_size_of(_typing: Any, address: Any, count: Any) -> Any:
    """Return the largest absolute value of float32 numbers; count is a multiple of 16."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        def larger(left: Value, right: Value) -> Value:
            kind = ir.VectorType(_I32, right.type.count)
            mask = ir.Constant(kind, [0x7FFFFFFF] * right.type.count)
            size = b.bitcast(b.and_(b.bitcast(right, kind), mask), right.type)
            return b.select(b.fcmp_ordered(">", left, size), left, size)

        return _over_lanes(b, arguments, ir.Constant(_FLOATS, [0.0] * LANES), larger)

    return types.float32(types.int64, types.int64), generate


@_intrinsic
def sum_of(_typing: Any, address: Any, count: Any) -> Any:
    """Return the sum of float32 numbers, in 16 sums whose order is fixed; count is a multiple of 16."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return _over_lanes(b, arguments, ir.Constant(_FLOATS, [0.0] * LANES), b.fadd)

    return types.float32(types.int64, types.int64), generate

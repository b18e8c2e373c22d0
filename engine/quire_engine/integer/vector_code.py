"""Sums of products of small integers, written for LLVM, 16 at a time.

numba's own loops over int8 become ten times as many instructions. What is here has no choice that could
change a result: the sums fit 32 bits, and sums of integers don't depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types

from quire_engine.integer.instruction_set import HAS_BYTE_PRODUCTS, instruction_set
from quire_engine.integer.llvm_code import (
    I8,
    I16,
    I32,
    LANES,
    Builder,
    Value,
    call,
    cgutils,
    intrinsic,
    joined,
    lanes_of,
    load,
    number,
    pointer,
    same,
    splat,
    store,
    vector,
)

__all__ = [
    "COLUMNS",
    "LANES",
    "LINE",
    "PAIR_ROWS",
    "add_pair_sums",
    "fetch_lines",
    "pair_sums",
]

COLUMNS = 64
"""Columns of pair_sums."""
_FITTING = {
    "avx512_vnni": (6, 24),
    "avx512": (6, 24),
    "avx2": (6, 4),
    "sse2": (2, 2),
    "portable": (2, 2),
}
LINE = 64
"""Bytes that the processor fetches at once."""
_AHEAD = 16384
"""How far ahead `pair_sums` lets the columns be fetched, in bytes: 256 positions of a head of 64 numbers."""
PAIR_ROWS, _VECTORS = _FITTING[instruction_set()]
"""Rows of `pair_sums`, and how many times 16 sums of it fit the registers."""

_SUMS, _BYTES, _HALF_BYTES = vector(I32), vector(I8, 4 * LANES), vector(I8, 2 * LANES)
_SHORTS = vector(I16, 2 * LANES)
_PAIR_SUMS = {
    "avx512_vnni": ("llvm.x86.avx512.pmaddw.d.512", 16),
    "avx512": ("llvm.x86.avx512.pmaddw.d.512", 16),
    "avx2": ("llvm.x86.avx2.pmadd.wd", 8),
    "sse2": ("llvm.x86.sse2.pmadd.wd", 4),
}
"""Adds the products of neighbouring 16-bit numbers: the function of LLVM, and the sums it returns."""


def add_pair_sums(b: Builder, sums: Value, left: Value, right: Value) -> Value:
    """Add to each of 16 sums the products of two neighbours. left, right: 32 numbers of 16 bits."""
    if HAS_BYTE_PRODUCTS:
        both = [b.bitcast(each, _SUMS) for each in (left, right)]
        return call(b, "llvm.x86.avx512.vpdpwssd.512", _SUMS, [sums, *both])
    found = _PAIR_SUMS.get(instruction_set())
    if found is None:
        even, odd = (
            [b.sext(lanes_of(b, each, range(first, 2 * LANES, 2)), _SUMS) for each in (left, right)]
            for first in (0, 1)
        )
        return b.add(sums, b.add(b.mul(*even), b.mul(*odd)))
    name, count = found
    parts = []
    for start in range(0, 2 * LANES, 2 * count):
        lanes = range(start, start + 2 * count)
        whole = count == LANES
        both = [each if whole else lanes_of(b, each, lanes) for each in (left, right)]
        parts.append(call(b, name, vector(I32, count), both))
    return b.add(sums, joined(b, parts))


def _behind(b: Builder, address: Value, step: Value, count: int) -> Value:
    """Return the address `count` steps (in bytes) behind another."""
    return b.add(address, b.mul(step, number(count)))


class _Sums:
    """Rows times vectors of 16 sums that stay in registers over a loop."""

    def __init__(self, b: Builder, rows: int, vectors: int) -> None:
        self._b = b
        self._slots = [[cgutils.alloca_once(b, _SUMS) for _ in range(vectors)] for _ in range(rows)]
        for row in self._slots:
            for slot in row:
                b.store(same(_SUMS, 0), slot)

    def get(self, row: int, each: int) -> Value:
        return self._b.load(self._slots[row][each])

    def put(self, row: int, each: int, value: Value) -> None:
        self._b.store(value, self._slots[row][each])


def _fetch(b: Builder, address: Value, step: Value, lines: int) -> None:
    """Let the processor fetch the next 64-byte lines behind an address; any address is allowed."""
    read, second_level, data = (ir.Constant(I32, each) for each in (0, 2, 1))
    start = b.add(address, b.mul(step, number(LINE * lines)))
    for line in range(lines):
        place = pointer(b, b.add(start, number(LINE * line)), I8)
        call(b, "llvm.prefetch.p0i8", ir.VoidType(), [place, read, second_level, data])


@intrinsic
def fetch_lines(_typing: Any, address: Any, count: Any) -> Any:
    """Let the processor fetch so many lines behind an address, which need not be the cache's."""

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        address, count = arguments
        with cgutils.for_range(b, count) as loop:
            _fetch(b, address, loop.index, 1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


def pair_sums(rows: int) -> Callable[..., None]:
    """Return a kernel: some rows of 16-bit numbers times 64 columns of bytes.

    It is called as (columns, pairs_of_rows, row, pairs, step, out, line): addresses of the columns,
    (pairs, 64, 2) int8 with `step` bytes from pair to pair, of the first row, 2 int16 a pair, and of the
    sums, 64 int32 a row; `row` and `line` are the bytes to the next row and to its sums.
    """

    @intrinsic
    def kernel(
        _typing: Any, columns: Any, numbers: Any, row: Any, pairs: Any, step: Any, out: Any, line: Any
    ) -> Any:
        def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
            _add_columns(b, rows, *arguments)
            return context.get_dummy_value()

        return types.void(columns, numbers, row, pairs, step, out, line), generate

    return kernel


def _add_columns(
    b: Builder, rows: int, k: Value, x: Value, row: Value, pairs: Value, step: Value, to: Value, line: Value
) -> None:
    """Generate `pair_sums`, as many columns at a time as fit the registers."""
    lines = [_behind(b, x, row, each) for each in range(rows)]
    targets = [_behind(b, to, line, each) for each in range(rows)]
    vectors = next(each for each in (4, 2, 1) if each * rows <= max(_VECTORS, rows))
    for first in range(0, COLUMNS // LANES, vectors):
        sums = _Sums(b, rows, vectors)
        with cgutils.for_range(b, pairs) as loop:
            place = b.add(k, b.mul(loop.index, step))
            if 2 * LANES * first % LINE == 0:
                _fetch(b, b.add(place, number(_AHEAD + 2 * LANES * first)), number(0), -(-vectors // 2))
            loaded = [b.sext(load(b, place, _HALF_BYTES, number(first + n)), _SHORTS) for n in range(vectors)]
            for r, each in enumerate(lines):
                two = b.bitcast(splat(b, load(b, each, I32, loop.index)), _SHORTS)
                for n, column in enumerate(loaded):
                    sums.put(r, n, add_pair_sums(b, sums.get(r, n), column, two))
        for r, target in enumerate(targets):
            for n in range(vectors):
                store(b, sums.get(r, n), target, number(first + n))

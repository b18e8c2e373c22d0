"""Products of digits with packed blocks, written for LLVM: one generator for every form and number of rows.

Within a block everything is a sum of whole numbers, which no instruction set rounds. A number is 255 at most,
a digit 127, and 255 * 127 * 32 < 2^24; of halves with whole scales, 2 * (32 * 127 * 16) * 128 < 2^24: float32
holds these sums, too. Where two products are added in 16 bits, which stop at 2^15, no more of them are added
than stay below. What is between blocks is one rounding after another, in the order of the inputs, and nothing
is fused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types

from quire_engine.integer.block_forms import FORMS, GROUP, Form
from quire_engine.integer.instruction_set import HAS_BYTE_PRODUCTS, instruction_set
from quire_engine.integer.llvm_code import (
    FLOAT,
    I8,
    I16,
    I32,
    I64,
    Builder,
    Value,
    call,
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
from quire_engine.integer.vector_code import add_pair_sums

_SET = instruction_set()
_WIDTH = 8 if _SET == "avx2" else GROUP
"""Outputs of one register of sums."""
_PARTS = GROUP // _WIDTH
_BYTES, _SHORTS, _SUMS, _FLOATS = (
    vector(kind, count * _WIDTH) for kind, count in ((I8, 4), (I16, 2), (I32, 1), (FLOAT, 1))
)
_CHUNKS = 8
"""Registers of a block: 4 inputs of each output in one of them."""
_MOST = 32767 // (2 * 127)
"""Largest number without a sign of which two products fit 16 bits."""
_BIAS = 128 if HAS_BYTE_PRODUCTS else 0
"""Added to numbers with a sign: the byte instruction wants one factor without."""
ROWS_AT_ONCE = {"avx512_vnni": 8, "avx512": 8, "avx2": 4, "sse2": 2, "portable": 4}[_SET]
"""Rows whose sums fit the registers."""
CASES = tuple(each for each in (1, 2, 3, 4, 6, 8) if each <= ROWS_AT_ONCE)
"""Numbers of rows that there is code for; one more than those that are asked for may be computed in vain."""

_PAIRS_OF_BYTES = {"avx512": "llvm.x86.avx512.pmaddubs.w.512", "avx2": "llvm.x86.avx2.pmadd.ub.sw"}
_PAIRS_OF_SHORTS = {"avx512": "llvm.x86.avx512.pmaddw.d.512", "avx2": "llvm.x86.avx2.pmadd.wd"}
_LOOK_UP = {
    "avx512_vnni": "llvm.x86.avx512.pshuf.b.512",
    "avx512": "llvm.x86.avx512.pshuf.b.512",
    "avx2": "llvm.x86.avx2.pshuf.b",
}


def _shifted(b: Builder, value: Value, left: int) -> Value:
    """Shift the bits of bytes; those that come from a neighbour are masked away afterwards."""
    if left == 0:
        return value
    words = b.bitcast(value, _SUMS)
    moved = b.shl(words, same(_SUMS, left)) if left > 0 else b.lshr(words, same(_SUMS, -left))
    return b.bitcast(moved, _BYTES)


def _plane(b: Builder, block: Value, start: int, part: int) -> Value:
    return load(b, b.add(block, number(start + 4 * _WIDTH * part)), _BYTES, number(0))


def _bits(b: Builder, block: Value, form: Form, chunk: int, part: int) -> Value:
    """Return 4 inputs of some outputs of a block, as bytes without a sign."""
    if form.bits == 8:
        return _plane(b, block, 64 * chunk, part)
    start, low, found = 0, 0, None

    def add(plane: Value, place: int, count: int) -> Value:
        moved = b.and_(_shifted(b, plane, low - place), same(_BYTES, ((1 << count) - 1) << low))
        return moved if found is None else b.or_(found, moved)

    if form.bits >= 4:
        found = add(_plane(b, block, 64 * (chunk % 4), part), 4 * (chunk // 4), 4)
        start, low = 256, 4
    if form.bits in (2, 3, 6):
        found = add(_plane(b, block, start + 64 * (chunk // 4), part), 2 * (chunk % 4), 2)
        start, low = start + 128, low + 2
    if form.bits in (3, 5):
        found = add(_plane(b, block, start, part), chunk, 1)
    return found


def _looked_up(b: Builder, table: Sequence[int], places: Value) -> Value:
    """Return the numbers of a table of 16 at some places."""
    name = _LOOK_UP.get(_SET)
    if name is not None:
        repeated = ir.Constant(_BYTES, [each & 255 for each in table] * (_BYTES.count // 16))
        return call(b, name, _BYTES, [repeated, places])
    found = [same(_BYTES, each & 255) for each in table]
    for bit in range(4):
        is_set = b.icmp_unsigned("!=", b.and_(places, same(_BYTES, 1 << bit)), same(_BYTES, 0))
        found = [b.select(is_set, odd, even) for even, odd in zip(found[::2], found[1::2], strict=True)]
    return found[0]


def _numbers(b: Builder, block: Value, form: Form, chunk: int, part: int, bias: int) -> Value:
    """Decode `_bits` without the offset; signed numbers are raised by a bias."""
    bits = _bits(b, block, form, chunk, part)
    if form.table:
        return _looked_up(b, [each + bias for each in form.table], bits)
    return b.xor(bits, same(_BYTES, bias)) if form.is_signed and bias else bits


def from_float16(b: Builder, halves: Value) -> Value:
    """Return numbers of float16, as 16 bits, in float32, exactly; they are finite."""
    count = halves.type.count
    floats, integers = vector(FLOAT, count), vector(I32, count)
    if _SET != "sse2":
        return b.fpext(b.bitcast(halves, vector(ir.HalfType(), count)), floats)
    words = b.zext(halves, integers)
    size = b.shl(b.and_(words, same(integers, 0x7FFF)), same(integers, 13))
    value = b.bitcast(b.fmul(b.bitcast(size, floats), same(floats, 2.0**112)), integers)
    sign = b.shl(b.and_(words, same(integers, 0x8000)), same(integers, 16))
    return b.bitcast(b.or_(value, sign), floats)


def _float16(b: Builder, address: Value, part: int) -> Value:
    return from_float16(b, load(b, address, vector(I16, _WIDTH), number(part)))


def _scale(b: Builder, address: Value, kind: str, part: int) -> Value:
    """Return scales, or minima, of some outputs as float32."""
    if kind == "float16":
        return _float16(b, address, part)
    loaded = load(b, address, vector(I8, _WIDTH), number(part))
    if kind == "signed byte":
        return b.sitofp(b.sext(loaded, _SUMS), _FLOATS)
    words = b.zext(loaded, _SUMS)
    if kind == "byte":
        return b.sitofp(words, _FLOATS)
    # 2^(exponent - 128); the two least are below what a float's exponent says
    least = b.shl(same(_SUMS, 0x00200000), b.and_(words, same(_SUMS, 1)))
    others = b.shl(b.sub(words, same(_SUMS, 1)), same(_SUMS, 23))
    return b.bitcast(b.select(b.icmp_unsigned("<", words, same(_SUMS, 2)), least, others), _FLOATS)


class _Scales:
    """The scales of some outputs of a block, and what a sum of its whole numbers stands for."""

    def __init__(self, b: Builder, form: Form, unit: Value, block: Value, part: int) -> None:
        self._b, self._form = b, form
        start, count = form.plane_bytes, form.halves * (1 + form.has_minimum)
        places = [b.add(block, number(start + form.scale_bytes * each)) for each in range(count)]
        found = [_scale(b, place, form.scale, part) for place in places]
        scales, minima = found[: form.halves], found[form.halves :]
        if form.blocks > 1:
            self._of_unit = [
                _float16(b, b.add(unit, number(2 * GROUP * each)), part)
                for each in range(1 + form.has_minimum)
            ]
            if form.halves == 1:
                scales = [b.fmul(self._of_unit[0], scales[0])]
                minima = [b.fmul(self._of_unit[1], each) for each in minima]
        self._scales, self._minima = scales, minima

    def of_sums(self, sums: Sequence[Value], digits: Sequence[Value]) -> Value:
        """Scale the exact sums of each half. digits: minus the sum of each half's digits."""
        b = self._b
        value = self._total(sums, self._scales)
        if self._form.halves == 2:
            value = b.fmul(value, self._of_unit[0])
        if self._form.has_minimum:
            lowest = self._total(digits, self._minima)
            if self._form.halves == 2:
                lowest = b.fmul(lowest, self._of_unit[1])
            value = b.fadd(value, lowest)
        return value

    def _total(self, sums: Sequence[Value], factors: Sequence[Value]) -> Value:
        b = self._b
        first, *others = (
            b.fmul(b.sitofp(total, _FLOATS), factor) for total, factor in zip(sums, factors, strict=True)
        )
        for other in others:
            first = b.fadd(first, other)
        return first

    def of_number(self, value: Value, half: int) -> Value:
        """Return one number of each output as a float, its scale and minimum applied."""
        b, form = self._b, self._form
        scale = self._scales[half]
        if form.halves == 2:
            scale = b.fmul(self._of_unit[0], scale)
        found = b.fmul(scale, b.sitofp(value, _FLOATS))
        if form.has_minimum:
            lowest = self._minima[half]
            if form.halves == 2:
                lowest = b.fmul(self._of_unit[1], lowest)
            found = b.fsub(found, lowest)
        return found


def _pairs_of_shorts(b: Builder, left: Value, right: Value) -> Value:
    return call(b, _PAIRS_OF_SHORTS[_SET], _SUMS, [left, right])


def _even_and_odd(b: Builder, digits: Value, is_signed: bool) -> list[Value]:
    """Return bytes as two vectors of 16 bits."""
    shorts, eight = b.bitcast(digits, _SHORTS), same(_SHORTS, 8)
    shift = b.ashr if is_signed else b.lshr
    return [shift(b.shl(shorts, eight), eight), shift(shorts, eight)]


class _Products:
    """Sums of products of some outputs with some rows, within one half of a block."""

    def __init__(self, b: Builder, form: Form, firsts: list[Value]) -> None:
        self._b, self._form, self.sums = b, form, firsts
        self._fitting = 1 if form.is_signed else _MOST // (2**form.bits - 1)
        self._shorts: list[Value | None] = [None] * len(firsts)
        self._held = 0

    def add(self, numbers: Value, digits: list[Value]) -> None:
        """Add the products with 4 digits of each row, (rows,) words of 32 bits."""
        b = self._b
        splats = [b.bitcast(splat(b, each, _WIDTH), _BYTES) for each in digits]
        if HAS_BYTE_PRODUCTS:
            words = b.bitcast(numbers, _SUMS)
            for row, each in enumerate(splats):
                both = [words, b.bitcast(each, _SUMS)]
                self.sums[row] = call(b, "llvm.x86.avx512.vpdpbusd.512", _SUMS, [self.sums[row], *both])
        elif _SET in _PAIRS_OF_BYTES:
            self._add_pairs(numbers, splats)
        else:
            parts = _even_and_odd(b, numbers, self._form.is_signed)
            for row, each in enumerate(splats):
                for left, right in zip(parts, _even_and_odd(b, each, True), strict=True):
                    self.sums[row] = add_pair_sums(b, self.sums[row], left, right)

    def _add_pairs(self, numbers: Value, splats: list[Value]) -> None:
        b, zero = self._b, same(_BYTES, 0)
        is_negative = b.icmp_signed("<", numbers, zero)
        sizes = b.select(is_negative, b.sub(zero, numbers), numbers) if self._form.is_signed else numbers
        for row, digits in enumerate(splats):
            if self._form.is_signed and _SET == "avx2":
                digits = call(b, "llvm.x86.avx2.psign.b", _BYTES, [digits, numbers])
            elif self._form.is_signed:
                digits = b.select(is_negative, b.sub(zero, digits), digits)
            pairs = call(b, _PAIRS_OF_BYTES[_SET], _SHORTS, [sizes, digits])
            held = self._shorts[row]
            self._shorts[row] = pairs if held is None else b.add(held, pairs)
        self._held += 1
        if self._held == self._fitting:
            self.end()

    def end(self) -> None:
        """Add what is held in 16 bits to the sums."""
        b = self._b
        for row, held in enumerate(self._shorts):
            if held is not None:
                self.sums[row] = b.add(self.sums[row], _pairs_of_shorts(b, held, same(_SHORTS, 1)))
        self._shorts, self._held = [None] * len(self._shorts), 0


class _Rows:
    """Where the digits of some rows of a tile are, for one block."""

    def __init__(self, b: Builder, addresses: Sequence[Value], width: Value, block: Value) -> None:
        self._b = b
        place = b.mul(block, width)
        sizes = (32, 4, 4, 4)
        self._values, self._scales, self._sums, self._halves = (
            b.add(address, b.mul(place, number(size))) for address, size in zip(addresses, sizes, strict=True)
        )

    def word(self, row: int, chunk: int) -> Value:
        """Return 4 digits of a row."""
        return load(self._b, self._values, I32, number(8 * row + chunk))

    def scale(self, row: int) -> Value:
        """Return the scale of a row's digits."""
        return splat(self._b, load(self._b, self._scales, FLOAT, number(row)), _WIDTH)

    def sums(self, row: int, halves: int) -> list[Value]:
        """Return minus the sum of a row's digits, or of each half of them."""
        b = self._b
        whole = splat(b, load(b, self._sums, I32, number(row)), _WIDTH)
        if halves == 1:
            return [whole]
        first = splat(b, load(b, self._halves, I32, number(row)), _WIDTH)
        return [first, b.sub(whole, first)]


def _block_values(
    b: Builder, form: Form, rows: int, digits: _Rows, unit: Value, block: Value, part: int
) -> list[Value]:
    """Scale a block's products with each row, the rows' own scales left out."""
    offset = _BIAS if form.is_signed else form.offset
    minus = [digits.sums(row, form.halves) for row in range(rows)]
    sums: list[list[Value]] = [[] for _ in range(rows)]
    for half in range(form.halves):
        zero = same(_SUMS, 0)
        shift = same(_SUMS, offset.bit_length() - 1)
        firsts = [b.shl(each[half], shift) if offset else zero for each in minus]
        products = _Products(b, form, firsts)
        for chunk in range(4 * half, 4 * half + 4) if form.halves == 2 else (0, 4, 1, 5, 2, 6, 3, 7):
            numbers = _numbers(b, block, form, chunk, part, _BIAS)
            products.add(numbers, [digits.word(row, chunk) for row in range(rows)])
        products.end()
        for row, total in enumerate(products.sums):
            sums[row].append(total)
    scales = _Scales(b, form, unit, block, part)
    return [scales.of_sums(*both) for both in zip(sums, minus, strict=True)]


def _add_group(b: Builder, form: Form, rows: int, arguments: Sequence[Value], run: Value, to: Value) -> None:
    """Generate the products of one run with some rows."""
    units, blocks, width, wanted, line, *addresses = arguments
    slots = [[cgutils.alloca_once(b, _FLOATS) for _ in range(_PARTS)] for _ in range(rows)]
    for slot in (each for row in slots for each in row):
        b.store(same(_FLOATS, 0.0), slot)
    with cgutils.for_range(b, units) as outer:
        unit = b.add(run, b.mul(outer.index, number(form.unit_bytes)))
        first = b.mul(outer.index, number(form.blocks))
        with cgutils.for_range(b, blocks) as inner:
            offset = b.mul(inner.index, number(form.block_bytes))
            block = b.add(unit, b.add(offset, number(form.head_bytes)))
            digits = _Rows(b, addresses, width, b.add(first, inner.index))
            for part in range(_PARTS):
                values = _block_values(b, form, rows, digits, unit, block, part)
                for row, value in enumerate(values):
                    scaled = b.fmul(value, digits.scale(row))
                    b.store(b.fadd(b.load(slots[row][part]), scaled), slots[row][part])
    fewer = max((each for each in CASES if each < rows), default=0)
    for row in range(rows):
        target = b.add(to, b.mul(line, number(row)))
        is_wanted = b.icmp_signed("<", number(row), wanted) if row > fewer else ir.Constant(ir.IntType(1), 1)
        with b.if_then(is_wanted):
            for part in range(_PARTS):
                store(b, b.load(slots[row][part]), target, number(part))


def new_function(
    b: Builder,
    name: str,
    count: int,
    generate: Callable[[Builder, Sequence[Value]], None],
    *,
    is_short: bool = False,
) -> Any:
    """Return a function of its own of so many addresses and sizes: what it does is optimised once.

    is_short: loops are not written out several times, which takes LLVM longer.
    """
    module = b.module
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * count), name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    if is_short:
        function.attributes.add("optsize")
    inside = ir.IRBuilder(function.append_basic_block("entry"))
    generate(inside, function.args)
    inside.ret_void()
    return function


def choose(
    b: Builder, place: Value, cases: Sequence[int], function: Callable[[int], Any], arguments: Sequence[Value]
) -> None:
    """Call one of several functions."""
    end = b.append_basic_block("end")
    choice = b.switch(place, end)
    for case in cases:
        with b.goto_block(b.append_basic_block("case")):
            choice.add_case(number(case), b.block)
            b.call(function(case), arguments)
            b.branch(end)
    b.position_at_end(end)


@intrinsic
def add_groups(
    _typing: Any,
    form: Any,
    rows: Any,
    wanted: Any,
    weights: Any,
    groups: Any,
    units: Any,
    blocks: Any,
    width: Any,
    digits: Any,
    scales: Any,
    sums: Any,
    halves: Any,
    out: Any,
    line: Any,
) -> Any:
    """Write the products of some rows with some runs.

    Args:
        rows: one of CASES; wanted: how many of them are written.
        weights: address of the first run; groups: how many.
        units: of a run; blocks: of a unit, `UNIT_BLOCKS`, which keeps LLVM from writing out all eight.
        width: rows of the tile that they are of.
        digits, scales, sums, halves: addresses of the first row's, see `block_digits`.
        out: address of the first row's outputs; line: bytes to the next row's.
    """

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        form, rows, *others = arguments

        def function(case: int) -> Any:
            code, count = divmod(case, ROWS_AT_ONCE + 1)
            name = f"quire_add_groups_{code}_{count}"
            return new_function(
                b, name, 12, lambda inside, given: _add_groups(inside, code, count, given), is_short=count > 2
            )

        place = b.add(b.mul(form, number(ROWS_AT_ONCE + 1)), rows)
        cases = [code * (ROWS_AT_ONCE + 1) + count for code in range(len(FORMS)) for count in CASES]
        choose(b, place, cases, function, others)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 14), generate


def _add_groups(b: Builder, code: int, rows: int, arguments: Sequence[Value]) -> None:
    wanted, weights, groups, units, blocks, width, *digits, out, line = arguments
    form = FORMS[code]
    with cgutils.for_range(b, groups) as loop:
        step = b.mul(units, number(form.unit_bytes))
        run = b.add(weights, b.mul(loop.index, step))
        to = b.add(out, b.mul(loop.index, number(4 * GROUP)))
        _add_group(b, form, rows, [units, blocks, width, wanted, line, *digits], run, to)


@intrinsic
def call_products(
    _typing: Any,
    function: Any,
    form: Any,
    weights: Any,
    groups: Any,
    units: Any,
    rows: Any,
    digits: Any,
    scales: Any,
    sums: Any,
    halves: Any,
    out: Any,
    line: Any,
) -> Any:
    """Call the compiled products at an address."""

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        function, *others = arguments
        kind = ir.FunctionType(ir.VoidType(), [I64] * len(others))
        b.call(b.inttoptr(function, kind.as_pointer()), others)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 12), generate


@intrinsic
def read_block(_typing: Any, form: Any, unit: Any, number_of_block: Any, out: Any) -> Any:
    """Write what the numbers of a block of a unit stand for, (32 inputs, 16 outputs) float32."""

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        form, *others = arguments

        def function(code: int) -> Any:
            name = f"quire_read_block_{code}"
            return new_function(b, name, 3, lambda inside, given: _read_block(inside, FORMS[code], *given))

        choose(b, form, range(len(FORMS)), function, others)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), generate


def _read_block(b: Builder, form: Form, unit: Value, place: Value, to: Value) -> None:
    offset = b.mul(place, number(form.block_bytes))
    block = b.add(unit, b.add(offset, number(form.head_bytes)))
    for part in range(_PARTS):
        scales = _Scales(b, form, unit, block, part)
        for chunk in range(_CHUNKS):
            numbers = _numbers(b, block, form, chunk, part, 0)
            half = chunk // 4 if form.halves == 2 else 0
            for each in range(4):
                own = lanes_of(b, numbers, range(each, 4 * _WIDTH, 4))
                wide = b.sext(own, _SUMS) if form.is_signed else b.zext(own, _SUMS)
                value = scales.of_number(b.sub(wide, same(_SUMS, form.offset)), half)
                store(b, value, to, number(_PARTS * (4 * chunk + each) + part))

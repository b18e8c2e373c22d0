"""Blocks of GGUF files into packed ones, written for LLVM: one output's unit at a time, where it lies.

Floats are cut into blocks of a file first. Every operation is one of IEEE 754's in a fixed order, so that
they become the same blocks on every computer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types

from quire_engine.integer.block_code import choose, from_float16, new_function
from quire_engine.integer.block_forms import (
    BF16,
    BLOCK,
    F16,
    F32,
    FILE_TYPES,
    FORMS,
    GROUP,
    IQ4_NL,
    Q8_0,
    FileType,
    Form,
)
from quire_engine.integer.float_code import ROUNDER, over_lanes
from quire_engine.integer.llvm_code import (
    FLOAT,
    I8,
    I16,
    I32,
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

_NUMBERS, _WORDS, _HALF = vector(I8, BLOCK), vector(I32, 8), vector(I8, 16)
_BITS = vector(ir.IntType(1), BLOCK)
_FLOATS, _SUMS = vector(FLOAT), vector(I32)
_TRIED = 5
"""Scales that are tried on either side of the table when floats are cut into 4 bits."""
CUT_TYPES = {8: Q8_0, 4: IQ4_NL}
"""The types of blocks that floats are cut into, by their bits."""
_WORST_EXPONENT = 252
"""Of the floats of 4 bits: with a larger one their largest is no number of float32."""


class _Block:
    """A block of a file, taken apart.

    Attributes:
        numbers: 32 bytes, without a sign but for forms of 8 bits.
        scales, minima: as the form has them: float16 as 16 bits, or bytes.
    """

    def __init__(self, numbers: Value, scales: Sequence[Value], minima: Sequence[Value] = ()) -> None:
        self.numbers, self.scales, self.minima = numbers, scales, minima


class _Source:
    """A unit of a file, from which bytes are read."""

    def __init__(self, b: Builder, address: Value) -> None:
        self.b, self._address = b, address

    def read(self, place: int, kind: Any) -> Value:
        return load(self.b, self.b.add(self._address, number(place)), kind, number(0))

    def nibbles(self, place: int) -> Value:
        """Return the low half of 16 bytes, and then the high one."""
        both = self.read(place, _HALF)
        parts = self.b.and_(both, same(_HALF, 15)), self.b.lshr(both, same(_HALF, 4))
        return self.b.shuffle_vector(*parts, ir.Constant(vector(I32, BLOCK), list(range(BLOCK))))

    def bits(self, place: int, shift: int, mask: int) -> Value:
        """Return some bits of each of 32 bytes."""
        b = self.b
        return b.and_(b.lshr(self.read(place, _NUMBERS), same(_NUMBERS, shift)), same(_NUMBERS, mask))

    def field(self, place: int, shift: int, mask: int) -> Value:
        """Return some bits of one byte."""
        return self.b.and_(self.b.lshr(self.read(place, I8), ir.Constant(I8, shift)), ir.Constant(I8, mask))

    def joined(self, low: Value, high: Value, shift: int) -> Value:
        """Return low bits and high ones together."""
        return self.b.or_(low, self.b.shl(high, same(low.type, shift)))

    def minus(self, half: Value) -> Value:
        """Return a float16 with the other sign."""
        return self.b.xor(half, ir.Constant(I16, 0x8000))

    def ones(self, place: int) -> Value:
        """Return 32 bits as bytes."""
        return self.b.zext(self.b.bitcast(self.read(place, I32), _BITS), _NUMBERS)


def _plain(source: _Source, numbers: int, ones: int = 0) -> Value:
    found = source.nibbles(numbers)
    return source.joined(found, source.ones(ones), 4) if ones else found


def _q8_0(source: _Source, _: int) -> _Block:
    return _Block(source.read(2, _NUMBERS), [source.read(0, I16)])


def _q4_0(source: _Source, _: int) -> _Block:
    return _Block(_plain(source, 2), [source.read(0, I16)])


def _q4_1(source: _Source, _: int) -> _Block:
    return _Block(_plain(source, 4), [source.read(0, I16)], [source.minus(source.read(2, I16))])


def _q5_0(source: _Source, _: int) -> _Block:
    return _Block(_plain(source, 6, 2), [source.read(0, I16)])


def _q5_1(source: _Source, _: int) -> _Block:
    return _Block(_plain(source, 8, 4), [source.read(0, I16)], [source.minus(source.read(2, I16))])


def _mxfp4(source: _Source, _: int) -> _Block:
    return _Block(_plain(source, 1), [source.read(0, I8)])


def _q2_k(source: _Source, block: int) -> _Block:
    numbers = source.bits(16 + 32 * (block // 4), 2 * (block % 4), 3)
    both = range(2 * block, 2 * block + 2)
    return _Block(
        numbers, [source.field(each, 0, 15) for each in both], [source.field(each, 4, 15) for each in both]
    )


def _q3_k(source: _Source, block: int) -> _Block:
    low = source.bits(32 + 32 * (block // 4), 2 * (block % 4), 3)
    scales = []
    for each in (2 * block, 2 * block + 1):
        first = source.field(96 + each % 8, 4 * (each // 8), 15)
        scale = source.joined(first, source.field(104 + each % 4, 2 * (each // 4), 3), 4)
        scales.append(source.b.sub(scale, ir.Constant(I8, 32)))
    return _Block(source.joined(low, source.bits(0, block, 1), 2), scales)


def _q4_k(source: _Source, block: int) -> _Block:
    numbers = source.bits(16 + 32 * (block // 2), 4 * (block % 2), 15)
    return _Block(numbers, *_six_bits(source, block))


def _q5_k(source: _Source, block: int) -> _Block:
    low = source.bits(48 + 32 * (block // 2), 4 * (block % 2), 15)
    return _Block(source.joined(low, source.bits(16, block, 1), 4), *_six_bits(source, block))


def _six_bits(source: _Source, block: int) -> tuple[list[Value], list[Value]]:
    """Return scale and minimum of a block of Q4_K or Q5_K: they fill the 12 bytes after two float16."""
    start, place = 4, block % 4
    if block < 4:
        return [source.field(start + place, 0, 63)], [source.field(start + 4 + place, 0, 63)]
    return (
        [source.joined(source.field(start + 8 + place, 0, 15), source.field(start + place, 6, 3), 4)],
        [source.joined(source.field(start + 8 + place, 4, 15), source.field(start + 4 + place, 6, 3), 4)],
    )


def _q6_k(source: _Source, block: int) -> _Block:
    half, part = block // 4, block % 4
    low = source.bits(64 * half + 32 * (part % 2), 4 * (part // 2), 15)
    high = source.bits(128 + 32 * half, 2 * part, 3)
    return _Block(
        source.joined(low, high, 4), [source.read(192 + 2 * block, I8), source.read(193 + 2 * block, I8)]
    )


def _iq4_xs(source: _Source, block: int) -> _Block:
    low = source.field(4 + block // 2, 4 * (block % 2), 15)
    high = source.field(2 + block // 4, 2 * (block % 4), 3)
    scale = source.b.sub(source.joined(low, high, 4), ir.Constant(I8, 32))
    return _Block(_plain(source, 8 + 16 * block), [scale])


_HEADS = {"Q2_K": (80, 82), "Q3_K": (108,), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,), "IQ4_XS": (0,)}
"""Where the scales of scales and of minima are in a unit of a file."""
_READERS: dict[str, Callable[[_Source, int], _Block]] = {
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
    "Q5_0": _q5_0,
    "Q5_1": _q5_1,
    "Q8_0": _q8_0,
    "Q2_K": _q2_k,
    "Q3_K": _q3_k,
    "Q4_K": _q4_k,
    "Q5_K": _q5_k,
    "Q6_K": _q6_k,
    "IQ4_NL": _q4_0,
    "IQ4_XS": _iq4_xs,
    "MXFP4": _mxfp4,
}


def _planes(b: Builder, form: Form, numbers: Value) -> list[Value]:
    """Return the words of one output in the planes of a block, in their order."""
    words = b.bitcast(numbers, _WORDS)
    each = [b.extract_element(words, ir.Constant(I32, chunk)) for chunk in range(8)]
    if form.bits == 8:
        return each
    found, low = [], 0

    def together(parts: Sequence[Value], count: int) -> Value:
        whole = None
        for place, part in enumerate(parts):
            mask = ir.Constant(I32, ((1 << count) - 1) * 0x01010101)
            moved = b.shl(b.and_(b.lshr(part, ir.Constant(I32, low)), mask), ir.Constant(I32, count * place))
            whole = moved if whole is None else b.or_(whole, moved)
        return whole

    if form.bits >= 4:
        first = b.and_(lanes_of(b, numbers, range(16)), same(_HALF, 15))
        second = b.shl(lanes_of(b, numbers, range(16, 32)), same(_HALF, 4))
        both = b.bitcast(b.or_(first, second), vector(I32, 4))
        found += [b.extract_element(both, ir.Constant(I32, chunk)) for chunk in range(4)]
        low = 4
    if form.bits in (2, 3, 6):
        found += [together(each[4 * half : 4 * half + 4], 2) for half in range(2)]
        low += 2
    if form.bits in (3, 5):
        found.append(together(each, 1))
    return found


@intrinsic
def pack_unit(_typing: Any, file_type: Any, raw: Any, unit: Any, lane: Any, bad: Any) -> Any:
    """Pack a unit of one output; at the address `bad` a bit is set where a scale is no number.

    raw: address in the file; unit: of the packed one; lane: which of its outputs.
    """

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        file_type, *others = arguments

        def function(each: int) -> Any:
            name = f"quire_pack_unit_{each}"
            return new_function(
                b, name, 4, lambda inside, given: _pack_unit(inside, FILE_TYPES[each], *given)
            )

        choose(b, file_type, list(FILE_TYPES), function, others)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 5), generate


def _pack_unit(b: Builder, kind: FileType, raw: Value, unit: Value, lane: Value, bad: Value) -> None:
    form, source = FORMS[kind.form], _Source(b, raw)
    wrong = ir.Constant(I32, 0)
    for place, start in enumerate(_HEADS.get(kind.name, ())):
        half = source.read(start, I16)
        wrong = b.or_(wrong, _wrong(b, half))
        store(b, half, b.add(unit, number(2 * GROUP * place)), lane)
    for block in range(form.blocks):
        found = _READERS[kind.name](source, block)
        begin = form.head_bytes + form.block_bytes * block
        for plane, word in enumerate(_planes(b, form, found.numbers)):
            store(b, word, b.add(unit, number(begin + 4 * GROUP * plane)), lane)
        for place, scale in enumerate([*found.scales, *found.minima]):
            start = begin + form.plane_bytes + form.scale_bytes * place
            store(b, scale, b.add(unit, number(start)), lane)
            if form.blocks == 1:
                wrong = b.or_(wrong, _wrong(b, scale))
    store(b, b.or_(load(b, bad, I32, number(0)), wrong), bad, number(0))


def _wrong(b: Builder, scale: Value) -> Value:
    """Return 1 for a scale that is NaN or infinite, or an exponent that makes numbers so."""
    if scale.type == I8:
        is_wrong = b.icmp_unsigned(">", scale, ir.Constant(I8, _WORST_EXPONENT))
    else:
        mask = ir.Constant(I16, 0x7C00)
        is_wrong = b.icmp_unsigned("==", b.and_(scale, mask), mask)
    return b.zext(is_wrong, I32)


@intrinsic
def cut_block(_typing: Any, ggml_type: Any, bits: Any, numbers: Any, out: Any) -> Any:
    """Cut 32 floats at an address into a block of `CUT_TYPES`; a scale is NaN where one of them is no number.

    ggml_type: of the floats. bits: 8 or 4.
    """

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        ggml_type, bits, *others = arguments

        def function(case: int) -> Any:
            kind, count = divmod(case, 16)
            cut = _cut_8 if count == 8 else _cut_4

            def fill(inside: Builder, given: Sequence[Value]) -> None:
                cut(inside, _floats_of(inside, kind, given[0]), given[1])

            return new_function(b, f"quire_cut_block_{case}", 2, fill)

        place = b.add(b.mul(ggml_type, number(16)), bits)
        choose(
            b,
            place,
            [16 * kind + count for kind in (F32, F16, BF16) for count in CUT_TYPES],
            function,
            others,
        )
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4), generate


def _floats_of(b: Builder, ggml_type: int, address: Value) -> list[Value]:
    """Return 32 floats of a file in float32, in two vectors."""
    found = []
    for half in map(number, range(2)):
        if ggml_type == F32:
            found.append(load(b, address, _FLOATS, half))
            continue
        shorts = load(b, address, vector(I16), half)
        if ggml_type == F16:
            found.append(from_float16(b, shorts))
        else:
            found.append(b.bitcast(b.shl(b.zext(shorts, _SUMS), same(_SUMS, 16)), _FLOATS))
    return found


def _largest(b: Builder, pair: Sequence[Value]) -> tuple[Value, Value]:
    """Return the largest size of a block's floats, and whether all of them are numbers."""
    sizes = [b.and_(b.bitcast(each, _SUMS), same(_SUMS, 0x7FFFFFFF)) for each in pair]

    def most(builder: Builder, left: Value, right: Value) -> Value:
        return builder.select(builder.icmp_unsigned(">", left, right), left, right)

    top = over_lanes(b, most(b, *sizes), most)  # as integers: NaN is above all others
    return b.bitcast(top, FLOAT), b.icmp_unsigned("<", top, ir.Constant(I32, 0x7F800000))


def _to_float16(b: Builder, value: Value, is_number: Value) -> Value:
    """Return the nearest float16 of a float32, ties to even, as 16 bits; NaN where there is no number."""

    def c(bits: int) -> Any:
        return ir.Constant(I32, bits)

    whole = b.bitcast(value, I32)
    size = b.and_(whole, c(0x7FFFFFFF))
    # added to a half, a number below the least usual one is rounded to the steps of those
    small = b.sub(b.bitcast(b.fadd(b.bitcast(size, FLOAT), same(FLOAT, 0.5)), I32), c(0x3F000000))
    tie = b.add(c(0xFFF), b.and_(b.lshr(size, c(13)), c(1)))
    usual = b.lshr(b.sub(b.add(size, tie), c(0x38000000)), c(13))
    half = b.select(b.icmp_unsigned("<", size, c(0x38800000)), small, usual)
    half = b.select(b.icmp_unsigned(">=", size, c(0x47800000)), c(0x7C00), half)
    sign = b.and_(b.lshr(whole, c(16)), c(0x8000))
    return b.trunc(b.select(is_number, b.or_(half, sign), c(0x7E00)), I16)


def _as_bytes(b: Builder, pair: Sequence[Value]) -> Value:
    """Return two vectors of whole numbers as 32 bytes."""
    parts = [b.trunc(each, _HALF) for each in pair]
    return b.shuffle_vector(*parts, ir.Constant(vector(I32, BLOCK), list(range(BLOCK))))


def _cut_8(b: Builder, pair: Sequence[Value], out: Value) -> None:
    """Cut as Q8_0 is cut: the largest size is 127, and halves are rounded away from zero."""
    top, is_number = _largest(b, pair)
    scale = b.fdiv(top, same(FLOAT, 127.0))
    half = _to_float16(b, scale, is_number)
    has_any = b.icmp_unsigned("!=", half, ir.Constant(I16, 0))
    inverse = splat(b, b.select(has_any, b.fdiv(same(FLOAT, 1.0), scale), same(FLOAT, 0.0)))
    found = []
    for each in pair:
        scaled = b.fmul(each, inverse)
        size = b.bitcast(b.and_(b.bitcast(scaled, _SUMS), same(_SUMS, 0x7FFFFFFF)), _FLOATS)
        whole = b.fptosi(size, _SUMS)
        rest = b.fsub(size, b.sitofp(whole, _FLOATS))
        whole = b.add(whole, b.fptosi(b.fmul(rest, same(_FLOATS, 2.0)), _SUMS))
        is_negative = b.fcmp_ordered("<", scaled, same(_FLOATS, 0.0))
        found.append(b.select(is_negative, b.neg(whole), whole))
    store(b, half, out, number(0))
    store(b, _as_bytes(b, found), b.add(out, number(2)), number(0))


def _bent(b: Builder, pair: Sequence[Value], inverse: Value) -> tuple[Value, Value]:
    """Return the nearest numbers of IQ4_NL's table to floats times a factor, and their places in it."""
    table = FORMS[FILE_TYPES[IQ4_NL].form].table
    factors, found = splat(b, inverse), []
    for each in pair:
        scaled = b.fmul(each, factors)
        for bound, sign in ((127.0, "<"), (-127.0, ">")):
            limit = same(_FLOATS, bound)
            scaled = b.select(b.fcmp_ordered(sign, scaled, limit), scaled, limit)
        found.append(b.bitcast(b.fadd(scaled, same(_FLOATS, ROUNDER)), _SUMS))
    digits = _as_bytes(b, found)
    values, places = same(_NUMBERS, table[0] & 255), same(_NUMBERS, 0)
    for low, high in itertools.pairwise(table):
        is_above = b.sext(b.icmp_signed(">", digits, same(_NUMBERS, (low + high) // 2)), _NUMBERS)
        values = b.add(values, b.and_(is_above, same(_NUMBERS, high - low)))
        places = b.sub(places, is_above)
    return values, places


def _cut_4(b: Builder, pair: Sequence[Value], out: Value) -> None:
    """Cut as IQ4_NL has it: of a few scales the one whose squared error is least."""
    top, is_number = _largest(b, pair)
    gain, best = (cgutils.alloca_once_value(b, same(FLOAT, 0.0)) for _ in range(2))
    zero = same(FLOAT, 0.0)

    def added(builder: Builder, left: Value, right: Value) -> Value:
        return builder.fadd(left, right)

    with cgutils.for_range(b, number(2 * _TRIED)) as loop:
        is_low = b.icmp_signed("<", loop.index, number(_TRIED))
        each = b.sitofp(b.srem(loop.index, number(_TRIED)), FLOAT)
        share = b.fadd(same(FLOAT, 0.875), b.fmul(each, same(FLOAT, 0.0625)))
        target = b.fmul(b.select(is_low, same(FLOAT, -127.0), same(FLOAT, 113.0)), share)
        inverse = b.select(b.fcmp_ordered(">", top, zero), b.fdiv(target, top), zero)
        values, _ = _bent(b, pair, inverse)
        of_values = [lanes_of(b, values, range(16 * half, 16 * half + 16)) for half in range(2)]
        floats = [b.sitofp(b.sext(half, _SUMS), _FLOATS) for half in of_values]
        products = b.fadd(*(b.fmul(x, value) for x, value in zip(pair, floats, strict=True)))
        squares = b.fadd(*(b.fmul(value, value) for value in floats))
        product, square = over_lanes(b, products, added), over_lanes(b, squares, added)
        scale = b.fdiv(product, square)
        gained = b.fmul(scale, product)
        with b.if_then(b.fcmp_ordered(">", gained, b.load(gain))):
            b.store(gained, gain)
            b.store(scale, best)
    half = _to_float16(b, b.load(best), is_number)
    kept = b.extract_element(
        from_float16(b, b.insert_element(same(vector(I16), 0), half, ir.Constant(I32, 0))),
        ir.Constant(I32, 0),
    )
    inverse = b.select(b.fcmp_ordered("!=", kept, zero), b.fdiv(same(FLOAT, 1.0), kept), zero)
    _, places = _bent(b, pair, inverse)
    low, high = (lanes_of(b, places, range(16 * each, 16 * each + 16)) for each in range(2))
    store(b, half, out, number(0))
    store(b, b.or_(low, b.shl(high, same(_HALF, 4))), b.add(out, number(2)), number(0))

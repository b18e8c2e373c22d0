"""Blocks of GGUF files into packed ones, written for LLVM: one output's unit at a time, where it lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types

from quire_engine.integer.block_code import choose, new_function
from quire_engine.integer.block_forms import BLOCK, FILE_TYPES, FORMS, GROUP, FileType, Form
from quire_engine.integer.llvm_code import (
    I8,
    I16,
    I32,
    Builder,
    Value,
    intrinsic,
    lanes_of,
    load,
    number,
    same,
    store,
    vector,
)

_NUMBERS, _WORDS, _HALF = vector(I8, BLOCK), vector(I32, 8), vector(I8, 16)
_BITS = vector(ir.IntType(1), BLOCK)
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
    """Return scale and minimum of a block of Q4_K or Q5_K: 12 bytes behind two float16 have all of them."""
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

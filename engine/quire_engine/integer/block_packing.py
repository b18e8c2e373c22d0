"""Weights of files, or of floats, as blocks that the products read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.integer.block_forms import (
    BF16,
    BLOCK,
    F16,
    F32,
    FILE_TYPES,
    FORMS,
    GROUP,
    Q4_0,
    Q8_0,
    UNIT_BYTES,
)
from quire_engine.integer.block_product import read_rows
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.packing_code import pack_unit

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

PACKED_TYPES = frozenset(FILE_TYPES) | {F32, F16, BF16}
"""Types of GGUF's that `pack_rows` takes."""
_ALIGNED = 64
_SLAB = 1 << 22
"""Numbers that are in memory in float32 at a time."""
_ZERO, _HALF, _ONE, _TWO = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(2.0)


class NotFinite(ValueError):
    """A weight is NaN or infinite."""


@dataclass(frozen=True, slots=True)
class PackedWeight:
    """A weight in blocks.

    Attributes:
        data: groups of 16 outputs, the last one filled with zeros; 64-byte aligned.
        form: place in `FORMS`.
    """

    data: Bytes
    form: int
    outputs: int
    inputs: int

    @property
    def num_bytes(self) -> int:
        """Its size in memory."""
        return self.data.nbytes

    @property
    def address(self) -> int:
        """Where its data begin; they must outlive whoever reads there."""
        return int(self.data.ctypes.data)


def pack_rows(raw: Bytes, ggml_type: int, inputs: int) -> PackedWeight:
    """Pack blocks of a GGUF file.

    Args:
        raw: (outputs, bytes of a row), each row contiguous.
        ggml_type: one of `PACKED_TYPES`; floats are cut into 8 bits.

    Raises:
        NotFinite: a scale, or a float, is not a finite number.
    """
    if ggml_type not in FILE_TYPES:
        return _pack_floats(raw, ggml_type, inputs)
    weight = _new_weight(FILE_TYPES[ggml_type].form, raw.shape[0], inputs)
    _pack_into(weight, 0, raw, ggml_type)
    return weight


def pack_floats(weights: Floats, bits: int) -> PackedWeight:
    """Cut float32 numbers (outputs, inputs) into blocks of 8 or 4 bits; NotFinite."""
    raw = np.ascontiguousarray(weights, np.float32).view(np.uint8)
    return _pack_floats(raw.reshape(len(weights), -1), F32, weights.shape[1], bits)


def unpacked(weight: PackedWeight) -> Floats:
    """Return the numbers that products stand for, (outputs, inputs)."""
    return rows_of(weight, 0, weight.outputs)


def rows_of(weight: PackedWeight, first: int, last: int) -> Floats:
    """Return the numbers of some outputs."""
    begin = first // GROUP * GROUP
    found = np.empty((last - begin, weight.inputs), np.float32)
    read_rows(weight.address, weight.form, weight.inputs, begin, found)
    return found[first - begin :]


def _new_weight(form: int, outputs: int, inputs: int) -> PackedWeight:
    per_unit = BLOCK * FORMS[form].blocks
    count = -(-outputs // GROUP) * -(-inputs // per_unit) * FORMS[form].unit_bytes
    room = np.zeros(count + _ALIGNED, np.uint8)
    start = -room.ctypes.data % _ALIGNED
    return PackedWeight(room[start : start + count], form, outputs, inputs)


def _pack_into(weight: PackedWeight, first: int, raw: Bytes, ggml_type: int) -> None:
    """Pack outputs from `first` on, which begins a group."""
    kind = FILE_TYPES[ggml_type]
    units = -(-weight.inputs // kind.inputs)
    if raw.shape[1] != units * kind.bytes:
        raise ValueError(f"{raw.shape[1]} bytes are no row of {weight.inputs} inputs in {kind.name}")
    if not _pack_groups(raw, ggml_type, kind.bytes, weight.form, units, weight.data, first):
        raise NotFinite(f"a scale of {kind.name} is not a finite number")


@kernel
def _pack_groups(
    raw: Bytes, ggml_type: int, step: int, form: int, units: int, data: Bytes, first: int
) -> bool:
    """Pack rows of a file; return whether all scales are finite. step: bytes of a unit there."""
    bad = np.zeros(1, np.int32)
    size = UNIT_BYTES[form]
    for row in range(0, raw.shape[0], GROUP):
        run = data.ctypes.data + (first + row) // GROUP * units * size
        for unit in range(units):
            for lane in range(min(GROUP, raw.shape[0] - row)):
                at = raw.ctypes.data + (row + lane) * raw.strides[0] + unit * step
                pack_unit(ggml_type, at, run + unit * size, lane, bad.ctypes.data)
    return bool(bad[0] == 0)


def _pack_floats(raw: Bytes, ggml_type: int, inputs: int, bits: int = 8) -> PackedWeight:
    """Cut rows of floats into blocks, a few outputs at a time."""
    cut_type = {8: Q8_0, 4: Q4_0}[bits]
    weight = _new_weight(FILE_TYPES[cut_type].form, raw.shape[0], inputs)
    blocks = -(-inputs // BLOCK)
    at_once = max(1, _SLAB // (blocks * BLOCK * GROUP)) * GROUP
    for first in range(0, raw.shape[0], at_once):
        floats = _as_floats(raw[first : first + at_once], ggml_type)
        if floats.shape[1] != inputs:
            raise ValueError(f"a row has {floats.shape[1]} floats, not {inputs}")
        scales = np.empty((len(floats), blocks), np.float32)
        _find_scales(floats, bits, scales)
        with np.errstate(over="ignore"):
            kept = scales.astype(np.float16)
        cut = np.empty((len(floats), blocks * FILE_TYPES[cut_type].bytes), np.uint8)
        _cut(floats, bits, scales, kept.view(np.uint16), cut)
        _pack_into(weight, first, cut, cut_type)
    return weight


def _as_floats(raw: Bytes, ggml_type: int) -> Floats:
    """Return rows of F32, F16 or BF16 as float32."""
    if ggml_type == F32:
        return np.ascontiguousarray(raw).view(np.float32)
    halves = np.ascontiguousarray(raw).view(np.uint16)
    if ggml_type == F16:
        return halves.view(np.float16).astype(np.float32)
    return (halves.astype(np.uint32) << np.uint32(16)).view(np.float32)


@kernel
def _find_scales(floats: Floats, bits: int, scales: Floats) -> None:
    """Write what one step of each block is; NaN where a number is NaN."""
    for row in range(floats.shape[0]):
        line = floats[row]
        for block in range(scales.shape[1]):
            top, size = _ZERO, _ZERO
            for j in range(block * BLOCK, min((block + 1) * BLOCK, len(line))):
                if not abs(line[j]) <= size:
                    top, size = line[j], abs(line[j])
                    if size != size:
                        break
            scales[row, block] = size / np.float32(127.0) if bits == 8 else top / np.float32(-8.0)


@kernel
def _cut(floats: Floats, bits: int, scales: Floats, kept: npt.NDArray[np.uint16], out: Bytes) -> None:
    """Write blocks as Q8_0, or Q4_0, has them. kept: the scales in float16."""
    size = 34 if bits == 8 else 18
    for row in range(floats.shape[0]):
        line = floats[row]
        for block in range(scales.shape[1]):
            to = out[row, block * size : (block + 1) * size]
            scale, start = scales[row, block], block * BLOCK
            inverse = _ONE / scale if kept[row, block] & 0x7FFF else _ZERO
            to[0], to[1] = kept[row, block] & 255, kept[row, block] >> 8
            for j in range(BLOCK):
                value = line[start + j] * inverse if start + j < len(line) else _ZERO
                if bits == 8:
                    whole = np.floor(abs(value))
                    whole += np.floor(_TWO * (abs(value) - whole))
                    to[2 + j] = np.int32(whole if value >= _ZERO else -whole) & 255
                else:
                    digit = min(np.int32(15), np.int32(value + np.float32(8.5)))
                    to[2 + j % 16] = digit if j < 16 else to[2 + j % 16] | digit << 4

"""Weights of files, or of floats, as blocks that the products read."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
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
    UNIT_BYTES,
)
from quire_engine.integer.block_product import read_rows
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.packing_code import CUT_TYPES, cut_block, pack_unit

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

PACKED_TYPES = frozenset(FILE_TYPES) | {F32, F16, BF16}
"""Types of GGUF's that `pack_rows` takes."""
FLOAT_BYTES = {F32: 4, F16: 2, BF16: 2}
_ALIGNED = 64
_PIECE = 1 << 25


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
    return _pack_floats(raw.reshape(len(weights), 4 * weights.shape[1]), F32, weights.shape[1], bits)


def unpacked(weight: PackedWeight) -> Floats:
    """Return the numbers that products stand for, (outputs, inputs)."""
    return rows_of(weight, 0, weight.outputs)


def rows_of(weight: PackedWeight, first: int, last: int) -> Floats:
    """Return the numbers of some outputs."""
    begin = first // GROUP * GROUP
    found = np.empty((last - begin, weight.inputs), np.float32)
    read_rows(weight.address, weight.form, weight.inputs, begin, found)
    return found[first - begin :]


class _Rooms:
    """Zeroed room for weights, small ones of a model in one piece.

    Systems give large pages to large pieces alone, and at the end of each page a processor stops reading
    ahead: in pages of 4,096 bytes a pass through a small model takes half as long again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner: Callable[[], Bytes | None] = lambda: None
        self._used = 0

    def take(self, count: int) -> Bytes:
        """Allocate bytes that live as long as their holder."""
        if count > _PIECE // 4:
            return self._part(np.zeros(count + _ALIGNED, np.uint8), 0, count)
        with self._lock:
            owner = self._owner()
            if owner is None or self._used + count + _ALIGNED > len(owner):
                owner = np.zeros(_PIECE, np.uint8)
                self._owner, self._used = weakref.ref(owner), 0
            first = self._used
            self._used += -(-count // _ALIGNED) * _ALIGNED
        return self._part(owner, first, count)

    def _part(self, owner: Bytes, first: int, count: int) -> Bytes:
        start = -owner.ctypes.data % _ALIGNED + first
        return owner[start : start + count]


_rooms = _Rooms()


def _new_weight(form: int, outputs: int, inputs: int) -> PackedWeight:
    per_unit = BLOCK * FORMS[form].blocks
    count = -(-outputs // GROUP) * -(-inputs // per_unit) * FORMS[form].unit_bytes
    return PackedWeight(_rooms.take(count), form, outputs, inputs)


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
    """Cut rows of floats into blocks."""
    if raw.shape[1] != inputs * FLOAT_BYTES[ggml_type]:
        raise ValueError(f"{raw.shape[1]} bytes are no row of {inputs} floats")
    cut_type = CUT_TYPES[bits]
    kind = FILE_TYPES[cut_type]
    weight = _new_weight(kind.form, raw.shape[0], inputs)
    sizes = FLOAT_BYTES[ggml_type], kind.bytes
    if not _cut_groups(raw, ggml_type, bits, cut_type, *sizes, weight.form, inputs, weight.data):
        raise NotFinite("a weight is not a finite number")
    return weight


@kernel
def _cut_groups(
    raw: Bytes,
    ggml_type: int,
    bits: int,
    cut_type: int,
    size: int,
    cut_size: int,
    form: int,
    inputs: int,
    data: Bytes,
) -> bool:
    """Pack rows of floats; return whether all are finite. size: bytes of one; cut_size: of a block."""
    bad, cut, last = np.zeros(1, np.int32), np.empty(cut_size, np.uint8), np.zeros(BLOCK * size, np.uint8)
    blocks, whole = -(-inputs // BLOCK), inputs // BLOCK
    for row in range(raw.shape[0]):
        run = data.ctypes.data + row // GROUP * blocks * UNIT_BYTES[form]
        line = raw.ctypes.data + row * raw.strides[0]
        for block in range(blocks):
            at = line + block * BLOCK * size
            if block == whole:
                for j in range((inputs - whole * BLOCK) * size):
                    last[j] = raw[row, block * BLOCK * size + j]
                at = last.ctypes.data
            cut_block(ggml_type, bits, at, cut.ctypes.data)
            pack_unit(cut_type, cut.ctypes.data, run + block * UNIT_BYTES[form], row % GROUP, bad.ctypes.data)
    return bool(bad[0] == 0)

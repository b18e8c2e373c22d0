"""Read the header of a GGUF file, without the weights; every length is checked against the file first."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable

MAGIC = b"GGUF"
TENSOR_TYPES: dict[int, tuple[str, int, int]] = {
    0: ("F32", 1, 4), 1: ("F16", 1, 2), 2: ("Q4_0", 32, 18), 3: ("Q4_1", 32, 20), 6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24), 8: ("Q8_0", 32, 34), 9: ("Q8_1", 32, 40), 10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110), 12: ("Q4_K", 256, 144), 13: ("Q5_K", 256, 176), 14: ("Q6_K", 256, 210),
    15: ("Q8_K", 256, 292), 16: ("IQ2_XXS", 256, 66), 17: ("IQ2_XS", 256, 74), 18: ("IQ3_XXS", 256, 98),
    19: ("IQ1_S", 256, 50), 20: ("IQ4_NL", 32, 18), 21: ("IQ3_S", 256, 110), 22: ("IQ2_S", 256, 82),
    23: ("IQ4_XS", 256, 136), 24: ("I8", 1, 1), 25: ("I16", 1, 2), 26: ("I32", 1, 4), 27: ("I64", 1, 8),
    28: ("F64", 1, 8), 29: ("IQ1_M", 256, 56), 30: ("BF16", 1, 2), 34: ("TQ1_0", 256, 54),
    35: ("TQ2_0", 256, 66), 39: ("MXFP4", 32, 17), 40: ("NVFP4", 64, 36), 41: ("Q1_0", 128, 18),
}  # fmt: skip
"""Name, numbers per block and bytes per block, by the number in the file."""
BLOCK_TYPES = frozenset(
    name for name, _, _ in map(TENSOR_TYPES.__getitem__, (2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 20, 23, 39))
)
"""Types that a CPU computes in as they are; others are cut into 8 bits."""
CUT_TYPES = frozenset(name for name, numbers, _ in TENSOR_TYPES.values() if numbers > 1) - BLOCK_TYPES

_VERSIONS = (2, 3)
_MAX_FIELDS = 1 << 16
_MAX_TENSORS = 1 << 19
_MAX_STRING = 1 << 24
_MAX_KEY = 1 << 12
_CHUNK = 1 << 16
_MAX_SIDE = 1 << 40
_STRING, _ARRAY = 8, 9
_SCALARS: dict[int, struct.Struct] = {
    0: struct.Struct("<B"), 1: struct.Struct("<b"), 2: struct.Struct("<H"), 3: struct.Struct("<h"),
    4: struct.Struct("<I"), 5: struct.Struct("<i"), 6: struct.Struct("<f"), 7: struct.Struct("<?"),
    10: struct.Struct("<Q"), 11: struct.Struct("<q"), 12: struct.Struct("<d"),
}  # fmt: skip
_U32, _U64 = _SCALARS[4], _SCALARS[10]
_CODES = {number: form.format.lstrip("<") for number, form in _SCALARS.items()}


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """One entry of the header.

    Attributes:
        shape: outermost first, as the library counts them.
        type_id: how its numbers are stored; see TENSOR_TYPES.
        start: of its data, from the start of the file.
        num_bytes: of its data.
    """

    name: str
    shape: tuple[int, ...]
    type_id: int
    start: int
    num_bytes: int

    @property
    def type_name(self) -> str:
        """The name of its type, such as Q4_K."""
        return TENSOR_TYPES[self.type_id][0]

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class GgufArray:
    """A list in the metadata, which is read when it is needed. start, end: its place in the file."""

    kind: int
    count: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """Metadata and tensors of one GGUF file."""

    file: Path
    fields: Mapping[str, Any]
    tensors: tuple[GgufTensor, ...]
    num_bytes: int

    def text(self, key: str, default: str = "") -> str:
        """Return a text of the metadata; the default if it is missing or of another kind."""
        found = self.fields.get(key)
        return found if isinstance(found, str) else default

    def number(self, key: str) -> int | float | None:
        """Return a number of the metadata; None if it is missing or of another kind."""
        found = self.fields.get(key)
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            return None
        return found

    def size(self, key: str) -> int | None:
        """Return a whole number above 0; None if it is missing or of another kind."""
        found = self.fields.get(key)
        return found if type(found) is int and found > 0 else None

    def switch(self, key: str) -> bool | None:
        """Return a truth value; None if it is missing or of another kind."""
        found = self.fields.get(key)
        return found if isinstance(found, bool) else None

    def strings(self, key: str) -> list[str]:
        """Read a list of texts; empty if it is missing or of another kind."""
        array = self.fields.get(key)
        if not isinstance(array, GgufArray) or array.kind != _STRING:
            return []
        with self.file.open("rb") as data:
            data.seek(array.start)
            raw = data.read(array.end - array.start)
        found, place = [], 0
        for _ in range(array.count):
            (length,) = _U64.unpack_from(raw, place)
            place += _U64.size
            found.append(_decoded(self.file, raw[place : place + length]))
            place += length
        return found

    def numbers(self, key: str) -> tuple[Any, ...]:
        """Read a list of numbers; empty if it is missing or of another kind."""
        array = self.fields.get(key)
        if not isinstance(array, GgufArray) or array.kind not in _SCALARS:
            return ()
        with self.file.open("rb") as data:
            data.seek(array.start)
            return struct.unpack(f"<{array.count}{_CODES[array.kind]}", data.read(array.end - array.start))


def read_gguf_header(file: Path) -> GgufHeader:
    """Return metadata and tensors of a file; ModelRejected if it is not a sound GGUF file."""
    try:
        size = file.stat().st_size
        with file.open("rb") as data:
            return _Reader(file, data, size).header()
    except OSError as error:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{file} can't be read ({reason}).",
            file=printable(file.name),
            reason=printable(error.strerror or error),
        ) from error


def damaged(file: Path, what: str) -> ModelRejected:
    """Return the rejection of a file whose content contradicts itself."""
    return ModelRejected(
        RejectionKind.DAMAGED,
        "{file} is damaged: {what}. Download it again.",
        file=printable(file.name),
        what=what,
    )


def _decoded(file: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise damaged(file, UserMessage("a text in it is not UTF-8")) from error


class _Reader:
    """Reads from the start on; nothing is read or counted beyond the end of the file."""

    def __init__(self, file: Path, data: IO[bytes], size: int) -> None:
        self._file, self._data, self._size = file, data, size
        self._place = 0

    def header(self) -> GgufHeader:
        if self._bytes(min(4, self._size)) != MAGIC:
            raise ModelRejected(
                RejectionKind.DAMAGED, "{file} is not a GGUF file.", file=printable(self._file.name)
            )
        version = self._unpack(_U32)
        if version not in _VERSIONS:
            raise ModelRejected(
                RejectionKind.UNSUPPORTED,
                "{file} has version {version} of the GGUF format; Quire reads versions 2 and 3.",
                file=printable(self._file.name),
                version=version,
            )
        num_tensors, num_fields = self._unpack(_U64), self._unpack(_U64)
        if num_tensors > _MAX_TENSORS or num_fields > _MAX_FIELDS:
            raise damaged(self._file, UserMessage("its header is implausibly long"))
        fields: dict[str, Any] = {}
        for _ in range(num_fields):
            key = _decoded(self._file, self._string(_MAX_KEY))
            if key in fields:
                raise damaged(self._file, UserMessage("an entry of its header occurs twice"))
            fields[key] = self._value(self._unpack(_U32))
        places = [self._tensor() for _ in range(num_tensors)]
        return GgufHeader(self._file, fields, self._placed(places, fields), self._size)

    def _tensor(self) -> tuple[str, tuple[int, ...], int, int]:
        name = _decoded(self._file, self._string(_MAX_KEY))
        dimensions = self._unpack(_U32)
        if not 1 <= dimensions <= 4:
            raise self._wrong(name)
        shape = tuple(self._unpack(_U64) for _ in range(dimensions))
        return name, shape[::-1], self._unpack(_U32), self._unpack(_U64)

    def _placed(
        self, places: list[tuple[str, tuple[int, ...], int, int]], fields: Mapping[str, Any]
    ) -> tuple[GgufTensor, ...]:
        alignment = fields.get("general.alignment", 32)
        if type(alignment) is not int or not 1 <= alignment <= 1 << 20 or alignment & (alignment - 1):
            raise damaged(self._file, UserMessage("its header is invalid"))
        start = -(-self._place // alignment) * alignment
        tensors = []
        for name, shape, type_id, offset in places:
            if type_id not in TENSOR_TYPES:
                raise ModelRejected(
                    RejectionKind.UNSUPPORTED,
                    "{file} stores weights in a way that Quire doesn't know (type {number}). Choose another "
                    "quantisation, such as Q4_K_M or Q8_0.",
                    file=printable(self._file.name),
                    number=type_id,
                )
            _, block, block_bytes = TENSOR_TYPES[type_id]
            if not all(1 <= side <= _MAX_SIDE for side in shape) or shape[-1] % block or offset % alignment:
                raise self._wrong(name)
            num_bytes = math.prod(shape) // block * block_bytes
            if start + offset + num_bytes > self._size:
                raise damaged(self._file, UserMessage("it is truncated"))
            tensors.append(GgufTensor(name, shape, type_id, start + offset, num_bytes))
        self._check_apart(tensors)
        return tuple(tensors)

    def _check_apart(self, tensors: list[GgufTensor]) -> None:
        """Reject tensors that share bytes or a name: a small file could unfold into a huge one."""
        if len({tensor.name for tensor in tensors}) != len(tensors):
            raise damaged(self._file, UserMessage("an entry of its header occurs twice"))
        end = 0
        for tensor in sorted(tensors, key=lambda each: each.start):
            if tensor.start < end:
                raise self._wrong(tensor.name)
            end = tensor.start + tensor.num_bytes

    def _wrong(self, name: str) -> ModelRejected:
        return damaged(
            self._file, UserMessage("the offset or size of {name} is invalid", name=printable(name, 60))
        )

    # ------------------------------------------------------------ values
    def _value(self, kind: int) -> Any:
        if kind in _SCALARS:
            return self._unpack(_SCALARS[kind])
        if kind == _STRING:
            return _decoded(self._file, self._string(_MAX_STRING))
        if kind == _ARRAY:
            return self._array()
        raise damaged(self._file, UserMessage("its header is invalid"))

    def _array(self) -> GgufArray:
        kind, count = self._unpack(_U32), self._unpack(_U64)
        start = self._place
        if kind in _SCALARS:
            self._check_left(count * _SCALARS[kind].size)
            self._skip(count * _SCALARS[kind].size)
        elif kind == _STRING:
            self._check_left(count * _U64.size)
            self._skip_strings(count)
        else:
            raise damaged(self._file, UserMessage("its header is invalid"))
        return GgufArray(kind, count, start, self._place)

    def _skip_strings(self, count: int) -> None:
        """Skip as many texts as a vocabulary has: a million in a moment."""
        unpack, place, start, raw = _U64.unpack_from, self._place, 0, b""
        for _ in range(count):
            if place - start + _U64.size > len(raw):
                if place + _U64.size > self._size:
                    raise damaged(self._file, UserMessage("it is truncated"))
                self._data.seek(place)
                start, raw = place, self._data.read(_CHUNK)
            place += _U64.size + unpack(raw, place - start)[0]
        if place > self._size:
            raise damaged(self._file, UserMessage("it is truncated"))
        self._data.seek(place)
        self._place = place

    def _string(self, most: int) -> bytes:
        length = self._unpack(_U64)
        if length > most:
            raise damaged(self._file, UserMessage("its header is invalid"))
        return self._bytes(length)

    def _unpack(self, form: struct.Struct) -> Any:
        return form.unpack(self._bytes(form.size))[0]

    def _skip(self, count: int) -> None:
        self._check_left(count)
        if count < 1 << 12:  # a seek would throw the buffer away
            self._data.read(count)
        else:
            self._data.seek(count, 1)
        self._place += count

    def _bytes(self, count: int) -> bytes:
        self._check_left(count)
        found = self._data.read(count)
        if len(found) != count:
            raise damaged(self._file, UserMessage("it is truncated"))
        self._place += count
        return found

    def _check_left(self, count: int) -> None:
        if count > self._size - self._place:
            raise damaged(self._file, UserMessage("it is truncated"))

"""One weight in a file: its size is known, and nothing of it is read before it is asked for."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quire_engine.catalog.gguf_header import TENSOR_TYPES
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.catalog.safetensors_header import Tensor

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Order = npt.NDArray[np.int64]
Rows = slice | Order
ALL = slice(None)

_BLOCK_TYPES = {"F32": 0, "F16": 1, "BF16": 30, "F64": 28}
"""The types of GGUF for the plain numbers of safetensors."""
_F64 = 28
_CHUNK = 1 << 22
"""Numbers that are made to float32 at a time."""


@dataclass(frozen=True, slots=True)
class FileTensor(Tensor, ABC):
    """A tensor that can be read. All of its axes but the last count rows; a vector has one number a row."""

    @property
    def num_rows(self) -> int:
        """Its rows."""
        return self.shape[0] if len(self.shape) == 1 else math.prod(self.shape[:-1])

    @property
    def width(self) -> int:
        """The numbers of a row."""
        return 1 if len(self.shape) == 1 else self.shape[-1]

    @abstractmethod
    def floats(self, rows: Rows = ALL) -> Floats:
        """Read rows as numbers, (rows, width); (rows,) of a vector."""

    def blocks(self, rows: Rows = ALL) -> tuple[Bytes, int] | None:
        """Read rows as they are stored, (rows, bytes), and their type in GGUF; None: it has none."""
        return None

    def whole(self) -> Floats:
        """Read all of it in its own shape."""
        return self.floats().reshape(self.shape)


@dataclass(frozen=True, slots=True)
class StoredTensor(FileTensor):
    """A tensor whose rows follow each other in a file, in one of GGUF's types.

    Attributes:
        start: of its first row, from the start of the file.
        type_id: see `gguf_header.TENSOR_TYPES`.
        order: its rows, as rows of the file; None: as they are.
        added: is added to every number.
    """

    file: Path
    start: int
    type_id: int
    order: Order | None = None
    added: float = 0.0

    def floats(self, rows: Rows = ALL) -> Floats:
        if len(self.shape) == 1:
            found = unpacked(self._read(ALL).reshape(1, -1), self.type_id).reshape(-1)
            found = found if self.order is None else found[self.order]
            return (found + np.float32(self.added) if self.added else found)[rows]
        packed = self._read(rows)
        found = np.empty((len(packed), self.width), np.float32)
        step = max(1, _CHUNK // max(1, self.width))
        for first in range(0, len(packed), step):
            found[first : first + step] = unpacked(packed[first : first + step], self.type_id)
        return found

    def blocks(self, rows: Rows = ALL) -> tuple[Bytes, int] | None:
        return None if self.added or len(self.shape) == 1 else (self._read(rows), self.type_id)

    def _read(self, rows: Rows) -> Bytes:
        """Read rows as they are stored; rows before the first or after the last are left out."""
        if len(self.shape) == 1:
            return read_bytes(self.file, self.start, self.num_bytes)
        row_bytes = self.num_bytes // max(1, self.num_rows)
        places = np.arange(self.num_rows)[rows]
        places = places if self.order is None else self.order[places]
        if not len(places):
            return np.empty((0, row_bytes), np.uint8)
        first, count = int(places.min()), int(np.ptp(places)) + 1
        table = read_bytes(self.file, self.start + first * row_bytes, count * row_bytes)
        table = table.reshape(count, row_bytes)
        is_run = count == len(places) and bool((np.diff(places) == 1).all())
        return table if is_run else table[places - first]


@dataclass(frozen=True, slots=True)
class UnpackedTensor(FileTensor):
    """A tensor whose numbers are computed from several others. chunks: of its rows, in float32."""

    chunks: Callable[[], Iterator[Floats]]

    def floats(self, rows: Rows = ALL) -> Floats:
        parts = list(self.chunks())
        found = parts[0] if len(parts) == 1 else np.concatenate(parts)
        found = found.reshape(-1) if len(self.shape) == 1 else found.reshape(self.num_rows, self.width)
        return found[rows]


def plain_tensor(file: Path, start: int, tensor: Tensor) -> FileTensor | None:
    """Return a tensor of a safetensors file; None where its numbers are no plain ones."""
    type_id = _BLOCK_TYPES.get(tensor.dtype)
    if type_id is None:
        return None
    return StoredTensor(tensor.dtype, tensor.shape, tensor.num_bytes, file, start, type_id)


def read_bytes(file: Path, start: int, count: int) -> Bytes:
    """Read a part of a file; ModelRejected where it has become shorter."""
    found = np.empty(count, np.uint8)
    place = 0
    with file.open("rb", buffering=0) as data:
        data.seek(start)
        while place < count:
            done = data.readinto(found.data[place : place + (1 << 30)])
            if not done:
                raise ModelRejected(
                    RejectionKind.DAMAGED,
                    "{file} changed while it was read. Choose the model again.",
                    file=printable(file.name),
                )
            place += done
    return found


def unpacked(packed: Bytes, type_id: int) -> Floats:
    """Return rows of packed bytes as float32."""
    plain = {0: np.float32, 1: np.float16, _F64: np.float64}.get(type_id)
    packed = np.ascontiguousarray(packed)
    if plain is not None:
        with np.errstate(over="ignore"):  # it is noticed in the result
            return packed.view(np.dtype(plain).newbyteorder("<")).astype(np.float32)
    if TENSOR_TYPES[type_id][0] == "BF16":
        wide: Any = packed.view("<u2").astype(np.uint32) << np.uint32(16)
        found: Floats = wide.view(np.float32)
        return found
    import gguf  # it takes a third of a second

    with np.errstate(all="ignore"):  # a damaged scale is noticed in the result
        numbers: Floats = gguf.dequantize(packed, gguf.GGMLQuantizationType(type_id))
    return numbers

"""Read the weights of GGUF files in the order in which they are stored, and hash the files meanwhile."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.gguf_header import GgufHeader, GgufTensor, damaged
from quire_engine.importing.stored_form import Floats
from quire_engine.importing.weight_plan import Piece, rows_and_width

_CHUNK = 1 << 22  # numbers that are unpacked at a time
_HASHED = 1 << 22  # bytes
Bytes = npt.NDArray[np.uint8]


class GgufWeights:
    """Reads the tensors of one or several files, first to last.

    Args:
        headers: of all parts, in order.
        on_bytes: is called with the number of bytes that were read; may raise to stop.
    """

    def __init__(self, headers: Sequence[GgufHeader], on_bytes: Callable[[int], None]) -> None:
        self._headers = headers
        self._on_bytes = on_bytes
        self._digest = hashlib.sha256()

    @property
    def digest(self) -> str:
        """SHA-256 over all files; complete when everything was read."""
        return self._digest.hexdigest()

    def tensors(self) -> Iterator[tuple[GgufTensor, Rows]]:
        """Yield every tensor with its rows, which must be read before the next one."""
        for header in self._headers:
            with header.file.open("rb") as data:
                reader = _HashingFile(header.file, data, self._digest, self._on_bytes)
                for tensor in sorted(header.tensors, key=lambda each: each.start):
                    reader.pass_over(tensor.start)
                    yield tensor, Rows(tensor, reader)
                reader.pass_over(header.num_bytes)


class Rows:
    """The rows of one tensor, from the first on."""

    def __init__(self, tensor: GgufTensor, reader: _HashingFile) -> None:
        self._tensor, self._reader = tensor, reader
        rows, self._width = rows_and_width(tensor.shape)
        self._row_bytes = tensor.num_bytes // rows
        self._vector: Floats | None = None
        self._place = 0  # in the vector

    def chunks(self, piece: Piece, *, at_once: bool = False) -> Iterator[Floats]:
        """Yield the numbers of a piece in float32, in the order of its weight. at_once: in one chunk."""
        if len(self._tensor.shape) == 1:
            yield self._of_vector(piece)
            return
        step = piece.num_rows if at_once else max(1, _CHUNK // self._width)
        if piece.order is None:
            for first in range(0, piece.num_rows, step):
                yield self._unpacked(self._read(min(step, piece.num_rows - first)), piece)
            return
        packed = self._read(piece.num_rows)
        for first in range(0, piece.num_rows, step):
            yield self._unpacked(packed[piece.order[first : first + step]], piece)

    def _of_vector(self, piece: Piece) -> Floats:
        """Return the next numbers of a vector, which may be packed in blocks and is read whole."""
        if self._vector is None:
            raw = np.frombuffer(self._reader.read(self._tensor.num_bytes), dtype=np.uint8)
            self._vector = unpacked(raw.reshape(1, -1), self._tensor.type_id).reshape(-1)
        part = self._vector[self._place : self._place + piece.num_rows]
        self._place += piece.num_rows
        part = part if piece.order is None else part[piece.order]
        return part + np.float32(piece.added) if piece.added else part

    def _read(self, count: int) -> Bytes:
        raw = self._reader.read(count * self._row_bytes)
        return np.frombuffer(raw, dtype=np.uint8).reshape(count, self._row_bytes)

    def _unpacked(self, packed: Bytes, piece: Piece) -> Floats:
        numbers = unpacked(packed, self._tensor.type_id)
        return numbers + np.float32(piece.added) if piece.added else numbers


def unpacked(packed: Bytes, type_id: int) -> Floats:
    """Return rows of packed bytes as float32."""
    import gguf  # it takes a third of a second

    kind = gguf.GGMLQuantizationType(type_id)
    if kind == gguf.GGMLQuantizationType.F64:
        wide: Floats = np.ascontiguousarray(packed).view(np.float64).astype(np.float32)
        return wide
    with np.errstate(all="ignore"):  # a damaged scale is noticed in the result
        found: Floats = gguf.dequantize(np.ascontiguousarray(packed), kind)
    return found


class _HashingFile:
    """Reads a file from start to end; everything that is passed over is hashed too."""

    def __init__(
        self, path: Path, data: IO[bytes], digest: hashlib._Hash, on_bytes: Callable[[int], None]
    ) -> None:
        self._path, self._data, self._digest, self._on_bytes = path, data, digest, on_bytes
        self._place = 0

    def read(self, count: int) -> bytes:
        raw = self._data.read(count)
        if len(raw) != count:
            raise damaged(self._path, UserMessage("it is truncated"))
        self._digest.update(raw)
        self._place += count
        self._on_bytes(count)
        return raw

    def pass_over(self, place: int) -> None:
        if place < self._place:
            raise damaged(self._path, UserMessage("its header is invalid"))
        while self._place < place:
            self.read(min(_HASHED, place - self._place))

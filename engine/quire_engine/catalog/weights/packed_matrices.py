"""Unpack the weights of AWQ and GPTQ folders, one matrix at a time."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quire_engine.catalog.packed_folders import PackedFolder
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.catalog.weights.file_tensor import Floats, UnpackedTensor, read_bytes

_AWQ_ORDER = (0, 2, 4, 6, 1, 3, 5, 7)
"""The column that each 4 bits of a word belong to, from the lowest bits up."""
CHUNK = 1 << 22
"""Numbers that are unpacked at a time."""
_DTYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "BF16": np.uint16, "I32": np.int32}
_BESIDE = (".qzeros", ".scales", ".g_idx")
_MATRIX = ".qweight"
Integers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor is in a file."""

    file: Path
    dtype: str
    shape: tuple[int, ...]
    start: int
    num_bytes: int


class PackedWeights:
    """Reads the weights of a folder as they are once they are unpacked."""

    def __init__(self, folder: PackedFolder) -> None:
        self._folder = folder
        self._places = {name: place for file in folder.weights for name, place in _places(file).items()}

    def tensors(self) -> dict[str, UnpackedTensor]:
        """Return every weight of the model, unpacked when it is read."""
        return {name: self._tensor(name, shape) for name, shape in self.shapes().items()}

    def _tensor(self, name: str, shape: tuple[int, ...]) -> UnpackedTensor:
        return UnpackedTensor("F32", shape, self.bytes_of(name), lambda: self.chunks(name, shape))

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every weight."""
        found: dict[str, tuple[int, ...]] = {}
        for name, place in sorted(self._places.items()):
            if name.endswith(_MATRIX):
                inputs, outputs = self._sides(name)
                self._groups(name.removesuffix(_MATRIX), inputs)  # raises where they don't match
                found[f"{name.removesuffix(_MATRIX)}.weight"] = (outputs, inputs)
            elif not self._is_beside(name):
                found[name] = place.shape
        return found

    def chunks(self, name: str, shape: tuple[int, ...]) -> Iterator[Floats]:
        """Yield the rows of a weight in float32."""
        stem = name.removesuffix(".weight")
        if stem + _MATRIX in self._places and name not in self._places:
            yield from self._unpacked(stem, shape)
            return
        yield self._floats(name).reshape(shape)

    def bytes_of(self, name: str) -> int:
        """Return how many bytes of the source a weight is made of."""
        stem = name.removesuffix(".weight")
        names = (name, *(stem + part for part in (_MATRIX, *_BESIDE)))
        return sum(self._places[each].num_bytes for each in names if each in self._places)

    # ------------------------------------------------------------ matrices
    def _is_beside(self, name: str) -> bool:
        return any(
            name.endswith(part) and name.removesuffix(part) + _MATRIX in self._places for part in _BESIDE
        )

    def _sides(self, name: str) -> tuple[int, int]:
        """Return a packed matrix's inputs and outputs; ModelRejected if its parts do not match."""
        folder, stem = self._folder, name.removesuffix(_MATRIX)
        places = {part: self._places.get(stem + part) for part in (_MATRIX, *_BESIDE[:2])}
        matrix, zeros, scales = places.values()
        if matrix is None or zeros is None or scales is None:
            raise misfit(stem)
        if any(len(each.shape) != 2 for each in (matrix, zeros, scales)):
            raise misfit(stem)
        per_word = 32 // folder.bits
        along = (per_word, 1) if folder.method == "gptq" else (1, per_word)
        inputs, outputs = (side * factor for side, factor in zip(matrix.shape, along, strict=True))
        groups = 1 if folder.group == -1 else -(-inputs // folder.group)
        is_right = scales.shape == (groups, outputs) and zeros.shape == (groups, outputs // per_word)
        if not is_right or matrix.dtype != "I32" or zeros.dtype != "I32" or scales.dtype not in _DTYPES:
            raise misfit(stem)
        return inputs, outputs

    def _unpacked(self, stem: str, shape: tuple[int, ...]) -> Iterator[Floats]:
        folder = self._folder
        outputs, inputs = shape
        words, packed_zeros = self._integers(stem + _MATRIX), self._integers(stem + ".qzeros")
        scales, groups = self._floats(stem + ".scales"), self._groups(stem, inputs)
        per_word = 32 // folder.bits
        step = max(per_word, CHUNK // inputs // per_word * per_word)
        for first in range(0, outputs, step):
            part = slice(first, min(first + step, outputs))
            narrow = slice(part.start // per_word, part.stop // per_word)
            zeros = _along_columns(packed_zeros[:, narrow], folder.bits, folder.method)
            if folder.method == "gptq":
                numbers = _along_rows(words[:, part], folder.bits)
                zeros = zeros if folder.is_second else zeros + 1
            else:
                numbers = _along_columns(words[:, narrow], folder.bits, folder.method)
            matrix = (numbers - zeros[groups]).astype(np.float32) * scales[groups, part]
            yield np.ascontiguousarray(matrix.T)

    def _groups(self, stem: str, inputs: int) -> npt.NDArray[np.int64]:
        """Return the group of each input; GPTQ may have ordered them by importance."""
        count = 1 if self._folder.group == -1 else -(-inputs // self._folder.group)
        if (place := self._places.get(stem + ".g_idx")) is not None:
            found = self._integers(stem + ".g_idx").astype(np.int64).reshape(-1)
            if found.size != inputs or place.dtype != "I32" or found.min() < 0 or found.max() >= count:
                raise misfit(stem)
            return found
        size = inputs if self._folder.group == -1 else self._folder.group
        return np.arange(inputs, dtype=np.int64) // size

    # ------------------------------------------------------------ reading
    def _integers(self, name: str) -> Integers:
        place = self._places[name]
        if place.dtype != "I32":
            raise misfit(name)
        return np.frombuffer(read_place(place), dtype="<i4").reshape(place.shape)

    def _floats(self, name: str) -> Floats:
        place = self._places[name]
        if place.dtype not in _DTYPES or place.dtype == "I32":
            raise misfit(name)
        raw = np.frombuffer(read_place(place), dtype=np.dtype(_DTYPES[place.dtype]).newbyteorder("<"))
        if place.dtype == "BF16":
            wide: Floats = (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)
            return wide.reshape(place.shape)
        return raw.astype(np.float32).reshape(place.shape)


def _along_rows(words: Integers, bits: int) -> Integers:
    """Unpack words whose numbers are one below the other; the lowest bits are the first."""
    shifts = np.arange(0, 32, bits, dtype=np.int32)[None, :, None]
    numbers = (words[:, None, :] >> shifts) & np.int32((1 << bits) - 1)
    return numbers.reshape(-1, words.shape[1])


def _along_columns(words: Integers, bits: int, method: str) -> Integers:
    """Unpack words whose numbers are side by side, in AWQ in an order of their own."""
    shifts = np.arange(0, 32, bits, dtype=np.int32)
    numbers = (words[:, :, None] >> shifts[None, None, :]) & np.int32((1 << bits) - 1)
    if method == "awq":
        numbers = numbers[:, :, np.argsort(np.array(_AWQ_ORDER))]
    return numbers.reshape(words.shape[0], -1)


def read_place(place: Place) -> bytes:
    """Return the bytes of a tensor; ModelRejected if the file has become too short."""
    return read_bytes(place.file, place.start, place.num_bytes).tobytes()


def _places(file: Path) -> dict[str, Place]:
    """Return where each tensor is; the catalog has checked the header already."""
    with file.open("rb") as data:
        (length,) = struct.unpack("<Q", data.read(8))
        table: Mapping[str, Any] = json.loads(data.read(length))
    found = {}
    for name, entry in table.items():
        if name != "__metadata__":
            first, end = entry["data_offsets"]
            found[name] = Place(file, entry["dtype"], tuple(entry["shape"]), 8 + length + first, end - first)
    return found


def misfit(name: str) -> ModelRejected:
    """Return the rejection of packed weights whose parts do not belong together."""
    return ModelRejected(
        RejectionKind.DAMAGED,
        "The packed weights of {name} don't match each other. Download the model again.",
        name=printable(name, 60),
    )

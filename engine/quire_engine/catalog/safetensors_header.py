"""Read the header of a safetensors file, without the weights."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.bounded_files import parsed
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable

MAX_HEADER = 100_000_000
"""Bytes of the largest header that the format allows."""
MAX_TENSORS = 500_000
_MAX_DIMENSIONS = 8
_LENGTH = struct.Struct("<Q")
_ALIGNMENT = 8

BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F4": 4,
    "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
    "I64": 64, "U64": 64, "F64": 64, "C64": 64,
}  # fmt: skip
"""Bits per number, by dtype."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One entry of the header; num_bytes: of its data."""

    dtype: str
    shape: tuple[int, ...]
    num_bytes: int

    @property
    def count(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)


def read_header(file: Path) -> dict[str, Tensor]:
    """Return the tensors of a file by name; ModelRejected if header and file do not match."""
    try:
        size = file.stat().st_size
        with file.open("rb") as data:
            start = data.read(_LENGTH.size)
            if len(start) < _LENGTH.size:
                raise _broken(file, UserMessage("it is truncated"))
            (length,) = _LENGTH.unpack(start)
            if length > MAX_HEADER or length > size - _LENGTH.size:
                raise _broken(file, UserMessage("it is truncated or not a safetensors file"))
            table: Any = parsed(data.read(length), file.name)
    except OSError as error:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{file} can't be read ({reason}).",
            file=file.name,
            reason=printable(error.strerror or error),
        ) from error
    if not isinstance(table, dict):
        raise _broken(file, UserMessage("its header is invalid"))
    said = table.pop("__metadata__", {})
    if not (isinstance(said, dict) and all(isinstance(each, str) for each in said.values())):
        raise _broken(file, UserMessage("its metadata is invalid"))
    if len(table) > MAX_TENSORS:
        raise _broken(file, UserMessage("its header is implausibly long"))
    return _checked(file, table, size - _LENGTH.size - length)


def read_metadata(file: Path, most: int = 1 << 22) -> Mapping[str, str]:
    """Return the metadata of a file; ModelRejected as above, or if it is longer than `most`."""
    with _opened(file) as data:
        start = data.read(_LENGTH.size)
        if len(start) < _LENGTH.size or (length := _LENGTH.unpack(start)[0]) > most:
            raise _broken(file, UserMessage("it is truncated, or its header is too long"))
        table: Any = parsed(data.read(length), file.name)
    found = table.get("__metadata__") if isinstance(table, dict) else None
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, str)}


def with_metadata(content: bytes, **changes: str) -> bytes:
    """Return the content of a sound file with other metadata, the rest of them and all tensors unchanged."""
    (length,) = _LENGTH.unpack_from(content)
    end = _LENGTH.size + length
    table: dict[str, Any] = json.loads(content[_LENGTH.size : end])
    table["__metadata__"] = {**table.get("__metadata__", {}), **changes}
    header = json.dumps(table, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _ALIGNMENT)
    return _LENGTH.pack(len(header)) + header + content[end:]


def _opened(file: Path) -> Any:
    try:
        return file.open("rb")
    except OSError as error:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{file} can't be read ({reason}).",
            file=file.name,
            reason=printable(error.strerror or error),
        ) from error


def _checked(file: Path, table: dict[str, Any], data_size: int) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    places: list[tuple[int, int]] = []
    for name, entry in table.items():
        tensor, start = _tensor(file, name, entry)
        tensors[name] = tensor
        places.append((start, start + tensor.num_bytes))
    places.sort()
    if places and (places[0][0] != 0 or any(a[1] != b[0] for a, b in pairwise(places))):
        raise _broken(file, UserMessage("its tensors overlap or leave gaps"))
    end = places[-1][1] if places else 0
    if end > data_size:
        missing = end - data_size
        raise _broken(file, UserMessage("{missing:,} bytes are missing at the end", missing=missing))
    if end < data_size:
        raise _broken(file, UserMessage("it is longer than its header says"))
    return tensors


def _tensor(file: Path, name: str, entry: Any) -> tuple[Tensor, int]:
    wrong = _broken(
        file,
        UserMessage("its header is invalid for {name}", name=printable(name)),
    )
    if not isinstance(entry, dict):
        raise wrong
    dtype, shape, place = (
        entry.get("dtype"),
        _numbers(entry.get("shape")),
        _numbers(entry.get("data_offsets")),
    )
    if not isinstance(dtype, str) or dtype not in BITS:
        raise wrong
    if shape is None or len(shape) > _MAX_DIMENSIONS:
        raise wrong
    if place is None or len(place) != 2 or place[0] > place[1]:
        raise wrong
    tensor = Tensor(dtype, shape, place[1] - place[0])
    if tensor.num_bytes * 8 != tensor.count * BITS[dtype]:
        raise wrong
    return tensor, place[0]


def _numbers(found: object) -> tuple[int, ...] | None:
    is_list = isinstance(found, list) and all(type(each) is int and 0 <= each < 1 << 62 for each in found)
    return tuple(found) if is_list and isinstance(found, list) else None


def _broken(file: Path, what: str) -> ModelRejected:
    return ModelRejected(
        RejectionKind.DAMAGED,
        "{file} is damaged: {what}. Download this file again.",
        file=printable(file.name),
        what=what,
    )

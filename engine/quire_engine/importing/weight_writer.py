"""Write safetensors files piece by piece: names and sizes first, then the data in order."""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from quire_engine.api.errors import EngineBug
from quire_engine.catalog.weight_files import INDEX, SINGLE
from quire_engine.importing.stored_form import DTYPE, ITEM_BYTES

SHARD_BYTES = 4_000_000_000
"""Most bytes per weight file: some file systems hold no larger one."""


@dataclass(frozen=True, slots=True)
class Target:
    """A weight of the imported model."""

    name: str
    shape: tuple[int, ...]

    @property
    def num_bytes(self) -> int:
        """Its size as it is stored."""
        return math.prod(self.shape) * ITEM_BYTES


class WeightWriter:
    """Writes the weights of a folder in the order in which they were announced.

    Args:
        folder: where the files go.
        targets: every weight, in the order of `write`.
        shard_bytes: most bytes per file, unless a single weight is larger.
    """

    def __init__(self, folder: Path, targets: Sequence[Target], shard_bytes: int = SHARD_BYTES) -> None:
        self._folder = folder
        self._shards = _shared_out(targets, shard_bytes)
        self._next = 0  # shard
        self._left = 0  # bytes of the open shard
        self._file: IO[bytes] | None = None

    def write(self, data: bytes | memoryview) -> None:
        """Write the next bytes; they must not reach beyond the end of a weight."""
        if self._file is None:
            self._open()
        if self._file is None or len(data) > self._left:
            raise EngineBug("more weights were written than announced")
        self._file.write(data)
        self._left -= len(data)
        if self._left == 0:
            self._close_file()

    def finish(self) -> None:
        """Write the index if there are several files; EngineBug if weights are missing."""
        if self._file is not None or self._next != len(self._shards):
            raise EngineBug("fewer weights were written than announced")
        if len(self._shards) > 1:
            placed = {
                target.name: self._name(number)
                for number, shard in enumerate(self._shards)
                for target in shard
            }
            total = sum(target.num_bytes for shard in self._shards for target in shard)
            content = {"metadata": {"total_size": total}, "weight_map": placed}
            (self._folder / INDEX).write_text(json.dumps(content, indent=1), encoding="utf-8")

    def close(self) -> None:
        """Close the open file, finished or not."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> None:
        if self._next >= len(self._shards):
            raise EngineBug("more weights were written than announced")
        shard = self._shards[self._next]
        header: dict[str, object] = {"__metadata__": {"format": "pt"}}
        place = 0
        for target in shard:
            end = place + target.num_bytes
            header[target.name] = {"dtype": DTYPE, "shape": target.shape, "data_offsets": [place, end]}
            place = end
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        self._file = (self._folder / self._name(self._next)).open("wb")
        self._file.write(struct.pack("<Q", len(text)) + text)
        self._left = place
        self._next += 1

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _name(self, number: int) -> str:
        if len(self._shards) == 1:
            return SINGLE
        return f"model-{number + 1:05}-of-{len(self._shards):05}.safetensors"


def _shared_out(targets: Sequence[Target], most: int) -> list[list[Target]]:
    shards: list[list[Target]] = []
    size = 0
    for target in targets:
        if not shards or size + target.num_bytes > most:
            shards.append([])
            size = 0
        shards[-1].append(target)
        size += target.num_bytes
    return shards

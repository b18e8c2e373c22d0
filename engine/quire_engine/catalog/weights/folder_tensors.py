"""The weights of safetensors files, by name."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.weight_files import read_tensors
from quire_engine.catalog.weights.file_tensor import plain_tensor


def folder_tensors(files: Iterable[Path]) -> dict[str, Tensor]:
    """Return the tensors of files that were checked; those of plain numbers can be read.

    ModelRejected if a file is damaged or two have the same tensor.
    """
    found: dict[str, Tensor] = dict(read_tensors(tuple(files)))
    for file in files:
        with file.open("rb") as data:
            (length,) = struct.unpack("<Q", data.read(8))
            table: Any = json.loads(data.read(length))
        for name, entry in table.items():
            if name != "__metadata__":
                start = 8 + length + entry["data_offsets"][0]
                found[name] = plain_tensor(file, start, found[name]) or found[name]
    return found

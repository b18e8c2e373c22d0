"""The weights of a model folder: its own, or those of the file that it was imported from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapters import Adapter, read_adapter
from quire_engine.catalog.gguf_files import find_source, is_gguf
from quire_engine.catalog.imported_models import ADAPTER, has_reference
from quire_engine.catalog.packed_folders import SMALL_FLOATS, find_packed
from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.weights.file_tensor import ALL, FileTensor, Floats, Rows
from quire_engine.catalog.weights.folder_tensors import folder_tensors
from quire_engine.catalog.weights.gguf_tensors import gguf_tensors
from quire_engine.catalog.weights.packed_matrices import PackedWeights
from quire_engine.catalog.weights.small_floats import SmallFloatWeights


@dataclass(frozen=True, slots=True)
class AdaptedTensor(FileTensor):
    """A weight with what an adapter adds to it."""

    name: str
    stored: FileTensor
    adapter: Adapter

    def floats(self, rows: Rows = ALL) -> Floats:
        return self.adapter.merged(self.name, self.stored.floats())[rows]


def model_tensors(folder: Path, files: tuple[Path, ...], config: Mapping[str, Any]) -> dict[str, Tensor]:
    """Return the weights of a folder by name; ModelRejected where they are damaged.

    Args:
        files: as `find_weights` has found them.
        config: the content of config.json.
    """
    if not has_reference(folder):
        return folder_tensors(files)
    found: dict[str, Tensor]
    if is_gguf(files[0]):
        found = {**gguf_tensors(find_source(files[0]), config)}
    else:
        source = find_packed(files[0].parent)
        kind = SmallFloatWeights if source.method in SMALL_FLOATS else PackedWeights
        found = {**kind(source).tensors()}
    if (folder / ADAPTER).is_file():
        adapter = read_adapter(folder / ADAPTER)
        for name in adapter.names:
            stored = found.get(name)
            if not isinstance(stored, FileTensor):
                raise EnvironmentProblem("The adapter doesn't belong to this model.")
            found[name] = AdaptedTensor("F32", stored.shape, stored.num_bytes, name, stored, adapter)
    return found

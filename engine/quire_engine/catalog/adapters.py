"""Low-rank adapters: a few small matrices that are added to a model's weights when it is imported.

An adapter is one safetensors file in bfloat16. For a weight `NAME` of shape (out, in) it holds `NAME.lora_a`
(rank, in) and `NAME.lora_b` (out, rank), named as in the imported model, and its metadata say which model
they were trained on: the SHA-256 of the file that is imported. Needs no torch.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapter_sources import FORMAT
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.safetensors_header import read_header, read_metadata
from quire_engine.catalog.weights.file_tensor import StoredTensor
from quire_engine.catalog.weights.folder_tensors import folder_tensors

FACTOR_A, FACTOR_B = ".lora_a", ".lora_b"
"""Endings of the names of the two factors of a weight."""
_LENGTH = struct.Struct("<Q")
_MAX_BYTES = 1 << 30
_ROWS = 4096  # of a weight that are summed in float64 at a time

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter in memory.

    Attributes:
        file: where it was read.
        digest: SHA-256 of the file.
        base_sha256: SHA-256 of the model file that it was trained on.
        scale: alpha over rank.
        metadata: all that the file says about itself.
    """

    file: Path
    digest: str
    base_sha256: str
    scale: float
    metadata: Mapping[str, str]
    _factors: Mapping[str, Matrix] = field(repr=False)

    @property
    def names(self) -> frozenset[str]:
        """The weights that it changes."""
        return frozenset(name.removesuffix(FACTOR_A) for name in self._factors if name.endswith(FACTOR_A))

    def merged(self, name: str, weight: Matrix) -> Matrix:
        """Return W + scale * B A in float32; the weight itself where the adapter does not change it.

        Products of two bfloat16 numbers are exact in float64, and so, but for extreme exponents, are sums of
        a few of them: the merged weights have the same bits on every computer, whatever multiplies matrices.
        """
        a, b = self._factors.get(name + FACTOR_A), self._factors.get(name + FACTOR_B)
        if a is None or b is None:
            return weight
        if weight.shape != (b.shape[0], a.shape[1]):
            raise self._damaged(f"{name} has another shape")
        merged = np.empty(weight.shape, dtype=np.float32)
        wide = a.astype(np.float64)
        for start in range(0, len(weight), _ROWS):
            part = slice(start, start + _ROWS)
            merged[part] = weight[part] + self.scale * (b[part].astype(np.float64) @ wide)
        return merged

    def _damaged(self, reason: str) -> EnvironmentProblem:
        return _damaged(self.file, reason)


def adapter_for(folder: Path, source_sha256: str) -> Adapter | None:
    """Return the adapter in a folder that was trained on the model file of this digest; None without one.

    A damaged file is none; it only costs the model its training on novels.
    """
    for file in sorted(folder.glob("*.safetensors")):
        try:
            metadata = read_metadata(file)
        except ModelRejected:
            continue
        if metadata.get("format") == FORMAT and metadata.get("base_sha256") == source_sha256:
            return read_adapter(file)
    return None


def read_adapter(file: Path) -> Adapter:
    """Read an adapter; EnvironmentProblem when the file is none or is damaged."""
    try:
        metadata, tensors = read_metadata(file), read_header(file)
        content = file.read_bytes() if file.stat().st_size <= _MAX_BYTES else b""
    except (ModelRejected, OSError) as error:
        raise _damaged(file, str(error)) from error
    try:
        rank, alpha = int(metadata["rank"]), float(metadata["alpha"])
        base = metadata["base_sha256"]
        if metadata["format"] != FORMAT or rank < 1 or not 0 < alpha < 1e6:
            raise ValueError("its metadata are of another kind")
        factors = _factors(file, rank)
        if {name: matrix.shape for name, matrix in factors.items()} != {
            name: tensor.shape for name, tensor in tensors.items()
        }:
            raise ValueError("its matrices do not match its header")
    except (KeyError, ValueError, TypeError, ModelRejected) as error:
        raise _damaged(file, str(error)) from error
    return Adapter(file, hashlib.sha256(content).hexdigest(), base, alpha / rank, metadata, factors)


def _factors(file: Path, rank: int) -> dict[str, Matrix]:
    """Return the matrices of a file."""
    found: dict[str, Matrix] = {}
    for name, tensor in folder_tensors((file,)).items():
        shape = tensor.shape
        if not isinstance(tensor, StoredTensor) or tensor.dtype != "BF16" or len(shape) != 2:
            raise ValueError(f"{name} is no matrix")
        if not name.endswith((FACTOR_A, FACTOR_B)):
            raise ValueError(f"{name} is no factor")
        if shape[0 if name.endswith(FACTOR_A) else 1] != rank:
            raise ValueError(f"{name} has another rank")
        found[name] = tensor.floats()
        if not np.isfinite(found[name]).all():
            raise ValueError(f"{name} holds numbers that are none")
    stems = {name.removesuffix(FACTOR_A).removesuffix(FACTOR_B) for name in found}
    if not found or any(stem + end not in found for stem in stems for end in (FACTOR_A, FACTOR_B)):
        raise ValueError("a factor is missing")
    return found


def _damaged(file: Path, reason: str) -> EnvironmentProblem:
    return EnvironmentProblem("The adapter {file} is damaged ({reason}).", file=file.name, reason=reason)

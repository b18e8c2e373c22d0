"""Weights read one tensor at a time while the library puts them in their places: counted and looked through.

Each is read once, by a few threads, in the order in which it is needed; nothing is built from random numbers
before.
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.errors import EngineError, EnvironmentProblem
from quire_engine.catalog.weights.file_tensor import FileTensor
from quire_engine.models.model_folder import ModelFolder

_PLAIN = {"BF16": torch.bfloat16, "F16": torch.float16, "F32": torch.float32, "F64": torch.float64}
Report = Callable[[float], None]
"""Told the share that is done, from 0 to 1; an EngineError that it raises ends the work."""


class WeightReader:
    """The tensors of a model folder, for the library to fetch.

    Attributes:
        problem: what ended the reading; the library may report it as something else.
    """

    def __init__(self, folder: ModelFolder, report: Report) -> None:
        self._folder, self._report = folder, report
        self._total = sum(tensor.num_bytes for tensor in folder.tensors.values())
        self._done = 0
        self._lock = threading.Lock()
        self.problem: EngineError | None = None

    @contextlib.contextmanager
    def opened(self) -> Iterator[dict[str, WeightTensor]]:
        """Return every tensor by its name; none is read before it is asked for."""
        yield {
            name: WeightTensor(self, name, tensor)
            for name, tensor in self._folder.tensors.items()
            if isinstance(tensor, FileTensor)
        }

    def take(self, name: str, tensor: Tensor) -> Tensor:
        """Count a tensor that was read, and look whether all its numbers are finite."""
        with self._lock:
            if self.problem is not None:
                raise self.problem
        is_sound = _is_finite(tensor)
        with self._lock:
            try:
                if not is_sound:
                    raise _not_finite(self._folder, name)
                self._done += tensor.nbytes
                self._report(min(1.0, self._done / max(1, self._total)))
            except EngineError as problem:
                self.problem = problem
                raise
        return tensor


class WeightTensor:
    """A tensor that is read when it is indexed, as the library does."""

    def __init__(self, reader: WeightReader, name: str, tensor: FileTensor) -> None:
        self._reader, self._name, self._tensor = reader, name, tensor

    def __getitem__(self, place: Any) -> Tensor:
        return self._reader.take(self._name, as_torch(self._tensor)[place])

    def get_shape(self) -> list[int]:
        """Return the shape, without reading."""
        return list(self._tensor.shape)

    def get_dtype(self) -> str:
        """Return the file's name of the number format, without reading."""
        return self._tensor.dtype if self._tensor.dtype in _PLAIN else "F32"


def as_torch(tensor: FileTensor) -> Tensor:
    """Read a weight: in the file's own numbers, or in float32 where these are no plain ones."""
    own, stored = _PLAIN.get(tensor.dtype), tensor.blocks()
    if own is None or stored is None:
        return torch.from_numpy(tensor.whole())
    return torch.from_numpy(np.ascontiguousarray(stored[0])).view(own).reshape(tensor.shape)


def _is_finite(tensor: Tensor) -> bool:
    if not tensor.is_floating_point():
        return True
    # a sum takes a tenth of the time of looking at each; it may be too large where all numbers are sound
    return math.isfinite(float(tensor.sum())) or bool(torch.isfinite(tensor).all())


def _not_finite(folder: ModelFolder, name: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        "The model in {folder} can't be used. Its weights are damaged: “{tensor}” contains numbers that are "
        "not finite (NaN or infinity). Download the model again, or choose another one.",
        folder=folder.path,
        tensor=name,
    )

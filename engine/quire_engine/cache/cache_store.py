"""What runs need of a cache, however its keys and values are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class SavedPart:
    """A tensor of a resume file."""

    shape: tuple[int, ...]
    dtype: torch.dtype


class CacheStore(Protocol):
    """Keys and values of what a model has read, by position.

    Attributes:
        length: positions that are committed.
    """

    length: int

    @property
    def num_bytes(self) -> int:
        """Memory of the store."""
        ...

    @property
    def bytes_per_position(self) -> int:
        """Memory of one position in all layers; 0 while it is not known."""
        ...

    def snapshot(self) -> tuple[Tensor, ...]:
        """Return copies of what is committed, for comparison; positions are the second dimension."""
        ...

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on; ValueError when fewer are held."""
        ...

    def saved_parts(self, length: int) -> Mapping[str, SavedPart]:
        """Return the tensors that a resume file of this many positions has, by name and in their order."""
        ...

    def saved(self, name: str, length: int) -> Tensor:
        """Return one of them, for the first positions."""
        ...

    def fill(self, parts: Iterable[tuple[str, Tensor]], length: int) -> None:
        """Write all of them into an empty store, one after another; nothing is committed yet."""
        ...

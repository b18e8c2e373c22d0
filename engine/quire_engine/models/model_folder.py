"""A model folder that was checked and found usable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from transformers.configuration_utils import PreTrainedConfig

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog import weight_shapes
from quire_engine.catalog.fingerprints import PendingFingerprint, stamp
from quire_engine.catalog.inspection import name_of
from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.unsupported_families import usable_positions
from quire_engine.catalog.weight_files import deciding_files
from quire_engine.models.attention import BLOCK


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A checked model folder: configuration, weight files, fingerprint of all that decides the text.

    Attributes:
        stamp: where and of when the files were that it was made of; see `fingerprints.stamp`.
        tensors: the weights by the names of the family.
        pending: the fingerprint, which may still be computed.
        is_part: it is the language model in a folder that contains more, which is never read.
    """

    path: Path
    config: PreTrainedConfig
    weights: tuple[Path, ...]
    stamp: tuple[object, ...]
    pending: PendingFingerprint
    tensors: Mapping[str, Tensor]
    is_part: bool = False
    num_parameters: int = 0

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all that decides the text; waits until it is computed."""
        try:
            return self.pending.value()
        except OSError as error:
            raise unreadable(self.path, error) from error

    @property
    def deciding_files(self) -> tuple[Path, ...]:
        """The files that the fingerprint is made of."""
        return deciding_files(self.path, self.weights)

    @property
    def name(self) -> str:
        """The model's name, for people."""
        return name_of(self.path)

    @property
    def is_mixture(self) -> bool:
        """Whether its layers choose among experts."""
        return weight_shapes.num_experts(self.config) > 0

    @property
    def context_length(self) -> int:
        """Positions that may be used, a multiple of BLOCK."""
        return usable_positions(self.config) // BLOCK * BLOCK

    def is_as_inspected(self) -> bool:
        """Say whether the files are still those that were checked and that the fingerprint is of."""
        try:
            return stamp((*self.deciding_files, *self.weights)) == self.stamp
        except OSError:
            return False


def unreadable(path: Path, error: OSError) -> EnvironmentProblem:
    """Return what to say about a folder that the disk does not give."""
    said = "".join(mark if mark.isprintable() else " " for mark in str(error))[:200]
    return EnvironmentProblem(
        "The model folder {path} can't be read ({reason}).", path=path, reason=error.strerror or said
    )

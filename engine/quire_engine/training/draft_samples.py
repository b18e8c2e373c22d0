"""What the feature drafter learns from: text, the target's hidden states over it, and what it was drawn from.

All of it falls out when the target reads or writes, so it is kept and used again and again; learning from it
needs the drafter's own layer and no pass of the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.atomic_file import replacing

MAX_KEPT = 32
"""Tokens of a distribution that are kept, the likeliest; with min-p 0.1 there are about 17."""


@dataclass(frozen=True, slots=True)
class DraftSample:
    """A stretch of text as the target saw it.

    Attributes:
        before: distinct ids that the penalty saw before it, int64.
        successors: (n,) int64 on the CPU, the token after each hidden state.
        hidden: (n, width) bfloat16 on the CPU, normed.
        kept: (n, MAX_KEPT) int32, the tokens that successor i was drawn among; -1 fills up.
        shares: (n, MAX_KEPT) float16, their probabilities; 0 fills up.
    """

    before: npt.NDArray[np.int64]
    successors: Tensor
    hidden: Tensor
    kept: Tensor
    shares: Tensor

    def __len__(self) -> int:
        """Return the number of places."""
        return len(self.successors)

    def part(self, start: int, length: int) -> DraftSample:
        """Return some of its places; what lies before them is penalised there, too."""
        places = slice(start, start + length)
        before = np.union1d(self.before, self.successors[:start].numpy()) if start else self.before
        return DraftSample(
            before, self.successors[places], self.hidden[places], self.kept[places], self.shares[places]
        )


def save_samples(file: Path, *lists: Sequence[DraftSample]) -> None:
    """Write lists of samples at once; OSError, and nothing changed, when that fails."""
    rows = [
        [(torch.from_numpy(each.before), each.successors, each.hidden, each.kept, each.shares) for each in of]
        for of in lists
    ]
    with replacing(file) as fresh:
        torch.save(rows, fresh)


def load_samples(file: Path) -> list[list[DraftSample]]:
    """Return the lists of samples in a file."""
    rows = torch.load(file, weights_only=True)
    return [[DraftSample(before.numpy(), *others) for before, *others in of] for of in rows]

"""Samples that the feature drafter learns from: text, hidden states over it, and how each token was drawn.

The target yields all of it as it reads or writes, so it is kept and used again; learning from it needs the
drafter's own layer and no pass of the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.atomic_file import replacing
from quire_engine.api.config import SamplingConfig
from quire_engine.models.model_folder import ModelFolder
from quire_engine.models.target_model import Runner
from quire_engine.training.hidden_states import Tokens
from quire_engine.training.soft_targets import penalty_factors, seen_before, warped

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


_ROWS = 32  # tokens of a pass: half a second of a model of a billion weights on one thread
_CANDIDATES = 96  # before the penalty
_LEAST = 1e-4  # share of a token that is kept


class OwnWriter(Protocol):
    """Lets the target write."""

    def write(self, opening: Tokens, seed: int, go_on: Callable[[int], bool]) -> Tokens:
        """Return what follows an opening, until `go_on`, told the number of tokens, says False."""
        ...


@dataclass(frozen=True, slots=True)
class Taught:
    """The model whose drafter learns, as drafts run it.

    Attributes:
        runner: reads text; its cache is overwritten.
        writer: writes text of its own.
        suppressed: ids that are never drawn.
    """

    folder: ModelFolder
    runner: Runner
    writer: OwnWriter
    suppressed: Sequence[int]


class TextReader:
    """Makes samples of text.

    Args:
        runner: the target; its cache is overwritten.
        sampling: as drafts will mostly be asked with.
        suppressed: ids that are never drawn.
    """

    def __init__(self, runner: Runner, sampling: SamplingConfig, suppressed: Sequence[int]) -> None:
        self._runner, self._sampling, self._suppressed = runner, sampling, list(suppressed)

    def read(self, before: Tokens, ids: Tokens, go_on: Callable[[int], bool]) -> DraftSample | None:
        """Return a sample of a text, or of as much of it as was read; None of less than two tokens.

        Args:
            before: the text before it, which is not read and only penalised.
            ids: at least two tokens.
            go_on: told how many tokens were read after every pass; False stops.
        """
        runner = self._runner
        runner.reset()
        states: list[Tensor] = []
        found: list[tuple[Tensor, Tensor]] = []
        done = 0
        while done < len(ids) - 1:
            rows = min(_ROWS, len(ids) - 1 - done)
            runner.prefill([int(token) for token in ids[done : done + rows]])
            states.append(runner.hidden.detach().to("cpu", torch.bfloat16, copy=True))
            scores = runner.scores(0, rows).float()
            scores[:, self._suppressed] = -torch.inf
            top = scores.topk(min(_CANDIDATES, scores.shape[1]), dim=-1)
            found.append((top.indices.cpu().clone(), top.values.cpu().clone()))
            done += rows
            if not go_on(done):
                break
        runner.reset()
        return None if done == 0 else self._sample(before, ids[: done + 1], torch.cat(states), found)

    def _sample(
        self, before: Tokens, ids: Tokens, hidden: Tensor, found: Sequence[tuple[Tensor, Tensor]]
    ) -> DraftSample:
        """Return the sample of ids that were all read but the last."""
        columns, scores = (torch.cat(each) for each in zip(*found, strict=True))
        size = 1 + max(int(columns.max()), int(ids.max()), int(before.max(initial=0)))
        every = torch.arange(size)
        seen = seen_before(torch.from_numpy(ids[None, :-1].astype(np.int64)), every, size)[0]
        seen[:, torch.from_numpy(before.astype(np.int64))] = True
        factors = penalty_factors(seen.gather(1, columns), self._sampling.repetition_penalty)
        best = warped(scores, factors, self._sampling).topk(min(MAX_KEPT, columns.shape[1]), dim=-1)
        shares = best.values.softmax(-1)
        kept = torch.full((len(hidden), MAX_KEPT), -1, dtype=torch.int32)
        chances = torch.zeros(len(hidden), MAX_KEPT, dtype=torch.float16)
        likely = shares > _LEAST
        width = shares.shape[1]
        kept[:, :width] = torch.where(likely, columns.gather(1, best.indices), -1).int()
        chances[:, :width] = torch.where(likely, shares, 0.0).half()
        # its first token was seen when the one after it was drawn
        first = np.union1d(before, ids[:1]).astype(np.int64)
        successors = torch.from_numpy(ids[1:].astype(np.int64).copy())
        return DraftSample(first, successors, hidden.clone(), kept, chances)

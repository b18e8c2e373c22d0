"""What the feature drafter learns from: text, the target's hidden states over it, and what it was drawn from.

All of it falls out when the target writes, so it is kept and used again and again; learning from it needs
the drafter's own layer and no pass of the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.atomic_file import replacing
from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.sampling import Draw, draw
from quire_engine.training.hidden_states import FrozenTarget, Tokens

MAX_KEPT = 32
"""Tokens of a distribution that are kept, the likeliest; with min-p 0.1 there are about 17."""
PIECE_LENGTH = 256
"""Tokens of one piece of the model's own text: a few windows of the drafter."""
OPENING = 64
"""Of them, those that it goes on from."""


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


def likeliest(kept: npt.NDArray[np.int64], scores: npt.NDArray[np.float32]) -> tuple[Tensor, Tensor]:
    """Return the row of `kept` and of `shares` for tokens and their warped scores."""
    ids, shares = np.full(MAX_KEPT, -1, dtype=np.int32), np.zeros(MAX_KEPT, dtype=np.float32)
    order = np.argsort(-scores, kind="stable")[:MAX_KEPT]
    ids[: len(order)] = kept[order]
    chances = np.exp(scores[order] - scores[order[0]])
    shares[: len(order)] = chances / chances.sum()
    return torch.from_numpy(ids), torch.from_numpy(shares).to(torch.float16)


class OwnTextWriter:
    """Lets the target write many pieces at once, and keeps what falls out on the way.

    Args:
        target: the model.
        sampling: as drafts will mostly be asked with; each piece has a seed of its own.
        suppressed: ids that are never drawn.
    """

    def __init__(self, target: FrozenTarget, sampling: SamplingConfig, suppressed: Sequence[int]) -> None:
        self._target = target
        self._sampling = sampling
        self._barred = list(suppressed)

    def write(
        self, contexts: Sequence[Tokens], first_seed: int, go_on: Callable[[int], bool]
    ) -> list[DraftSample]:
        """Return a piece for each context, PIECE_LENGTH long or as long as `go_on` let them become.

        Args:
            contexts: text to go on from, at least OPENING tokens each. The last ones are read, all others
                are only penalised, as they are in a long text.
            first_seed: of the first piece; the others have the next ones.
            go_on: told how many tokens were read and written, from the first one on.
        """
        rows = len(contexts)
        texts = np.stack([context[-OPENING:] for context in contexts]).astype(np.int64)
        window = self._sampling.penalty_window
        before = [np.unique(context[:-OPENING][-window:]) for context in contexts]
        of_rows = [replace(self._sampling, seed=first_seed + row) for row in range(rows)]
        body: Any = self._target.model.base_model  # the library types its modules as "tensor or module"
        states: list[Tensor] = []
        drawn: list[list[Draw]] = []
        fresh, cache = torch.from_numpy(texts).to(self._target.device), None
        while go_on(rows * texts.shape[1]) and texts.shape[1] < PIECE_LENGTH:
            with torch.no_grad():
                out = body(input_ids=fresh, past_key_values=cache, use_cache=True)
                cache = out.past_key_values
                states.append(out.last_hidden_state.to("cpu", torch.bfloat16))
                logits = self._target.logits(out.last_hidden_state[:, -1]).cpu().numpy()
            logits[:, self._barred] = -np.inf
            drawn.append(
                [
                    draw(row, np.union1d(first, text[-window:]), len(text), of_row)
                    for row, text, first, of_row in zip(logits, texts, before, of_rows, strict=True)
                ]
            )
            column = np.array([[each.token_id] for each in drawn[-1]], dtype=np.int64)
            texts = np.concatenate([texts, column], axis=1)
            fresh = torch.from_numpy(column).to(self._target.device)
        if not drawn:
            return []
        hidden = torch.cat(states, dim=1)
        return [
            _sample(before[row], texts[row], hidden[row], [step[row] for step in drawn])
            for row in range(rows)
        ]


def _sample(
    before: npt.NDArray[np.int64], text: Tokens, hidden: Tensor, drawn: Sequence[Draw]
) -> DraftSample:
    """Return one piece; inside its opening no token was drawn, so nothing is kept there."""
    given = len(text) - 1 - len(drawn)
    rows = [likeliest(each.kept_tokens, each.scores) for each in drawn]
    kept = torch.full((len(text) - 1, MAX_KEPT), -1, dtype=torch.int32)
    shares = torch.zeros(len(text) - 1, MAX_KEPT, dtype=torch.float16)
    kept[given:], shares[given:] = (torch.stack(each) for each in zip(*rows, strict=True))
    # the newest token was drawn and not read
    first = np.union1d(before, text[:1])
    return DraftSample(first, torch.from_numpy(text[1:].copy()), hidden.clone(), kept, shares)


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

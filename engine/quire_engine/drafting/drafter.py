"""What every drafter implements.

A drafter never builds a tree of its own: it is asked, level by level, what may follow the nodes of one common
candidate tree, so that several drafters share prefixes and compete for the same places.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import SamplingConfig, Source
from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.draft_tree import DraftTree

if TYPE_CHECKING:  # the command line uses `rows_of_shape` without importing torch
    from torch import Tensor

MAX_DRAFT_TOKENS = 8
"""Draft tokens per node that a drafter proposes, unless a tree of fixed shape has more children."""


def rows_of_shape(tree: Sequence[int]) -> int:
    """Return the rows of a pass that holds a whole tree of fixed shape. tree: children per node by depth."""
    return 1 + sum(math.prod(tree[:depth]) for depth in range(1, len(tree) + 1))


@dataclass(frozen=True, slots=True)
class DrafterInput:
    """Where a draft starts, and how its tokens will be sampled.

    Attributes:
        root_token: the stream's last token, drawn but not read yet.
        index: stream index of the first draft token.
        sampling: the run's sampling settings.
        penalised: distinct ids in the root's penalty window, int64, in no order; drafters add a node's own
            ancestors and may ignore ids that drop out.
        max_depth: draft tokens on the longest path.
        same_noise: rank by draft score plus the position's noise, as the verifier will; off only to measure
            the gain.
        forbidden: distinct ids that are banned everywhere; proposing one wastes a place and does no other
            harm.
        num_tokens: most draft tokens to propose below a node; fewer are fine.
    """

    root_token: int
    index: int
    sampling: SamplingConfig
    penalised: npt.NDArray[np.int64]
    max_depth: int
    same_noise: bool = True
    forbidden: npt.NDArray[np.int64] = field(default_factory=lambda: NO_IDS)
    num_tokens: int = MAX_DRAFT_TOKENS

    @property
    def seed(self) -> int | None:
        """Seed of the noise to rank with; None if there is none (greedy) or it is not to be used."""
        return self.sampling.seed if self.same_noise and self.sampling.temperature > 0 else None


@dataclass(frozen=True, slots=True)
class DraftTokens:
    """What may follow one node, likeliest first.

    Attributes:
        token_ids: the draft tokens.
        chances: the drafter's estimates, in (0, 1], that exactly this token is drawn there, noise included; a
            running calibration by source, depth and rank corrects them.
    """

    token_ids: tuple[int, ...] = ()
    chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Observed:
    """Tokens that the stream gained, in order, with the model's view of them.

    Attributes:
        token_ids: n tokens.
        hidden: (n, width); row i is the target's last hidden state (final norm applied) whose successor is
            token_ids[i]; None where only the tokens are known: those of the stream so far, when a run starts.
        raw: what `TargetModel.raw_states` gave for the same rows; None after prefill.
        kept_tokens: for each token, the ids that truncation kept at its position and their warped scores (the
            tokens of a step); empty after prefill.
        is_reread: these tokens were observed before and are now read again: only `hidden` is new, and phrases
            are not counted again.
    """

    token_ids: Sequence[int]
    hidden: Tensor | None = None
    kept_tokens: Sequence[tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]] = ()
    is_reread: bool = False
    raw: Tensor | None = None


class Drafter(Protocol):
    """Proposes draft tokens; learns from the tokens that were drawn."""

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        ...

    def reset(self) -> None:
        """Forget everything keyed by position: the context is about to be read from the start.

        What was learned about phrases stays.
        """
        ...

    def observe(self, observed: Observed) -> None:
        """Learn from tokens that the stream gained."""
        ...

    def begin(self, request: DrafterInput) -> bool | None:
        """Start a draft; every `expand` until the next `begin` belongs to it.

        What a drafter must read because it was not asked for a while, it reads here: that is no part of what
        a draft costs. A step shall not wait long for it: where there is more to read than a little, it
        returns True, proposes nothing in this draft, and reads on when the next one begins.
        """
        ...

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow each of these nodes, all of one depth; DraftTokens() where nothing is known.

        Called once per depth, in order, first with only the root; between calls the tree only grows, and
        nodes keep their numbers.
        """
        ...

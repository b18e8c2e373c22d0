"""What every drafter is asked, and how it answers.

A drafter never builds a tree of its own: it is asked, level by level, what may follow the nodes of one common
candidate tree, so that guesses of several drafters share their prefixes and compete for the same places.
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

if TYPE_CHECKING:  # a command asks for `rows_of_shape` before anything of torch is needed
    from torch import Tensor

MAX_DRAFT_TOKENS = 8
"""Guesses below one node that are worth returning; fewer are welcome."""


def rows_of_shape(tree: Sequence[int], num_drafters: int) -> int:
    """Return the rows of a pass for a tree of fixed shape, as far as so many drafters can fill it.

    tree: children per node by depth; of those no drafter guesses more than MAX_DRAFT_TOKENS.
    """
    children = [min(wanted, MAX_DRAFT_TOKENS * num_drafters) for wanted in tree]
    return 1 + sum(math.prod(children[:depth]) for depth in range(1, len(children) + 1))


@dataclass(frozen=True, slots=True)
class DrafterInput:
    """Where a draft begins and by which rules its tokens will be drawn.

    Attributes:
        root_token: the stream's last token, drawn but not read yet.
        index: stream index of the first guess.
        penalised: distinct ids in the penalty window at the root, int64, in no order (drafters add a node's
            own ancestors and may ignore what drops out).
        max_depth: guesses on the longest path. same_dice: rank by draft score + the noise of that position,
            as the verifier will; off only to measure it.
        forbidden: distinct ids that are banned everywhere; to guess one is a waste, and nothing worse.
    """

    root_token: int
    index: int
    sampling: SamplingConfig
    penalised: npt.NDArray[np.int64]
    max_depth: int
    same_noise: bool = True
    forbidden: npt.NDArray[np.int64] = field(default_factory=lambda: NO_IDS)

    @property
    def seed(self) -> int | None:
        """Seed of the dice to rank with; None when there are none (greedy) or they are not to be used."""
        return self.sampling.seed if self.same_noise and self.sampling.temperature > 0 else None


@dataclass(frozen=True, slots=True)
class DraftTokens:
    """What may follow one node, likeliest first.

    chances: the drafter's own estimate, in (0, 1], that this very token will be drawn there, dice included;
    it need not be right: a running calibration by source, depth and rank corrects it.
    """

    token_ids: tuple[int, ...] = ()
    chances: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Observed:
    """Tokens that the stream gained, in order, and what the model thought of them.

    Attributes:
        token_ids: n tokens.
        hidden: (n, width), row i is the target's last hidden state (final norm applied), whose successor is
            token_ids[i]; None where nothing was read (texts that only serve as a source of phrases).
            survivors: for each token, ids that survived truncation at its position and their warped scores,
            as far as they are known (the tokens of a step); empty after reading.
        is_reread: these tokens were observed before and the model reads them now: only `hidden` is news, and
            phrases are not counted again.
    """

    token_ids: Sequence[int]
    hidden: Tensor | None = None
    kept_tokens: Sequence[tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]] = ()
    is_reread: bool = False


class Drafter(Protocol):
    """Says what may come next; learns from what turned out to be the text."""

    @property
    def source(self) -> Source:
        """Its name in settings and figures."""
        ...

    def reset(self) -> None:
        """Forget what belongs to positions: the model's view is about to be read from the beginning.

        What was learned about phrases stays.
        """
        ...

    def observe(self, observed: Observed) -> None:
        """Take tokens that the stream gained."""
        ...

    def begin(self, request: DrafterInput) -> None:
        """Start a draft; every `expand` until the next `begin` belongs to it."""
        ...

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow each of these nodes, all of one depth; Guesses() where nothing is known.

        Called once per depth, in order, first with the root alone; the tree only grows between calls, and a
        node's number stays what it is.
        """
        ...

"""What decoding needs of a model, whatever library it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor

from quire_engine.api.config import CacheForm
from quire_engine.cache.cache_store import CacheStore


class TargetModel(Protocol):
    """The model whose distribution the text follows, with its KV cache."""

    @property
    def width(self) -> int:
        """Rows of every decode pass."""
        ...

    @property
    def length(self) -> int:
        """Tokens read and committed."""
        ...

    @property
    def context_length(self) -> int:
        """Context window in tokens."""
        ...

    @property
    def reads_alike(self) -> bool:
        """Whether a token leaves the same bits in a chunk and in every decode pass."""
        ...

    @property
    def hidden(self) -> Tensor:
        """Last hidden states of the last pass, final norm applied: (its tokens or nodes, width)."""
        ...

    def raw_states(self, nodes: Sequence[int]) -> Tensor:
        """Return copies of what `states` makes the hidden states of these nodes of the last pass of: (nodes,
        width).
        """
        ...

    def states(self, raw: Tensor) -> Tensor:
        """Return the last hidden states that belong to these rows, of any passes."""
        ...

    def rewind(self, length: int) -> None:
        """Forget every position from `length` on; ValueError if fewer are cached."""
        ...

    def prefill(self, token_ids: Sequence[int]) -> None:
        """Read one chunk of known tokens and commit it."""
        ...

    def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        """Score a tree in one pass: float32 logits (nodes, vocab). Node 0 is the root, parents[0] is -1.

        They stay on the model's device and are good until the next pass.
        """
        ...

    def commit(self, nodes: Sequence[int]) -> None:
        """Keep these nodes of the last decode pass, a path from the root."""
        ...


class NetworkEnds(Protocol):
    """The two ends of a network: what it makes of ids, and of its last hidden states."""

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        ...

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of these ids as the first layer sees them. (rows,) -> (rows, width)."""
        ...

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of the next token, float32 (rows, vocab)."""
        ...


class Runner(TargetModel, Protocol):
    """A target model as a run drives it: its cache is kept, saved and let go of."""

    @property
    def padded(self) -> bool:
        """Whether every decode pass has the full width, so that each costs the same."""
        ...

    @property
    def form(self) -> CacheForm:
        """Format of the cache."""
        ...

    @property
    def kernels(self) -> str:
        """Name of what computes its passes, for records; empty: what every device has."""
        ...

    @property
    def network(self) -> NetworkEnds:
        """Embeddings and head of the model; drafters borrow them."""
        ...

    @property
    def store(self) -> CacheStore:
        """What was read."""
        ...

    def before_norm(self, raw: Tensor) -> Tensor | None:
        """Return the last states before the final norm that belong to rows of `raw_states`: (nodes, width).

        None where the network doesn't show them, or where nobody asked for them before the pass.
        """
        ...

    def keep_before_norm(self) -> bool:
        """Let passes from now on keep what `before_norm` returns; say whether the network shows it."""
        ...

    def scores(self, first: int, last: int) -> Tensor:
        """Return the logits of rows [first, last) of the last pass, float32 (rows, vocab)."""
        ...

    def with_own_cache(self, num_copied: int = 0) -> Runner:
        """Return a runner of the same model whose cache has only copies of the first positions."""
        ...

    def reset(self) -> None:
        """Forget everything that was read, but keep the memory."""
        ...

    def release(self) -> None:
        """Forget everything that was read and free its memory."""
        ...

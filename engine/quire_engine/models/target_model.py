"""What decoding needs of a model, whatever library it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor


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
    def hidden(self) -> Tensor:
        """Last hidden states of the last pass, final norm applied: (its tokens or nodes, width)."""
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

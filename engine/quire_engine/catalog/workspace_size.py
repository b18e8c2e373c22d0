"""Workspace of a model, estimated from its sizes alone; imports no torch.

The engine allocates by these numbers, and the catalog uses them to tell beforehand whether a model fits.
"""

from __future__ import annotations

from quire_engine.api.config import PREFILL_CHUNK

_WIDE_COPIES, _MIDDLE_COPIES = 10, 4
"""Rows as wide as the model, and as its middle layers, that a pass holds at the same time."""


def workspace_bytes(
    *, hidden_size: int, intermediate_size: int, vocab_size: int, is_mixture: bool, item: int, width: int
) -> int:
    """Return the estimated memory of a prefill chunk and of a decode pass's logits.

    item: bytes per number. width: rows of a decode pass. is_mixture: two experts are in use at once.
    """
    middle = intermediate_size * (2 if is_mixture else 1)
    row = (_WIDE_COPIES * hidden_size + _MIDDLE_COPIES * middle) * item
    return PREFILL_CHUNK * row + 3 * 4 * width * vocab_size

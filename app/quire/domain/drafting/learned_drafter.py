"""What a model's draft model learned from a book; it affects speed alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LearnedDrafter:
    """A version of it.

    Attributes:
        fingerprint: of the model.
        version: counts sittings; a later one of the same sitting takes the place of the one before.
        num_tokens: drafted tokens that it comes from.
        data: as the engine packed it.
    """

    fingerprint: str
    version: int
    num_tokens: int
    data: bytes

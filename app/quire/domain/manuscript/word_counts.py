"""How many words of a text the writer wrote, and how many were drafted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import by_author


@dataclass(frozen=True, slots=True)
class Words:
    """Word counts of one text or of several together."""

    written: int = 0
    drafted: int = 0

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return the word counts of a text."""
        return cls(*by_author(document.provenance.counts(document.text)))

    @property
    def total(self) -> int:
        """All of them."""
        return self.written + self.drafted

    def __add__(self, other: Words) -> Words:
        """Return the sums of two counts."""
        return Words(self.written + other.written, self.drafted + other.drafted)

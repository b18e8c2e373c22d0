"""How many words of a text the writer wrote, and how many were drafted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import by_author
from quire_engine.metrics.word_count import count_words, parts_words


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


class GrowingCount:
    """Counts the words of a text that grows at its end, as if all of it were counted each time.

    Attributes:
        num_words: of the text so far, with the last one, which may not be whole.
    """

    def __init__(self, text: str = "") -> None:
        self.num_words, self._end = count_words(text), _last_word(text)

    def add(self, piece: str) -> None:
        """Count what was added to the text."""
        end = self._end + piece
        self.num_words += count_words(end) - count_words(self._end)
        self._end = _last_word(end)


def _last_word(text: str) -> str:
    """Return the end of a text that the next letters may belong to."""
    place = max(len(text) - 1, 0)
    while not parts_words(text, place):
        place -= 1
    return text[place:]

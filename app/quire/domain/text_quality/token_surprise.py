"""How probable a model finds each piece of a text, and what it would have written instead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from quire.domain.text_quality.overlays import OverlaySpan, SpanKind, joined_spans
from quire.errors import WriterProblem
from quire_engine.api.queries import TokenScore

MAX_CHARS = 8_000
"""The longest selection that is looked at in one go: it is read in one pass, while the writer waits."""
NUM_ALTERNATIVES = 10
_HALF = "\ufffd"
_LEVELS = ((0.5, SpanKind.EXPECTED), (0.1, SpanKind.POSSIBLE), (0.01, SpanKind.UNUSUAL))
"""A piece at least so probable is of this kind; a less probable one is surprising."""


@dataclass(frozen=True, slots=True)
class WordAlternative:
    """What could stand in a place, and how probable that is."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class ScoredPiece:
    """A piece of a text, in characters of it, as the model sees it.

    rank: 1 for the most probable one of all. alternatives: the most probable first.
    """

    start: int
    end: int
    text: str
    probability: float
    rank: int
    alternatives: tuple[WordAlternative, ...] = ()

    @property
    def kind(self) -> SpanKind:
        """How surprising it is."""
        return next((kind for least, kind in _LEVELS if self.probability >= least), SpanKind.SURPRISING)


@dataclass(frozen=True, slots=True)
class Surprise:
    """A selection of a text piece by piece; text: the selection, which begins at start."""

    start: int
    text: str
    pieces: tuple[ScoredPiece, ...]

    def spans(self) -> tuple[OverlaySpan, ...]:
        """Return how surprising each stretch is."""
        return tuple(joined_spans(OverlaySpan(one.start, one.end, one.kind) for one in self.pieces))

    def piece_at(self, place: int) -> int | None:
        """Return the number of the piece that has a character; None where none has it."""
        numbers = (n for n, piece in enumerate(self.pieces) if piece.start <= place < piece.end)
        return next(numbers, None)

    def holds_after(self, start: int) -> bool:
        """Whether it still holds after an edit that begins at a character: it read all that stands before."""
        return start >= self.start + len(self.text)


def surprise_of(start: int, text: str, tokens: Iterable[TokenScore]) -> Surprise:
    """Return what an engine says of a selection that begins at a character of a text.

    Left out are tokens that complete no character, and those that nothing stands before (rank 0); so are
    alternatives that are no whole characters, because they could not be put into a text.
    """
    pieces: list[ScoredPiece] = []
    at = 0
    for token in tokens:
        if token.rank > 0 and at <= token.start < token.end <= len(text):
            others = (
                WordAlternative(other.piece, other.probability)
                for other in token.alternatives
                if other.piece and _HALF not in other.piece
            )
            here = slice(token.start, token.end)
            pieces.append(
                ScoredPiece(
                    start + token.start,
                    start + token.end,
                    text[here],
                    token.probability,
                    token.rank,
                    tuple(islice(others, NUM_ALTERNATIVES)),
                )
            )
        at = max(at, token.end)
    return Surprise(start, text, tuple(pieces))


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a selection widened to the words that it begins and ends in, and the space before the first.

    A model's piece is mostly a word with the space before it; a piece that is only half selected could not be
    looked at, and of one word that was clicked nothing would be left. What selects nothing stays as it is.
    """
    if start >= end:
        return start, end
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    if start > 0 and text[start - 1] == " ":
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end


def checked_selection(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands before a selection, and the selection; WriterProblem for one that will not do."""
    if start >= end:
        raise WriterProblem("Select the words that you want alternatives for.")
    if end - start > MAX_CHARS:
        raise WriterProblem("That selection is too long. Select at most {most:,} characters.", most=MAX_CHARS)
    if not text[:start].strip():
        raise WriterProblem("There is no text before these words. Select words further on.")
    return text[:start], text[start:end]

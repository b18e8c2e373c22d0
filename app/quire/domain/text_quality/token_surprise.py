"""How probable a model finds each token of a text, and what it would have written instead."""

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
    """An alternative for a place, and its probability."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class ScoredPiece:
    """A token of a text, in characters of it.

    Attributes:
        rank: 1 for the most probable one of all; None behind those that a server lists.
        alternatives: the most probable first.
    """

    start: int
    end: int
    text: str
    probability: float
    rank: int | None
    alternatives: tuple[WordAlternative, ...] = ()

    @property
    def kind(self) -> SpanKind:
        """How surprising it is."""
        return next((kind for least, kind in _LEVELS if self.probability >= least), SpanKind.SURPRISING)


@dataclass(frozen=True, slots=True)
class Surprise:
    """A selection of a text, token by token; `text` is the selection, which begins at `start`."""

    start: int
    text: str
    pieces: tuple[ScoredPiece, ...]

    def spans(self) -> tuple[OverlaySpan, ...]:
        """Return how surprising each span is."""
        return tuple(joined_spans(OverlaySpan(one.start, one.end, one.kind) for one in self.pieces))

    def piece_at(self, place: int) -> int | None:
        """Return the index of the token that contains a character; None where none does."""
        numbers = (n for n, piece in enumerate(self.pieces) if piece.start <= place < piece.end)
        return next(numbers, None)

    def holds_after(self, start: int) -> bool:
        """Return whether it is still valid after an edit that begins at a character: it depends on all text
        before.
        """
        return start >= self.start + len(self.text)


def surprise_of(start: int, text: str, tokens: Iterable[TokenScore]) -> Surprise:
    """Return an engine's scores of a selection that begins at a character of a text.

    Left out are tokens that complete no character, and those without any text before them (rank 0); so are
    alternatives that are no whole characters, because they could not be inserted into a text.
    """
    pieces: list[ScoredPiece] = []
    at = 0
    for token in tokens:
        if token.rank != 0 and at <= token.start < token.end <= len(text):
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
    """Return a selection extended to whole words, with the space before the first.

    A token is mostly a word with the space before it; a half-selected token could not be scored, and a click
    inside one word would select nothing. An empty selection stays empty.
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
    """Return the text before a selection, and the selection; WriterProblem for an unusable one."""
    if start >= end:
        raise WriterProblem("Select the words that you want alternatives for.")
    if end - start > MAX_CHARS:
        raise WriterProblem("That selection is too long. Select at most {most:,} characters.", most=MAX_CHARS)
    if not text[:start].strip():
        raise WriterProblem("There is no text before these words. Select words further on.")
    return text[:start], text[start:end]

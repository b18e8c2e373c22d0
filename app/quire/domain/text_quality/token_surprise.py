"""How probable a model finds each token of a text, and what it would have written instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from math import prod

from quire.domain.text_quality.overlays import OverlaySpan, SpanKind, joined_spans
from quire.errors import WriterProblem
from quire_engine.api.queries import TokenScore

MAX_CHARS = 8_000
"""The longest selection that is looked at in one go: it is read in one pass, while the writer waits."""
NUM_ALTERNATIVES = 10
_HALF = "\ufffd"
_LONGEST = 160
"""Characters of a sentence that are shown on each side of a word."""
_WORDS = re.compile(r" ?[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENDS = re.compile(r"[.!?…][”’\"')\]]*\s|\n")
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


@dataclass(frozen=True, slots=True)
class WordChoice:
    """A word of a text, with the space before it, and other words for its place.

    Attributes:
        start: its first character.
        in_sentence: what its sentence has before it, the word, and what is after it.
        probability: of the whole word.
        alternatives: whole words, with the same space, the most probable first.
    """

    start: int
    text: str
    in_sentence: tuple[str, str, str]
    probability: float
    alternatives: tuple[WordAlternative, ...]

    @property
    def word(self) -> str:
        """The word alone."""
        return self.text.strip()


def word_choices(surprise: Surprise, text: str) -> tuple[WordChoice, ...]:
    """Return the words of a selection for which there are others.

    A word may be several tokens; the alternatives to its first one that are words themselves stand for all.
    text: the whole one that the selection is from.
    """
    choices = list[WordChoice]()
    for word in _WORDS.finditer(surprise.text):
        start, end = surprise.start + word.start(), surprise.start + word.end()
        pieces = [piece for piece in surprise.pieces if start <= piece.start and piece.end <= end]
        if not pieces or pieces[0].start != start:
            continue
        others = tuple(
            other
            for other in pieces[0].alternatives
            if _WORDS.fullmatch(other.text) and other.text.strip() != word[0].strip()
            and other.text.startswith(" ") == word[0].startswith(" ")
        )  # fmt: skip
        if others:
            place = start + len(word[0]) - len(word[0].lstrip())
            probability = prod(piece.probability for piece in pieces)
            choices.append(WordChoice(start, word[0], _sentence(text, place, end), probability, others))
    return tuple(choices)


def _sentence(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return what the sentence of a word has before it, the word, and the rest."""
    first = max((match.end() for match in _ENDS.finditer(text, max(start - _LONGEST, 0), start)), default=0)
    last = _ENDS.search(text, end, end + _LONGEST)
    first = max(first, start - _LONGEST)
    before, after = text[first:start], text[end : end + _LONGEST if last is None else last.start() + 1]
    return before.lstrip(), text[start:end], after.rstrip()


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

"""Translate between the tokens of a large model and the pieces of a small one of another tokenizer.

Both stand for bytes of one text. What the small model says of its next piece is said of the token with which
the large one would begin that piece, so that its scores can be drawn from with the large model's noise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from quire_engine.catalog.tokenizer_fit import Vocabulary
from quire_engine.drafting.draft_sampling import DraftRow, Ids, Scores

Weights = npt.NDArray[np.float64]

NO_TOKEN = -1
_SPACE = "\u2581"  # as SentencePiece spells it
_BYTE = re.compile("<0x([0-9A-F]{2})>")
_DEEPEST = 15.0  # nats below the best piece, from which a piece is not looked at
_HALF_CHARACTER = re.compile("([\udc80-\udcff]+)")
_NEXT_LINE = "A"  # a line begins otherwise than a text ends
_OPEN = 48  # bytes at the end of a text that are split again when it goes on
_LONGEST_OPEN = 512  # bytes after which a text without words is cut anywhere
_WORD = re.compile(rb"(?<=\w) (?=\w)")


class TokenTranslation:
    """Which token of the large model begins each piece of the small one, and the text of either.

    Args:
        large, small: their vocabularies; that of the small one spells bytes.
        tokenizer: the small model's; from now on it reads the names of marks as text.
        never: tokens that the large model never draws.
    """

    def __init__(
        self, large: Vocabulary, small: Vocabulary, tokenizer: Tokenizer, never: Collection[int] = ()
    ) -> None:
        self.text_of_token = _texts(large)
        self._tokenizer = tokenizer
        tokenizer.encode_special_tokens = True  # the name of a mark is text like any other
        self._next_line = tokenizer.encode(_NEXT_LINE, add_special_tokens=False).ids
        self.text_of_piece = _texts(small)
        self._bytes = {text: number for number, text in self.text_of_piece.items() if len(text) == 1}
        self._tokens: dict[bytes, int] = {}
        for number in sorted(self.text_of_token.keys() - set(never), key=lambda one: _is_byte(large, one)):
            self._tokens.setdefault(self.text_of_token[number], number)
        self._longest = max(map(len, self._tokens), default=0)
        self._first = np.full(max(self.text_of_piece, default=-1) + 1, NO_TOKEN, np.int64)
        for number, text in self.text_of_piece.items():
            self._first[number] = self.first_token(text)

    def first_token(self, text: bytes) -> int:
        """Return the longest token that a text begins with; NO_TOKEN where there is none."""
        for length in range(min(len(text), self._longest), 0, -1):
            if (token := self._tokens.get(text[:length])) is not None:
                return token
        return NO_TOKEN

    def first_tokens(self, logits: Scores) -> tuple[Ids, Ids, Weights]:
        """Return likely pieces, ascending, the token of each and its weight. logits: of every piece."""
        logits = logits[: len(self._first)]
        best = logits.max()
        pieces = np.flatnonzero(logits > best - _DEEPEST)
        pieces = pieces[self._first[pieces] != NO_TOKEN]
        return pieces, self._first[pieces], np.exp(logits[pieces] - best, dtype=np.float64)

    def pieces_of(self, text: bytes) -> list[int]:
        """Return the pieces of a text that may begin or end within a character."""
        found: list[int] = []
        for part in _HALF_CHARACTER.split(text.decode(errors="surrogateescape")):
            if _HALF_CHARACTER.match(part):
                bytes_ = part.encode(errors="surrogateescape")
                found += [self._bytes[one] for byte in bytes_ if (one := bytes([byte])) in self._bytes]
            else:
                found += self._encoded(part)
        return found

    def _encoded(self, text: str) -> list[int]:
        """Return the pieces of a text; line ends at its end as they are before another line."""
        if text.endswith("\n"):
            ids: list[int] = self._tokenizer.encode(text + _NEXT_LINE, add_special_tokens=False).ids
            if ids[-1:] == self._next_line:
                return ids[:-1]
        return self._tokenizer.encode(text, add_special_tokens=False).ids if text else []


class TranslatedText:
    """A text of tokens as pieces, kept up to date as it grows.

    What is far from its end is split once and for all. The rest is split again, since a piece may end
    elsewhere once the text goes on.
    """

    def __init__(self, translation: TokenTranslation) -> None:
        self._translation = translation
        self._settled: list[int] = []
        self._open = b""
        self._open_pieces: list[int] = []
        self._pieces_of: dict[int, list[int]] = {}  # by token
        self._begun: Counter[int] = Counter()  # by piece: tokens that it began
        self._longer: dict[int, Counter[int]] = {}  # by piece: those that it is not the whole of

    def __len__(self) -> int:
        """Return how many pieces it has."""
        return len(self._settled) + len(self._open_pieces)

    def add(self, token_ids: Sequence[int]) -> None:
        """Continue the text."""
        for token in token_ids:
            self._count(token)
        self._open += self._bytes_of(token_ids)
        if len(self._open) > 2 * _OPEN and (end := self._end_to_settle()):
            self._settled += self._translation.pieces_of(self._open[:end])
            self._open = self._open[end:]
        self._open_pieces = self._translation.pieces_of(self._open)

    def pieces(self, start: int, more: Sequence[int] = ()) -> list[int]:
        """Return its pieces from one of them on, as they are when these tokens follow."""
        following = self._bytes_of(more)
        last = self._translation.pieces_of(self._open + following) if following else self._open_pieces
        return [*self._settled[start:], *last[max(0, start - len(self._settled)) :]]

    def row(self, logits: Scores) -> DraftRow:
        """Return the scores of the tokens that may follow. logits: of every piece, after the last one.

        A piece stands for the token of the same text, and for longer ones as often as it began them here.
        """
        pieces, tokens, weights = self._translation.first_tokens(logits)
        more: list[tuple[int, float]] = []
        for piece in self._longer.keys() & set(pieces.tolist()):
            place = int(np.searchsorted(pieces, piece))
            weight = float(weights[place]) / (self._begun[piece] + 1)
            more += [(token, times * weight) for token, times in self._longer[piece].items()]
            weights[place] -= self._longer[piece].total() * weight
        tokens = np.concatenate([tokens, np.array([token for token, _ in more], np.int64)])
        weights = np.concatenate([weights, np.array([weight for _, weight in more])])
        ids, places = np.unique(tokens, return_inverse=True)
        shares = np.bincount(places, weights, len(ids))
        return DraftRow((np.log(shares) + float(logits.max())).astype(np.float32), ids)

    def _count(self, token: int) -> None:
        if (found := self._pieces_of.get(token)) is None:
            found = self._pieces_of[token] = self._translation.pieces_of(self._bytes_of((token,)))
        if found:
            self._begun[found[0]] += 1
        if len(found) > 1:
            self._longer.setdefault(found[0], Counter())[token] += 1

    def _bytes_of(self, token_ids: Sequence[int]) -> bytes:
        texts = self._translation.text_of_token
        return b"".join([texts.get(token, b"") for token in token_ids])

    def _end_to_settle(self) -> int:
        """Return where the last word begins that is far enough from the end; 0 if there is none."""
        ends = [found.start() for found in _WORD.finditer(self._open, 0, len(self._open) - _OPEN)]
        if ends:
            return ends[-1]
        return len(self._open) - _OPEN if len(self._open) > _LONGEST_OPEN else 0


def _is_byte(vocabulary: Vocabulary, number: int) -> bool:
    """Say whether a token is a byte by number, which stands for text only where nothing else does."""
    return not vocabulary.has_bytes and _BYTE.fullmatch(vocabulary.tokens[number]) is not None


def _texts(vocabulary: Vocabulary) -> dict[int, bytes]:
    """Return the text of every token but the marks, which have none."""
    spelled = _bytes_of_characters() if vocabulary.has_bytes else {}
    found: dict[int, bytes] = {}
    for number, token in vocabulary.tokens.items():
        if number in vocabulary.marks or not token:
            continue
        if vocabulary.has_bytes:
            known = all(character in spelled for character in token)  # an added token is spelled as it is
            found[number] = bytes(spelled[each] for each in token) if known else token.encode()
        elif byte := _BYTE.fullmatch(token):
            found[number] = bytes([int(byte[1], 16)])
        else:
            found[number] = token.replace(_SPACE, " ").encode()
    return found


def _bytes_of_characters() -> dict[str, int]:
    """Return the byte that each character of a byte-level vocabulary stands for, as GPT-2 has them."""
    printed = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {
        chr(256 + place): byte for place, byte in enumerate(hidden)
    }

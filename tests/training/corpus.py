"""Books on disk: reading them, keeping some out, packing the rest into pieces of tokens."""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem

Tokens = npt.NDArray[np.uint16]
"""Token ids of a text or of many, shape (num_tokens,)."""
AnyTokens = npt.NDArray[np.unsignedinteger[Any]]
"""The same for a vocabulary of any size."""

BOOK_SEPARATOR = "\f\n"
# Whole authors are kept out, so that a held-out loss says how well unseen prose is predicted.
HELD_OUT_AUTHORS = (
    "Edith Wharton",
    "G. K. Chesterton",
    "H. G. Wells",
    "Mary Shelley",
    "Nathaniel Hawthorne",
    "Owen Wister",
    "Samuel Butler",
    "Willa Cather",
)


@dataclass(frozen=True, slots=True)
class CorpusBook:
    """One book: title and author from the manifest, text with one paragraph per line."""

    title: str
    author: str
    text: str


def read_books(folder: Path) -> Iterator[CorpusBook]:
    """Yield every book of a corpus folder (MANIFEST.tsv and xz shards), shard by shard."""
    manifest = folder / "MANIFEST.tsv"
    shards = sorted(folder.glob("*.txt.xz"))
    if not manifest.is_file() or not shards:
        raise EnvironmentProblem(
            "{folder} is not a corpus: it needs MANIFEST.tsv and .txt.xz shards beside it.", folder=folder
        )
    with manifest.open(encoding="utf-8", newline="") as rows:
        authors = {row["title"]: row["author"] for row in csv.DictReader(rows, delimiter="\t")}
    for shard in shards:
        text = lzma.decompress(shard.read_bytes()).decode("utf-8")
        for book in text.split(BOOK_SEPARATOR):
            title = book.lstrip().partition("\n")[0].removeprefix("# ").strip()
            yield CorpusBook(title, authors.get(title, "unknown"), book.strip() + "\n")


def capped(text: str, max_chars: int) -> str:
    """Return the text cut at the last paragraph break before max_chars, so that no giant dominates."""
    if len(text) <= max_chars:
        return text
    return text[: text.rfind("\n\n", 0, max_chars)] + "\n"


def encode_book(tokenizer: Tokenizer, text: str, end_of_text: int) -> Tokens:
    """Return the token ids of one book and the end-of-text id after it, as uint16."""
    # A book is encoded paragraph by paragraph: the tokenizer splits there anyway, and memory stays low.
    pieces = text.split("\n\n")
    parts = [piece + "\n\n" for piece in pieces[:-1]] + pieces[-1:]
    ids: list[int] = []
    for encoding in tokenizer.encode_batch(parts, add_special_tokens=False):
        ids.extend(encoding.ids)
    return np.array([*ids, end_of_text], dtype=np.uint16)


class PieceSampler:
    """Deals out pieces of a token stream in a shuffled order that depends on the seed alone.

    tokens: the packed corpus, shape (num_tokens,). Every epoch visits each piece of `length + 1`
    tokens once (the extra one is the last target).
    """

    def __init__(self, tokens: Tokens, seed: int) -> None:
        self._tokens = tokens
        self._seed = seed
        self._order_of: tuple[int, int] | None = None
        self._order = np.empty(0, dtype=np.int64)

    def batch(self, index: int, batch_size: int, length: int) -> npt.NDArray[np.int64]:
        """Return batch number `index`, shape (batch_size, length + 1)."""
        pieces = (len(self._tokens) - 1) // length
        if pieces < batch_size:
            raise EnvironmentProblem(
                "The corpus has {num_tokens:,} tokens; a batch needs {least:,}.",
                num_tokens=len(self._tokens),
                least=batch_size * length + 1,
            )
        first = index * batch_size
        rows = [self._piece(first + row, pieces, length) for row in range(batch_size)]
        return np.stack(rows).astype(np.int64)

    def _piece(self, number: int, pieces: int, length: int) -> Tokens:
        epoch, place = divmod(number, pieces)
        if self._order_of != (epoch, length):  # shuffled once per epoch, not once per piece
            self._order = np.random.default_rng((self._seed, epoch, length)).permutation(pieces)
            self._order_of = (epoch, length)
        start = int(self._order[place]) * length
        return self._tokens[start : start + length + 1]


def held_out_pieces(tokens: AnyTokens, length: int, max_pieces: int) -> list[AnyTokens]:
    """Return up to `max_pieces` pieces of `length + 1` tokens spread over one book.

    Of a book shorter than a piece, the whole. The first token of a piece is only read, never predicted.
    """
    length = min(length, len(tokens) - 1)
    pieces = min(max_pieces, (len(tokens) - 1) // length)
    starts = np.linspace(0, len(tokens) - 1 - length, pieces).astype(int)
    return [tokens[start : start + length + 1] for start in starts]


def split_held_out(books: Sequence[CorpusBook]) -> tuple[list[CorpusBook], list[CorpusBook]]:
    """Return (training books, held-out books); whole authors go to one side."""
    held_out = [book for book in books if book.author in HELD_OUT_AUTHORS]
    return [book for book in books if book.author not in HELD_OUT_AUTHORS], held_out

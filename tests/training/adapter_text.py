"""The text that an adapter is trained on: a stretch of every book, in the tokens of the model."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from quire_engine.api.atomic_file import replacing
from quire_engine.api.errors import EnvironmentProblem
from tests.training.corpus import CorpusBook, read_books, split_held_out

WideTokens = npt.NDArray[np.uint32]
"""Token ids of any vocabulary, shape (num_tokens,)."""

_FILE = "text.npz"
_FROM_INSIDE = 0.7  # share of the long books that are read from a place inside, not from their beginning
_MAX_HELD_OUT_CHARS = 1_200_000
_HELD = "held out: "


@dataclass(frozen=True, slots=True)
class AdapterText:
    """Training tokens as one stream, and the held-out books by title."""

    train: WideTokens
    held_out: dict[str, WideTokens]


def text_for(tokenizer: Tokenizer, corpus: Path, work: Path, max_chars: int, seed: int) -> AdapterText:
    """Return the text of a corpus for a model; tokenized once, then read from the work folder."""
    file = work / _FILE
    if not file.is_file():
        training, held_out = split_held_out(list(read_books(corpus)))
        if not training:
            raise EnvironmentProblem("{folder} has no books to train on.", folder=corpus)
        stretches = _stretches(training, max_chars, random.Random(seed))
        arrays = {"train": np.concatenate([encoded(tokenizer, text) for text in stretches])}
        for book in held_out:
            arrays[_HELD + book.title] = encoded(tokenizer, book.text[:_MAX_HELD_OUT_CHARS])
        work.mkdir(parents=True, exist_ok=True)
        with replacing(file) as opened:
            np.savez(opened, **arrays)  # type: ignore[arg-type]  # numpy's annotation is for its own keyword
    with np.load(file) as stored:
        held = {name.removeprefix(_HELD): stored[name] for name in stored.files if name.startswith(_HELD)}
        return AdapterText(stored["train"], held)


def _stretches(books: Sequence[CorpusBook], max_chars: int, rng: random.Random) -> list[str]:
    """Return at most `max_chars` characters of each book, whole paragraphs, from its start or from inside."""
    found: list[str] = []
    for book in books:
        text = book.text
        if len(text) > max_chars:
            start = rng.randrange(len(text) - max_chars)
            start = text.find("\n\n", start) + 2 if rng.random() < _FROM_INSIDE else 0
            text = text[start : start + max_chars]
            text = text[: text.rfind("\n\n") + 2] or text
        found.append(text)
    return found


def encoded(tokenizer: Tokenizer, text: str) -> WideTokens:
    """Return the token ids of a text, without marks; paragraph by paragraph, so that memory stays low."""
    parts = text.split("\n\n")
    pieces = [part + "\n\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    ids: list[int] = []
    for encoding in tokenizer.encode_batch(pieces, add_special_tokens=False):
        ids.extend(encoding.ids)
    return np.array(ids, dtype=np.uint32)

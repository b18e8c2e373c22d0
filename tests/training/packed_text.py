"""A corpus as tokens in a few files, so that a model can be trained where the corpus is not.

Format of the folder: `train.u16.xz` and `held_out.u16.xz` (little-endian uint16 token ids in xz),
`tokenizer.json`, and `pack.json` with the held-out books in their order: title, author, number of tokens.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.errors import EnvironmentProblem
from tests.training.corpus import CorpusBook, Tokens, capped, encode_book, read_books, split_held_out
from tests.training.tokenizer import END_OF_TEXT, save_tokenizer, train_tokenizer

_TRAIN, _HELD_OUT, _LIST = "train.u16.xz", "held_out.u16.xz", "pack.json"
_UINT16 = np.dtype("<u2")  # on any machine
_TRIES = 8


@dataclass(frozen=True, slots=True)
class PackedText:
    """Tokenizer, training tokens as one stream, held-out tokens by title, and the authors of those titles."""

    tokenizer: Tokenizer
    train: Tokens
    held_out: dict[str, Tokens]
    authors: dict[str, str]


def pack_corpus(
    corpus: Path, folder: Path, *, vocab_size: int, max_chars: int, max_bytes: int | None = None
) -> PackedText:
    """Make a packed folder of a corpus and return what is in it.

    Args:
        max_chars: cap of each training book.
        max_bytes: of the whole folder; where the books do not fit, the longest are cut first, so that as many
            as possible stay whole. Without it, everything is kept, compressed in haste.

    Raises:
        EnvironmentProblem: when the folder of the corpus is none or when max_bytes is too little for any
            text.
    """
    training, held_out = split_held_out(list(read_books(corpus)))
    texts = [capped(book.text, max_chars) for book in training]
    tokenizer = train_tokenizer(
        (line for text in texts for line in text.splitlines(keepends=True)), vocab_size
    )
    end = int(tokenizer.token_to_id(END_OF_TEXT) or 0)
    books = [encode_book(tokenizer, text, end) for text in texts]
    unseen = [encode_book(tokenizer, book.text, end) for book in held_out]
    folder.mkdir(parents=True, exist_ok=True)
    save_tokenizer(tokenizer, folder)
    (folder / _HELD_OUT).write_bytes(_compress(_joined(unseen), hasty=max_bytes is None))
    _write_list(folder, held_out, unseen)
    room = None if max_bytes is None else max_bytes - sum(file.stat().st_size for file in _others(folder))
    packed = _compress_into(books, room, end)
    replace_file(folder / _TRAIN, packed)  # last, and at once: a folder that has it is complete
    return read_pack(folder)


def is_pack(folder: Path) -> bool:
    """Say whether a folder was packed to its end."""
    return (folder / _TRAIN).is_file()


def read_pack(folder: Path) -> PackedText:
    """Read a packed folder. Raises EnvironmentProblem when it is none."""
    if not is_pack(folder):
        raise EnvironmentProblem(
            "{folder} holds no packed text: it needs {train}, made by the command `pack`.",
            folder=folder,
            train=_TRAIN,
        )
    listed: list[dict[str, Any]] = json.loads((folder / _LIST).read_text(encoding="utf-8"))["held_out"]
    unseen = _decompress(folder / _HELD_OUT)
    ends = np.cumsum([book["num_tokens"] for book in listed], dtype=np.int64)
    if len(unseen) != (ends[-1] if len(ends) else 0):
        raise EnvironmentProblem(
            "{folder} is damaged: {held_out} and {list} do not belong together.",
            folder=folder,
            held_out=_HELD_OUT,
            list=_LIST,
        )
    parts = np.split(unseen, ends[:-1]) if len(ends) else []
    return PackedText(
        tokenizer=Tokenizer.from_file(str(folder / "tokenizer.json")),
        train=_decompress(folder / _TRAIN),
        held_out={book["title"]: tokens for book, tokens in zip(listed, parts, strict=True)},
        authors={book["title"]: book["author"] for book in listed},
    )


def share_budget(lengths: Sequence[int], budget: int) -> int:
    """Return the largest cap with which all lengths together stay within a budget of tokens."""
    left, books = budget, sorted(lengths)
    for place, length in enumerate(books):
        share = max(0, left) // (len(books) - place)
        if length > share:
            return share
        left -= length
    return books[-1] if books else 0


def _others(folder: Path) -> list[Path]:
    return [folder / name for name in (_HELD_OUT, _LIST, "tokenizer.json")]


def _write_list(folder: Path, books: Sequence[CorpusBook], tokens: Sequence[Tokens]) -> None:
    rows: list[Mapping[str, Any]] = [
        {"title": book.title, "author": book.author, "num_tokens": len(ids)}
        for book, ids in zip(books, tokens, strict=True)
    ]
    text = json.dumps({"held_out": rows}, indent=1, ensure_ascii=False)
    (folder / _LIST).write_text(text + "\n", encoding="utf-8")


def _compress_into(books: Sequence[Tokens], max_bytes: int | None, end_of_text: int) -> bytes:
    """Return the books compressed, cut to a common cap until they fit."""
    if max_bytes is None:
        return _compress(_joined(books), hasty=True)
    cap = max((len(tokens) for tokens in books), default=0)
    for _ in range(_TRIES if max_bytes > 0 else 0):
        kept = [_cut(tokens, cap, end_of_text) for tokens in books]
        packed = _compress(_joined(kept), hasty=False)
        if len(packed) <= max_bytes:
            return packed
        num_kept = sum(len(tokens) for tokens in kept)
        cap = share_budget([len(tokens) for tokens in books], int(num_kept * 0.99 * max_bytes / len(packed)))
    raise EnvironmentProblem("The text cannot be packed into so few bytes; allow more with --max-mb.")


def _cut(tokens: Tokens, cap: int, end_of_text: int) -> Tokens:
    if len(tokens) <= cap:
        return tokens
    return np.append(tokens[: max(0, cap - 1)], np.uint16(end_of_text))


def _joined(books: Sequence[Tokens]) -> Tokens:
    return np.concatenate([np.empty(0, dtype=np.uint16), *books])


def _compress(tokens: Tokens, *, hasty: bool) -> bytes:
    # positions count in twos, as the tokens do: 1% smaller
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 1 if hasty else 6, "lc": 1, "lp": 1, "pb": 1}]
    return lzma.compress(tokens.astype(_UINT16).tobytes(), filters=filters)


def _decompress(file: Path) -> Tokens:
    try:
        return np.frombuffer(lzma.decompress(file.read_bytes()), dtype=_UINT16).astype(np.uint16)
    except (lzma.LZMAError, ValueError) as error:
        raise EnvironmentProblem("{file} is damaged; pack the text again.", file=file) from error

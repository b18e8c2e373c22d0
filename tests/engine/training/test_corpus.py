from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from quire_engine.api.errors import EnvironmentProblem
from tests.engine.tiny import SENTENCES, few
from tests.training.corpus import (
    BOOK_SEPARATOR,
    HELD_OUT_AUTHORS,
    CorpusBook,
    PieceSampler,
    capped,
    encode_book,
    read_books,
    split_held_out,
)


def write_corpus(folder: Path, shards: list[list[CorpusBook]]) -> Path:
    """Write books as a corpus: a manifest and one xz file per shard."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["title\tauthor"]
    for number, books in enumerate(shards):
        rows += [f"{book.title}\t{book.author}" for book in books]
        text = BOOK_SEPARATOR.join(f"# {book.title}\n\n{book.text}" for book in books)
        (folder / f"{number:02}.txt.xz").write_bytes(lzma.compress(text.encode()))
    (folder / "MANIFEST.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


# ---------------------------------------------------------------- books
def test_books_come_with_their_author_shard_by_shard(tmp_path: Path) -> None:
    shards = [
        [CorpusBook("One", "Ann", "A.\n"), CorpusBook("Two", "Bob", "B.\n\nC.\n")],
        [CorpusBook("Three", "Ann", "D.\n")],
    ]
    books = list(read_books(write_corpus(tmp_path, shards)))
    assert [(book.title, book.author) for book in books] == [("One", "Ann"), ("Two", "Bob"), ("Three", "Ann")]
    assert books[1].text == "# Two\n\nB.\n\nC.\n"


def test_a_book_that_the_manifest_does_not_know_is_by_an_unknown_author(tmp_path: Path) -> None:
    write_corpus(tmp_path, [[CorpusBook("One", "Ann", "A.\n")]])
    (tmp_path / "MANIFEST.tsv").write_text("title\tauthor\n", encoding="utf-8")
    assert [book.author for book in read_books(tmp_path)] == ["unknown"]


def test_a_folder_that_is_no_corpus_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"MANIFEST\.tsv"):
        list(read_books(tmp_path))
    write_corpus(tmp_path, [[CorpusBook("One", "Ann", "A.\n")]])
    (tmp_path / "00.txt.xz").unlink()
    with pytest.raises(EnvironmentProblem):
        list(read_books(tmp_path))


def test_whole_authors_are_held_out() -> None:
    books = [
        CorpusBook("1", HELD_OUT_AUTHORS[0], ""),
        CorpusBook("2", "Ann", ""),
        CorpusBook("3", HELD_OUT_AUTHORS[0], ""),
        CorpusBook("4", HELD_OUT_AUTHORS[-1], ""),
        CorpusBook("5", HELD_OUT_AUTHORS[0].upper(), ""),
        CorpusBook("6", "unknown", ""),
    ]
    training, held_out = split_held_out(books)
    assert [book.title for book in held_out] == ["1", "3", "4"]
    assert [book.title for book in training] == ["2", "5", "6"]
    assert not {book.author for book in training} & {book.author for book in held_out}


def test_a_giant_is_cut_at_a_paragraph() -> None:
    text = "First.\n\nSecond.\n\nThird.\n"
    assert capped(text, 1000) == text
    assert capped(text, len(text)) == text
    assert capped(text, 18) == "First.\n\nSecond.\n"
    assert capped(text, 12) == "First.\n"


def test_a_book_is_encoded_whole_with_its_end_marked(tokenizer: Tokenizer) -> None:
    text = "".join(SENTENCES)
    ids = encode_book(tokenizer, text, 0)
    assert ids.dtype == np.uint16
    assert ids[-1] == 0
    assert 0 not in ids[:-1]
    assert tokenizer.decode(ids[:-1].tolist()) == text
    assert len(ids) <= len(tokenizer.encode(text).ids) + 1


# ---------------------------------------------------------------- pieces
def starts(sampler: PieceSampler, first: int, count: int, batch_size: int, length: int) -> list[int]:
    """Return where the pieces of some batches begin, in a corpus that counts up from 0."""
    batches = [sampler.batch(first + number, batch_size, length) for number in range(count)]
    return [int(row[0]) for batch in batches for row in batch]


@few
@given(st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 12), st.integers(0, 40))
def test_every_epoch_visits_each_piece_once(seed: int, length: int, pieces: int, extra: int) -> None:
    num_tokens = pieces * length + 1 + extra % length
    sampler = PieceSampler(np.arange(num_tokens, dtype=np.uint16), seed)
    for epoch in range(3):
        visited = starts(sampler, epoch * pieces, pieces, 1, length)
        assert sorted(visited) == [piece * length for piece in range(pieces)]


def test_a_batch_holds_whole_pieces_and_the_token_after_each() -> None:
    batch = PieceSampler(np.arange(101, dtype=np.uint16), 1).batch(0, 4, 10)
    assert batch.shape == (4, 11)
    assert batch.dtype == np.int64
    for row in batch:
        assert row.tolist() == list(range(row[0], row[0] + 11))


def test_the_order_depends_on_the_seed_alone() -> None:
    tokens = np.arange(2001, dtype=np.uint16)
    wanted = starts(PieceSampler(tokens, 7), 0, 20, 2, 50)
    jumping = PieceSampler(tokens, 7)
    backwards = [starts(jumping, number, 1, 2, 50) for number in reversed(range(20))]
    assert [start for batch in reversed(backwards) for start in batch] == wanted
    assert starts(PieceSampler(tokens, 8), 0, 20, 2, 50) != wanted


def test_epochs_are_shuffled_again() -> None:
    sampler = PieceSampler(np.arange(2001, dtype=np.uint16), 7)
    assert starts(sampler, 0, 40, 1, 50) != starts(sampler, 40, 40, 1, 50)


def test_a_batch_may_span_two_epochs() -> None:
    sampler = PieceSampler(np.arange(71, dtype=np.uint16), 1)  # 7 pieces, batches of 5
    visited = starts(sampler, 0, 7, 5, 10)
    assert sorted(visited) == sorted([piece * 10 for piece in range(7)] * 5)


def test_a_corpus_smaller_than_a_batch_is_rejected() -> None:
    sampler = PieceSampler(np.arange(40, dtype=np.uint16), 1)
    assert len(sampler.batch(0, 3, 13)) == 3
    with pytest.raises(EnvironmentProblem, match="41"):
        sampler.batch(0, 4, 10)

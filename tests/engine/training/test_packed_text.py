"""Packed text: what goes in comes out, within the size that was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.errors import EnvironmentProblem
from tests.engine.tiny import SENTENCES, few
from tests.engine.training.test_corpus import write_corpus
from tests.training.corpus import HELD_OUT_AUTHORS, CorpusBook
from tests.training.packed_text import is_pack, pack_corpus, read_pack, share_budget


def text_of(number: int, num_paragraphs: int) -> str:
    """Return paragraphs that do not repeat, so that they take room when packed."""
    rng = np.random.default_rng(number)
    return "".join(
        f"{SENTENCES[rng.integers(len(SENTENCES))].strip()} {rng.integers(10**9)}\n\n"
        for _ in range(num_paragraphs)
    )


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    books = [
        CorpusBook("The Pilot", "Ann", text_of(1, 400)),
        CorpusBook("Lamps", HELD_OUT_AUTHORS[0], text_of(2, 20)),
        CorpusBook("Short", "Bob", text_of(3, 20)),
        CorpusBook("Quays", HELD_OUT_AUTHORS[1], text_of(4, 30)),
    ]
    return write_corpus(tmp_path_factory.mktemp("corpus"), [books])


def test_a_packed_corpus_reads_as_the_books_that_it_was_made_of(corpus: Path, tmp_path: Path) -> None:
    made = pack_corpus(corpus, tmp_path, vocab_size=600, max_chars=10**6)
    read = read_pack(tmp_path)
    np.testing.assert_array_equal(made.train, read.train)
    assert read.train.dtype == np.uint16
    text = read.tokenizer.decode(read.train.tolist(), skip_special_tokens=False)
    books = text.split("<|endoftext|>")
    assert books[0] == f"# The Pilot\n\n{text_of(1, 400).strip()}\n"
    assert books[1] == f"# Short\n\n{text_of(3, 20).strip()}\n"
    assert books[2:] == [""]
    assert read.authors == {"Lamps": HELD_OUT_AUTHORS[0], "Quays": HELD_OUT_AUTHORS[1]}
    quays = read.tokenizer.decode(read.held_out["Quays"][:-1].tolist())
    assert quays == f"# Quays\n\n{text_of(4, 30).strip()}\n"


def test_a_pack_keeps_to_its_size_and_cuts_the_longest_book(corpus: Path, tmp_path: Path) -> None:
    whole = pack_corpus(corpus, tmp_path / "whole", vocab_size=600, max_chars=10**6)
    size = sum(file.stat().st_size for file in (tmp_path / "whole").iterdir())
    limit = size - (tmp_path / "whole" / "train.u16.xz").stat().st_size // 2
    cut = pack_corpus(corpus, tmp_path / "cut", vocab_size=600, max_chars=10**6, max_bytes=limit)
    assert limit * 0.9 < sum(file.stat().st_size for file in (tmp_path / "cut").iterdir()) <= limit
    end = int(np.flatnonzero(cut.train == 0)[0])
    assert len(cut.train) < len(whole.train)
    np.testing.assert_array_equal(cut.train[:end], whole.train[:end])
    short = whole.train[np.flatnonzero(whole.train == 0)[0] + 1 :]
    np.testing.assert_array_equal(cut.train[end + 1 :], short)  # the short book is whole


def test_a_size_that_holds_no_text_is_rejected(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="max-mb"):
        pack_corpus(corpus, tmp_path, vocab_size=600, max_chars=10**6, max_bytes=1000)
    assert not is_pack(tmp_path)


@few
@given(st.lists(st.integers(1, 1000), min_size=1, max_size=20), st.integers(0, 15_000))
def test_a_budget_is_shared_so_that_short_books_stay_whole(lengths: list[int], budget: int) -> None:
    cap = share_budget(lengths, budget)
    kept = sum(min(length, cap) for length in lengths)
    assert kept <= budget
    if cap < max(lengths):
        assert sum(min(length, cap + 1) for length in lengths) > budget


def test_damage_is_said_in_a_sentence(corpus: Path, tmp_path: Path) -> None:
    pack_corpus(corpus, tmp_path, vocab_size=600, max_chars=10**6)
    listed = json.loads((tmp_path / "pack.json").read_text(encoding="utf-8"))
    listed["held_out"].pop()
    (tmp_path / "pack.json").write_text(json.dumps(listed), encoding="utf-8")
    with pytest.raises(EnvironmentProblem, match=r"held_out\.u16\.xz"):
        read_pack(tmp_path)
    (tmp_path / "held_out.u16.xz").write_bytes(b"no xz")
    with pytest.raises(EnvironmentProblem, match="damaged"):
        read_pack(tmp_path)
    (tmp_path / "train.u16.xz").unlink()
    with pytest.raises(EnvironmentProblem, match="pack"):
        read_pack(tmp_path)

"""`python -m quire_engine.training`: a corpus in, a model folder out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quire_engine.config import Goal, ModelConfig, SamplingConfig
from quire_engine.engine import Engine
from quire_engine.messages import GenerationFinished, StartGeneration
from quire_engine.training.__main__ import main
from quire_engine.training.corpus import HELD_OUT_AUTHORS, Book
from tests.engine.tiny import OPENING, SENTENCES
from tests.engine.training.test_corpus import write_corpus


def book(title: str, author: str, num_sentences: int) -> Book:
    text = "".join(
        f"{SENTENCES[number % len(SENTENCES)].strip()} It was day {number * 7 % 100} of the voyage.\n\n"
        for number in range(num_sentences)
    )
    return Book(title, author, text)


def train(corpus: Path, folder: Path, *more: str) -> int:
    return main(
        [
            *["--corpus", str(corpus), "--work", str(folder / "work"), "--out", str(folder / "model")],
            *["--preset", "tiny", "--tokens", "16384", "--threads", "1", *more],
        ]
    )


def test_a_corpus_becomes_a_model_in_as_many_sittings_as_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    books = [book("The Pilot", "Ann", 250), book("Nineteen Lamps", HELD_OUT_AUTHORS[0], 60)]
    corpus = write_corpus(tmp_path / "corpus", [books])
    assert train(corpus, tmp_path, "--minutes", "0") == 0
    assert "time is up" in capsys.readouterr().out
    assert train(corpus, tmp_path) == 0
    told = capsys.readouterr().out
    assert "going on at step 1" in told
    assert "finished" in told
    report = json.loads((tmp_path / "model" / "training.json").read_text(encoding="utf-8"))
    assert report["progress"]["tokens_done"] == 16384
    losses = report["held_out_loss"]
    assert losses["mean"] == losses["Nineteen Lamps"] < 7
    assert losses["perplexity_per_word"] > 1
    engine = Engine()
    engine.load(ModelConfig(str(tmp_path / "model"), "float32", 8, 1))
    command = StartGeneration(1, OPENING, SamplingConfig(), Goal(tokens=5))
    assert isinstance(list(engine.run(command))[-1], GenerationFinished)


def test_a_corpus_without_a_long_held_out_book_becomes_a_model_too(tmp_path: Path) -> None:
    """Hours of training may not end in an error because there is nothing to measure it with."""
    for name, books in {
        "none": [book("The Pilot", "Ann", 250)],
        "short": [book("The Pilot", "Ann", 250), book("Lamps", HELD_OUT_AUTHORS[0], 3)],
    }.items():
        corpus = write_corpus(tmp_path / name / "corpus", [books])
        assert train(corpus, tmp_path / name, "--tokens", "8192") == 0
        assert (tmp_path / name / "model" / "config.json").is_file()


def test_a_folder_that_is_no_corpus_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(tmp_path / "nowhere", tmp_path) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_corpus_that_is_too_small_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "corpus", [[book("The Pilot", "Ann", 3)]])
    assert train(corpus, tmp_path) == 1
    assert capsys.readouterr().err.count("\n") == 1

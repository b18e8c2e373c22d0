"""`python -m tests.training`: a corpus in, a model folder out."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest
import torch

from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import GenerationFinished, StartGeneration
from quire_engine.engine import Engine
from tests.engine.tiny import OPENING, SENTENCES
from tests.engine.training.test_corpus import write_corpus
from tests.training.__main__ import main
from tests.training.corpus import HELD_OUT_AUTHORS, CorpusBook, PieceSampler


def book(title: str, author: str, num_sentences: int) -> CorpusBook:
    text = "".join(
        f"{SENTENCES[number % len(SENTENCES)].strip()} It was day {number * 7 % 100} of the voyage.\n\n"
        for number in range(num_sentences)
    )
    return CorpusBook(title, author, text)


def train(corpus: Path, folder: Path, *more: str) -> int:
    return main(
        [
            *[
                "train",
                "--corpus",
                str(corpus),
                "--work",
                str(folder / "work"),
                "--out",
                str(folder / "model"),
            ],
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
    assert list(report["held_out_loss_by_position"]) == ["0-512"]
    ElementTree.parse(tmp_path / "model" / "loss.svg")
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


def test_packed_text_becomes_the_same_model_without_the_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    books = [book("The Pilot", "Ann", 250), book("Nineteen Lamps", HELD_OUT_AUTHORS[0], 60)]
    corpus = write_corpus(tmp_path / "corpus", [books])
    packed = tmp_path / "packed"
    pack = ["pack", "--corpus", str(corpus), "--out", str(packed), "--vocab-size", "1024"]
    assert main([*pack, "--max-mb", "1"]) == 0
    assert "1 books held out" in capsys.readouterr().out
    folders = ["--work", str(tmp_path / "other"), "--out", str(tmp_path / "from pack")]
    options = ["--preset", "tiny", "--tokens", "8192", "--threads", "1", "--device", "cpu"]
    assert main(["train", "--data", str(packed), *folders, *options]) == 0
    assert train(corpus, tmp_path, "--tokens", "8192") == 0
    names = {file.name for file in (tmp_path / "model").iterdir()}
    assert names >= {"config.json", "model.safetensors", "tokenizer.json", "training.json", "loss.svg"}
    for name in ("model.safetensors", "tokenizer.json", "config.json"):
        got, wanted = (tmp_path / folder / name for folder in ("from pack", "model"))
        assert got.read_bytes() == wanted.read_bytes(), name


def test_the_baseline_is_measured_on_the_same_books(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    books = [book("The Pilot", "Ann", 100), book("Nineteen Lamps", HELD_OUT_AUTHORS[0], 20)]
    corpus = write_corpus(tmp_path / "corpus", [books])
    pack = ["pack", "--corpus", str(corpus), "--out", str(tmp_path / "packed"), "--vocab-size", "1024"]
    assert main(pack) == 0
    capsys.readouterr()
    assert main(["baseline", "--data", str(tmp_path / "packed")]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main(["baseline", "--data", str(tmp_path / "packed"), "--tokens", "300"]) == 0
    part = json.loads(capsys.readouterr().out)
    assert part["training_tokens"] == 300 < whole["training_tokens"]
    assert whole["held_out_loss"]["mean"] == whole["held_out_loss"]["Nineteen Lamps"]
    assert 0 < whole["held_out_loss"]["mean"] < part["held_out_loss"]["mean"]


def test_a_pack_that_is_none_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "--data", str(tmp_path)]) == 1
    assert main(["train", "--data", str(tmp_path), "--work", str(tmp_path), "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_missing_gpu_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "corpus", [[book("The Pilot", "Ann", 250)]])
    assert train(corpus, tmp_path, "--device", "cuda") == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_command_without_its_name_trains(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", [[book("The Pilot", "Ann", 250)]])
    options = ["--corpus", str(corpus), "--work", str(tmp_path / "work"), "--out", str(tmp_path / "model")]
    assert main([*options, "--preset", "tiny", "--tokens", "8192", "--threads", "1"]) == 0
    assert (tmp_path / "model" / "model.safetensors").is_file()


def test_an_interrupted_training_saves_the_step_and_continues(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus(tmp_path / "corpus", [[book("The Pilot", "Ann", 250)]])
    deal = PieceSampler.batch

    def deal_and_interrupt(
        sampler: PieceSampler, index: int, size: int, length: int
    ) -> npt.NDArray[np.int64]:
        signal.raise_signal(signal.SIGINT)  # in the middle of the step
        return deal(sampler, index, size, length)

    with monkeypatch.context() as patch:
        patch.setattr(PieceSampler, "batch", deal_and_interrupt)
        assert train(corpus, tmp_path) == 130
    assert "Stopped and saved" in capsys.readouterr().err
    assert not (tmp_path / "model").exists()
    assert train(corpus, tmp_path) == 0
    assert "going on at step 1\n" in capsys.readouterr().out

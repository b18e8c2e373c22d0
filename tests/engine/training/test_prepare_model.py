"""The prepare command: text in, drafters beside the model out, stopped and resumed on the way."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.trained_drafters import STARTED_AGAIN
from quire_engine.drafting import drafter_file
from quire_engine.models.loading import inspect_folder, load_tokenizer
from quire_engine.training import prepare_model
from quire_engine.training.drafter_trainer import DrafterPlan
from quire_engine.training.prepare_model import Advance, Preparation
from tests.engine import tiny

QUICK = Preparation(
    plan=DrafterPlan(
        heads_steps=3, feature_steps=4, batch=2, length=32, window=12, vocabulary=200, warmup_steps=2
    ),
    own_tokens=0,
)


def text(tokens: int = 400) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return token ids to learn from."""
    return np.array(tiny.prompt_ids(tokens), dtype=np.int64)


def nobody(_: Advance) -> None:
    """Listen to nothing."""


def test_what_is_prepared_is_found_beside_the_model(llama: Path, tmp_path: Path) -> None:
    folder = inspect_folder(llama)
    told: list[Advance] = []
    prepare_model.prepare(folder, text(), tmp_path, QUICK, told.append)
    found = drafter_file.find(tmp_path, folder.fingerprint)
    assert found is not None
    assert found.heads is not None
    assert found.feature is not None
    assert found.feature.vocabulary is not None
    assert len(found.feature.vocabulary) <= 200
    assert found.feature.shape.width == 64
    assert len(found.figures["heads"]) == 3
    assert 1 <= found.figures["tokens_per_pass"]["feature"] <= 5
    assert [file.name for file in tmp_path.iterdir()] == [drafter_file.FILE_NAME]
    assert [each.stage for each in told] == ["heads"] * 3 + ["feature"] * 4 + ["evaluation"] * 2


@pytest.mark.sliced
@pytest.mark.parametrize(
    "family", ["qwen3", "gemma2", "phi", "gpt_neox", "gemma3n_text", "gemma4_text small", "gpt_oss"]
)
def test_other_families_are_prepared_too(tmp_path: Path, family: str) -> None:
    folder = inspect_folder(tiny.save(family, tmp_path / "model"))
    assert prepare_model.prepare(folder, text(), tmp_path, QUICK, nobody).feature is not None


@pytest.mark.parametrize("stop_at", [2, 5, 8])
def test_a_stopped_preparation_continues(llama: Path, tmp_path: Path, stop_at: int) -> None:
    folder = inspect_folder(llama)
    whole = prepare_model.prepare(folder, text(), tmp_path / "whole", QUICK, nobody)
    told: list[Advance] = []

    def stop(advance: Advance) -> None:
        told.append(advance)
        if len(told) == stop_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare_model.prepare(folder, text(), tmp_path / "part", QUICK, stop)
    assert drafter_file.find(tmp_path / "part", folder.fingerprint) is None
    later: list[Advance] = []
    resumed = prepare_model.prepare(folder, text(), tmp_path / "part", QUICK, later.append)
    assert len(later) == 9 - min(stop_at, 7)
    assert resumed.heads is not None
    assert whole.heads is not None
    torch.testing.assert_close(resumed.heads.weight, whole.heads.weight)


def test_unfinished_work_of_another_text_is_not_used(
    llama: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = inspect_folder(llama)

    def stop(_: Advance) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare_model.prepare(folder, text(), tmp_path, QUICK, stop)
    assert not caplog.messages
    told: list[Advance] = []
    prepare_model.prepare(folder, text(399), tmp_path, QUICK, told.append)
    assert caplog.messages == [STARTED_AGAIN]
    assert told[0] == Advance("heads", 1, 3, told[0].loss)


# ---------------------------------------------------------------- texts
def test_texts_and_packed_ids_are_read(llama: Path, tmp_path: Path) -> None:
    tokenizer = load_tokenizer(inspect_folder(llama))
    written, packed = tmp_path / "a.txt", tmp_path / "b.npy"
    written.write_text(tiny.OPENING, encoding="utf-8")
    np.save(packed, np.array([1, 2, 319], dtype=np.uint16))
    ids = prepare_model.read_texts([written, packed], tokenizer, 320)
    assert ids[-3:].tolist() == [1, 2, 319]
    assert tokenizer.decode(ids[:-3].tolist()).strip() == tiny.OPENING.strip()


@pytest.mark.parametrize("content", ["latin", "floats", "large", "no array", "missing"])
def test_what_is_no_text_is_rejected(llama: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / ("a.txt" if content in ("latin", "missing") else "a.npy")
    if content == "latin":
        file.write_bytes("café".encode("latin-1"))
    elif content == "floats":
        np.save(file, np.ones(5))
    elif content == "large":
        np.save(file, np.array([5, 320]))
    elif content == "no array":
        file.write_bytes(b"something else")
    tokenizer = load_tokenizer(inspect_folder(llama))
    with pytest.raises(EnvironmentProblem, match=r"a\.(txt|npy)"):
        prepare_model.read_texts([file], tokenizer, 320)


def test_a_short_text_is_rejected(llama: Path, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="at least 64"):
        prepare_model.prepare(inspect_folder(llama), text(63), tmp_path, QUICK, nobody)


# ---------------------------------------------------------------- the command
def command(*arguments: str) -> int:
    """Run the command as the engine's command line does."""
    parser = argparse.ArgumentParser()
    prepare_model.add_arguments(parser)
    return prepare_model.run(parser.parse_args([*arguments, "--device", "cpu", "--threads", "1"]))


def test_the_command_says_what_it_takes_and_what_came_out(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, file = Path(shutil.copytree(llama, tmp_path / "model")), tmp_path / "ids.npy"
    np.save(file, text(800))
    steps = ("--heads-steps", "1", "--feature-steps", "1", "--own-tokens", "0")
    assert command(str(model), "--text", str(file), *steps) == 0
    said = capsys.readouterr().out
    assert "800 tokens of text" in said
    assert "GB of memory" in said
    assert "tokens per pass" in said
    assert drafter_file.find(model, inspect_folder(model).fingerprint) is not None


def test_memory_is_estimated_from_the_sizes(llama: Path) -> None:
    folder = inspect_folder(llama)
    small, large = (prepare_model.memory_needed(folder, DrafterPlan(batch=batch)) for batch in (1, 64))
    assert 1e6 < small < large

"""What commands are given in the same way: a sentence says what is missing."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

import quire_resources
from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import (
    add_sampling_options,
    built_in_model,
    read_prompt,
    sample_opening,
    sampling_of,
)


def test_the_model_and_the_opening_that_ship_with_quire_are_there() -> None:
    assert (built_in_model() / "model.safetensors").is_file()
    assert read_prompt(sample_opening()).strip()


def test_without_them_a_sentence_names_the_option(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(quire_resources, "BUILT_IN_MODEL", tmp_path)
        with pytest.raises(EnvironmentProblem, match="--model"):
            built_in_model()
    monkeypatch.setitem(sys.modules, "quire_resources", None)
    with pytest.raises(EnvironmentProblem, match="--model"):
        built_in_model()
    with pytest.raises(EnvironmentProblem, match="--prompt-file"):
        sample_opening()


def test_a_prompt_is_text_without_its_mark(tmp_path: Path) -> None:
    file = tmp_path / "prompt.txt"
    file.write_text("\ufeffIt was late.", encoding="utf-8")
    assert read_prompt(file) == "It was late."


@pytest.mark.parametrize(
    ("content", "said"), [(None, "doesn't exist"), (b" \n", "is empty"), ("é".encode("latin-1"), "UTF-8")]
)
def test_a_prompt_that_cannot_be_used_is_an_error_message(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    file = tmp_path / "prompt.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(EnvironmentProblem, match=said):
        read_prompt(file)


def test_every_sampling_rule_has_an_option() -> None:
    parser = ArgumentParser()
    add_sampling_options(parser)
    parser.add_argument("--seed", type=int, default=0)
    assert sampling_of(parser.parse_args([])) == SamplingConfig()
    words = "--temperature 0.7 --top-k 3 --top-p 0.9 --min-p 0.2 --eta 0.01 --penalty 1.5 --penalty-window 9"
    asked = sampling_of(parser.parse_args([*words.split(), "--seed", "5"]))
    assert asked == SamplingConfig(0.7, 3, 0.9, 0.2, 0.01, 1.5, 9, 5)
    with pytest.raises(ValueError, match="min_p"):
        sampling_of(parser.parse_args(["--min-p", "2"]))

"""A load tests a model that is new, trusts a verdict on one that is not, and goes on in float32."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from quire_engine.api.config import Dtype, ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.load_verdicts import FILE_NAME, LoadVerdicts
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import pass_timing, probe_text, self_test
from quire_engine.forward.probe_text import PIECES
from quire_engine.forward.self_test import SelfTest
from quire_engine.forward.yardstick import Deviation, Yardstick
from quire_resources import BUILT_IN_MODEL


def load(folder: Path, kept_in: Path | None, dtype: Dtype = "bfloat16", **more: Any) -> LoadedModel:
    return load_model(ModelConfig(str(folder), dtype, 8, 1, cache_folder=str(kept_in or ""), **more))


class CountedTests:
    """Counts the self-tests of loads, and fails those of some formats."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.formats: list[torch.dtype] = []
        self.failing: set[torch.dtype] = set()
        usual = self_test.run_self_test

        def counted(runner: Any, yardstick: Any, *arguments: Any) -> SelfTest:
            self.formats.append(yardstick.dtype)
            found = usual(runner, yardstick, *arguments)
            return replace(found, matches=found.matches and yardstick.dtype not in self.failing)

        monkeypatch.setattr(self_test, "run_self_test", counted)


@pytest.fixture
def tests(monkeypatch: pytest.MonkeyPatch) -> CountedTests:
    return CountedTests(monkeypatch)


# ---------------------------------------------------------------- the verdict
def test_a_model_is_tested_once_and_what_was_measured_is_kept(
    llama: Path, tmp_path: Path, tests: CountedTests, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load(llama, tmp_path)
    monkeypatch.setattr(pass_timing, "measure_passes", None)  # it is not measured again
    again = load(llama, tmp_path)
    assert tests.formats == [torch.bfloat16]
    assert again.pass_costs == first.pass_costs != ()
    assert again.description.reproducible
    assert again.description.identity == first.description.identity
    assert again.near_tie == first.near_tie
    (verdict,) = LoadVerdicts(tmp_path).of_model(first.description.identity.fingerprint)
    assert (verdict.is_usable, verdict.number_format, verdict.threads) == (True, "bfloat16", 1)


@pytest.mark.parametrize(
    "other",
    [
        {"dtype": "float32"},
        {"weights": "int8"},
        {"cache": "float8"},
        {"reproducible": False},
        {"context": 256},
    ],
    ids=str,
)
def test_under_other_conditions_it_is_tested_again(
    llama: Path, tmp_path: Path, tests: CountedTests, other: dict[str, Any]
) -> None:
    load(llama, tmp_path)
    count = len(tests.formats)
    load(llama, tmp_path, **other)
    assert len(tests.formats) > count
    tested = len(tests.formats)
    load(llama, tmp_path, **other)
    assert len(tests.formats) == tested


def test_with_a_byte_changed_or_a_damaged_cache_or_without_one_it_is_tested(
    own_llama: Path, tmp_path: Path, tests: CountedTests
) -> None:
    cache = tmp_path / "cache"
    load(own_llama, cache)
    with (own_llama / "config.json").open("a") as file:
        file.write("\n")
    load(own_llama, cache)
    (cache / FILE_NAME).write_text("{")
    load(own_llama, cache)
    load(own_llama, None)
    load(own_llama, None)
    assert len(tests.formats) == 5


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_what_one_text_leaves_undecided_is_decided_on_all(
    llama: Path, monkeypatch: pytest.MonkeyPatch, dtype: Dtype
) -> None:
    texts: list[int] = []
    usual = Yardstick.judge

    def undecided(self: Yardstick, scores: torch.Tensor) -> Deviation:
        texts.append(len(self.texts))
        return replace(usual(self, scores), is_clear=self.is_whole)

    monkeypatch.setattr(Yardstick, "judge", undecided)
    assert load(llama, None, dtype).description.reproducible
    assert texts == [1, len(PIECES)]


def test_a_text_of_which_a_model_makes_little_is_not_the_only_one_that_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: list[int] = []
    usual = Yardstick.judge

    def noted(self: Yardstick, scores: torch.Tensor) -> Deviation:
        texts.append(len(self.texts))
        return usual(self, scores)

    monkeypatch.setattr(Yardstick, "judge", noted)
    load(BUILT_IN_MODEL, None)
    assert texts == [1]
    monkeypatch.setattr(probe_text, "PIECES", PIECES[::-1])  # German first, of which it has read little
    load(BUILT_IN_MODEL, None)
    assert texts == [1, len(PIECES)]


# ---------------------------------------------------------------- float32 instead
def test_what_fails_in_bfloat16_is_loaded_in_float32_and_says_so(
    llama: Path, tmp_path: Path, tests: CountedTests
) -> None:
    tests.failing = {torch.bfloat16}
    for _ in range(2):
        loaded = load(llama, tmp_path)
        assert loaded.description.identity.dtype == "float32"
        assert "float32" in loaded.description.notice
        assert loaded.description.reproducible
    assert tests.formats == [torch.bfloat16, torch.float32]  # and not again in the second load


def test_what_fails_in_float32_too_is_refused_with_what_to_do(
    llama: Path, tmp_path: Path, tests: CountedTests
) -> None:
    tests.failing = {torch.bfloat16, torch.float32}
    for _ in range(2):
        with pytest.raises(EnvironmentProblem, match="Choose another model"):
            load(llama, tmp_path)
    assert len(tests.formats) == 2
    with pytest.raises(EnvironmentProblem, match="in float32"):
        load(llama, tmp_path, dtype="float32")
    assert len(tests.formats) == 2


# ---------------------------------------------------------------- damaged weights
def damaged(folder: Path, change: Callable[[dict[str, torch.Tensor]], None]) -> Path:
    """Change the weights of a folder."""
    weights = load_file(folder / "model.safetensors")
    change(weights)
    contiguous = {name: tensor.contiguous() for name, tensor in weights.items()}
    save_file(contiguous, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_number_that_is_none_is_named_by_its_tensor(own_llama: Path, dtype: Dtype, number: float) -> None:
    name = "model.layers.1.mlp.up_proj.weight"

    def change(weights: dict[str, torch.Tensor]) -> None:
        weights[name][3, 5] = number

    with pytest.raises(EnvironmentProblem, match=name) as caught:
        load(damaged(own_llama, change), None, dtype)
    assert "not finite" in str(caught.value)


def test_numbers_so_large_that_their_sum_is_none_are_sound(own_llama: Path) -> None:
    def change(weights: dict[str, torch.Tensor]) -> None:
        weights["model.embed_tokens.weight"][300:302] = 3e38  # rows that the tokenizer does not have

    assert load(damaged(own_llama, change), None, "float32").description.reproducible


@pytest.fixture
def own_built_in(tmp_path: Path) -> Path:
    """A copy of the built-in model, which has learned a language."""
    return Path(shutil.copytree(BUILT_IN_MODEL, tmp_path / "model"))


def test_a_trained_model_with_a_foreign_tokenizer_is_refused(own_built_in: Path, llama: Path) -> None:
    shutil.copy(llama / "tokenizer.json", own_built_in / "tokenizer.json")
    with pytest.raises(EnvironmentProblem, match=r"tokenizer\.json") as caught:
        load(own_built_in, None)
    assert "another one" in str(caught.value)

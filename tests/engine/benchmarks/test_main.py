"""Every benchmark runs on a tiny model and reports what it promises; times are not judged here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from safetensors import safe_open

from quire_engine.api.config import ModelConfig, SamplingConfig
from quire_engine.api.sampling_scale import REFERENCE, SamplingScale
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.engine import load_model
from tests.benchmarks.engine import load_time, settings_grid
from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.speed import BASELINES, EXACT_ONLY, PLAIN_PADDED, PLAIN_UNPADDED, TOKENSWIFT
from tests.benchmarks.engine.workers import peak_bytes
from tests.engine.tiny import OPENING
from tests.proofs.engine.cases import OWN_SOURCES
from tests.proofs.engine.tiny_models import write_tiny_model


@pytest.fixture(scope="module")
def model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with random drafters."""
    return write_tiny_model("llama", tmp_path_factory.mktemp("bench") / "llama")


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    file = tmp_path / "prompt.txt"
    file.write_text(OPENING, encoding="utf-8")
    return file


def measured(suite: str, model: Path, tmp_path: Path, *more: str) -> dict[str, Any]:
    """Run a suite and return its report."""
    out = tmp_path / "report.json"
    common = ["--model", str(model), "--dtype", "float32", "--threads", "1", "--json", str(out)]
    assert main([suite, *common, *more]) == 0
    report: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert report["suite"] == suite
    assert report["machine"]["dtype"] == "float32"
    assert report["machine"]["threads"] == 1
    assert report["machine"]["trained_drafters"] == ["heads", "feature"]
    return report


def test_speed_compares_every_method(model: Path, prompt: Path, tmp_path: Path) -> None:
    report = measured(
        *("speed", model, tmp_path, "--prompt-file", str(prompt), "--each"),
        *("--lengths", "100", "9999", "--tokens", "12", "--turns", "2"),
    )
    assert report["too_long"] == [9999]
    (length,) = report["lengths"]
    methods = {method["name"]: method for method in length["methods"]}
    assert length["context"] == 100
    assert length["missing"] == {}
    assert set(methods) == {
        *(TOKENSWIFT, EXACT_ONLY, *BASELINES),
        *(f"{TOKENSWIFT}: {source}" for source in OWN_SOURCES),
    }
    swift, plain = methods[TOKENSWIFT], methods[PLAIN_UNPADDED]
    assert set(swift["over"]) == set(BASELINES)
    assert len(swift["each_turn"]) == 2
    assert swift["tokens_per_pass"] >= 1
    assert swift["ceiling"] == pytest.approx(swift["tokens_per_pass"] / swift["cost_of_a_pass"])
    assert (plain["tokens_per_pass"], plain["cost_of_a_pass"]) == (1, 1)
    assert plain["figures"]["tokens"] == 12


def test_noise_measures_every_drafter_on_the_same_text(model: Path, prompt: Path, tmp_path: Path) -> None:
    report = measured("dice", model, tmp_path, "--prompt-file", str(prompt), "--tokens", "24")
    rows = {(row["drafter"], row["same_noise"]): row for row in report["drafters"]}
    assert {name for name, _ in rows} == {*OWN_SOURCES, "all", "auto"}
    assert all((name, not rng) in rows for name, rng in rows)
    assert all(row["same_text"] for row in rows.values())
    assert all(row["tokens"] >= 24 for row in rows.values())
    assert rows["ngrams", True]["accepted"] == sum(rows["ngrams", True]["accepted_by_source"].values())
    assert set(rows["ngrams", True]["accepted_by_source"]) <= {"ngrams"}
    assert set(report["distinct"]) == {"penalty 1.2", "no penalty"}
    assert report["distinct"]["no penalty"]["tokens"]["units"] == 24


def test_noise_measures_the_rows_that_are_asked_for_and_shows_the_text(
    model: Path, prompt: Path, tmp_path: Path
) -> None:
    asked = ["--drafters", "auto", "ngrams", "all", "--prompt-file", str(prompt), "--tokens", "12"]
    report = measured("dice", model, tmp_path, *asked)
    rows = [row["drafter"] for row in report["drafters"] if row["same_noise"]]
    assert rows == ["ngrams", "all", "auto"]
    assert report["text"]


def test_memory_adds_up(model: Path, prompt: Path, tmp_path: Path) -> None:
    report = measured("memory", model, tmp_path, "--prompt-file", str(prompt), "--tokens", "30")
    weights = 0
    for file in ("model.safetensors", "drafters.safetensors"):
        with safe_open(model / file, framework="pt") as data:
            weights += sum(data.get_tensor(name).numel() for name in data.keys())  # noqa: SIM118
    assert report["weights"] == 4 * weights
    assert report["cache"] == report["positions"] * 2 * 2 * 2 * 16 * 4  # layers, k and v, heads, dim, bytes
    assert report["growth"] == report["after_run"] - report["after_imports"]
    assert report["ratio"] == report["growth"] / (report["weights"] + report["cache"])


def test_a_process_tells_how_much_memory_it_holds() -> None:
    held = bytearray(64 << 20)
    held[:: 1 << 12] = bytes(len(held) >> 12) or held
    assert 64 << 20 < read_memory().own <= peak_bytes()


def test_the_grid_lists_the_slowest_first(
    model: Path,
    prompt: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = {"greedy": SamplingConfig(temperature=0), "defaults": SamplingConfig()}
    monkeypatch.setattr(settings_grid, "settings", lambda seed: few)
    report = measured(
        *("grid", model, tmp_path, "--prompt-file", str(prompt)),
        *("--length", "80", "--tokens", "8", "--turns", "1", "--worst", "1"),
    )
    ratios = [row[TOKENSWIFT]["over"][PLAIN_UNPADDED] for row in report["settings"]]
    assert [(row["model"], row["setting"]) for row in report["settings"]] == [
        (kind, name) for kind in ("model", "random weights") for name in few
    ]
    assert report["num_below_goal"]["padded/unpad."] == sum(ratio < report["goal"] for ratio in ratios)
    assert f"{min(ratios):.2f}x" in capsys.readouterr().out.splitlines()[-1]
    plain, swift = report["settings"][0][PLAIN_PADDED], report["settings"][0][TOKENSWIFT]
    assert plain["tokens_per_pass"] == 1
    assert set(swift["over"]) == {PLAIN_PADDED, PLAIN_UNPADDED}


def test_the_grid_varies_every_rule() -> None:
    settings = settings_grid.settings(1)
    assert len(settings) == len(set(settings.values())) == 20
    assert {s.temperature for s in settings.values()} == {0, 0.7, 1.0, 1.3}
    assert {s.min_p for s in settings.values()} == {0, 0.1}


def test_the_grid_in_fast_compares_by_processor_time(
    model: Path,
    prompt: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = {"greedy": SamplingConfig(temperature=0), "defaults": SamplingConfig()}
    monkeypatch.setattr(settings_grid, "fast_settings", lambda seed, scale: few)
    out = tmp_path / "report.json"
    asked = ["--fast", "--model", str(model), "--prompt-file", str(prompt), "--json", str(out)]
    assert main(["grid", *asked, "--length", "40", "--tokens", "4", "--turns", "1", "--worst", "1"]) == 0
    report: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert report["machine"]["dtype"] == "int8"
    assert {row["setting"] for row in report["settings"]} == set(few)
    ratios = [row["ratio"] for row in report["settings"]]
    assert ratios == sorted(ratios) == [row[TOKENSWIFT] / row[PLAIN_PADDED] for row in report["settings"]]
    assert report["num_below_goal"] == sum(ratio < report["goal"] for ratio in ratios)
    assert f"{min(ratios):.2f}x" in capsys.readouterr().out.splitlines()[-1]


def test_penalties_of_the_grid_in_fast_follow_the_model() -> None:
    settings = settings_grid.fast_settings(1, SamplingScale(2 * REFERENCE.seen_logit, REFERENCE.temperature))
    assert len(settings) == len(set(settings.values())) == 21
    assert {each.repetition_penalty for each in settings.values()} == {1, 1.0909, 1.1667}
    assert {each.temperature for each in settings.values()} == {0, 0.4, 0.7, 1.0, 1.3}


def test_plain_decoding_is_compared_with_the_library(model: Path, tmp_path: Path) -> None:
    report = measured(
        *("compare", model, tmp_path), *("--prompt-tokens", "40", "--tokens", "6", "--turns", "1")
    )
    (comparison,) = report["comparisons"]
    assert comparison["new_tokens"] == 6
    assert comparison["ratio"] == pytest.approx(
        comparison["quire_tokens_per_s"] / comparison["generate_tokens_per_s"]
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["speed", "--tokens", "0"], "--tokens"),
        (["speed", "--lengths", "0"], "--lengths"),
        (["speed", "--min-p", "2"], "min_p"),
        (["dice", "--tree", "1,x"], "tree"),
        (["grid", "--prompt-file", "nowhere.txt"], "nowhere.txt"),
        (["compare", "--json", "nowhere/at/all.json"], "nowhere"),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_a_sentence(
    model: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--model", str(model), "--threads", "1"]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.sliced("rehearsals")
def test_load_times_the_first_load_and_later_ones_stage_by_stage(model: Path, tmp_path: Path) -> None:
    report = measured("load", model, tmp_path, "--again", "1")
    first, again = report["loads"]
    assert "self-test" in first["stages"]
    assert "self-test" not in again["stages"]
    assert "reading the weights" in again["stages"]
    assert min(first["peak_bytes"], again["peak_bytes"]) > report["bytes"] > 0


def test_a_generated_model_is_one_that_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_time, "_LAYER", {name: size // 8 for name, size in load_time._LAYER.items()})
    monkeypatch.setattr(load_time, "_VOCABULARY", 8192)
    folder = load_time.write_random_model(tmp_path / "random", 0.0)
    assert load_model(ModelConfig(str(folder), "bfloat16", threads=1)).description.reproducible

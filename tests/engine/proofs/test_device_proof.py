"""The law in one command: every drafter is proved against one plain run, and what differs is told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.engine import LoadedModel
from quire_engine.forward import backend_choice
from quire_engine.gpu.cuda_graphs import CallAgain
from tests.engine.models.static_forms import Tape, fast_path
from tests.proofs.engine import device_proof
from tests.proofs.engine.device_proof import ROWS, main
from tests.proofs.engine.equality import Plain, write_plainly
from tests.proofs.engine.tiny_models import write_tiny_model

COUNT = 20


@pytest.fixture(scope="module")
def model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with random drafters."""
    return write_tiny_model("llama", tmp_path_factory.mktemp("law") / "llama")


def proved(model: Path, out: Path, *more: str) -> tuple[int, list[dict[str, Any]]]:
    """Prove with a tiny model; return the exit status and the findings."""
    common = ["--model", str(model), "--device", "cpu", "--threads", "1", "--tokens", str(COUNT)]
    status = main([*common, "--json", str(out), *more])
    findings: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))["findings"]
    return status, findings


def test_every_drafter_keeps_the_law_in_both_formats(model: Path, tmp_path: Path) -> None:
    status, findings = proved(model, tmp_path / "law.json")
    assert status == 0
    assert [(one["dtype"], one["row"]) for one in findings] == [
        (dtype, row) for dtype in ("float32", "bfloat16") for row in ROWS
    ]
    assert all(one["difference"] == one["missing"] == "" for one in findings)
    assert all(one["num_tokens"] > COUNT for one in findings if one["row"] != device_proof.PLAIN_RESUMED)
    assert all(one["num_caches"] == 2 for one in findings if one["row"] != device_proof.PLAIN_RESUMED)


def test_another_text_is_reported_and_decides_the_status(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def by_other_dice(
        loaded: LoadedModel, prompt_ids: Sequence[int], sampling: SamplingConfig, count: int
    ) -> Plain:
        return write_plainly(loaded, prompt_ids, replace(sampling, seed=99), count)

    monkeypatch.setattr(device_proof, "write_plainly", by_other_dice)
    status, findings = proved(model, tmp_path / "law.json", "--dtypes", "float32", "--rows", "ngrams", "all")
    assert status == 1
    assert all("drafts changed token" in one["difference"] for one in findings)
    said = capsys.readouterr().out
    assert said.count("DIFFERS") == 2
    assert "0 of 2 hold" in said


def test_what_there_was_no_time_for_is_not_called_proved(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--dtypes", "float32", "--rows", "ngrams", "all", "--minutes", "0"]
    status, findings = proved(model, tmp_path / "law.json", *asked)
    assert status == 1
    assert [bool(one["missing"]) for one in findings] == [False, True]
    assert "1 of 2 hold" in capsys.readouterr().out


def test_drafters_that_a_model_lacks_are_missing(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for file in ("config.json", "model.safetensors", "tokenizer.json"):
        (bare / file).write_bytes((model / file).read_bytes())
    status, findings = proved(bare, tmp_path / "law.json", "--dtypes", "float32", "--rows", "heads")
    assert status == 1
    assert "no heads" in findings[0]["missing"]
    assert "not proved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tokens", "1"], "--tokens"),
        (["--json", "nowhere/at/all.json"], "nowhere"),
        (["--model", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_proved_is_said_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert said in capsys.readouterr().err


def test_each_way_to_run_passes_is_proved_by_itself(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    backends = (fast_path(Tape, "recorded"), fast_path(CallAgain, "step by step"))
    monkeypatch.setattr(backend_choice, "gpu_backends", lambda *_: backends)
    texts: dict[str, Any] = {}
    for name in ("graphs", "steps", "portable"):
        out = tmp_path / f"{name}.json"
        asked = ["--backend", name, "--dtypes", "bfloat16", "--rows", "plain, resumed", "auto"]
        status, findings = proved(model, out, *asked)
        assert (status, len(findings)) == (0, 2)
        (machine,) = json.loads(out.read_text(encoding="utf-8"))["machines"]
        texts[machine["passes"]] = machine["texts"]["defaults"]
    assert list(texts) == ["recorded", "step by step", "portable"]
    assert texts["recorded"] == texts["step by step"]
    assert backend_choice.gpu_backends(torch.device("cpu"), torch.bfloat16) == backends
    monkeypatch.setattr(backend_choice, "gpu_backends", lambda *_: ())
    assert main(["--model", str(model), "--device", "cpu", "--threads", "1", "--backend", "graphs"]) == 1
    assert "was not loaded for graphs" in capsys.readouterr().err


def test_integer_passes_are_proved_as_well(model: Path, tmp_path: Path) -> None:
    status, findings = proved(model, tmp_path / "law.json", "--dtypes", "int8", "--rows", "ngrams")
    assert status == 0
    assert findings[0]["dtype"] == "int8"

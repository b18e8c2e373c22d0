"""`roofline` measures a tiny model from end to end; times are not judged here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from quire_engine.cache.kv_store import KVStore
from quire_engine.catalog.computer_memory import ComputerMemory
from quire_engine.forward import backend_choice
from tests.benchmarks.engine import pass_times as timed
from tests.benchmarks.engine import roofline, roofline_estimate
from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.model_shapes import SHAPES
from tests.benchmarks.engine.random_models import RandomNumbers, fill_store, random_model
from tests.engine.models.static_forms import Tape, fast_path

TINY = ["--shape", "tiny", "--device", "cpu", "--threads", "1", "--dtype", "float32", "--rounds", "3"]


@pytest.fixture(autouse=True)
def small_buffer(one_thread: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read little: how fast this machine is does not matter here."""
    monkeypatch.setattr(roofline, "buffer_bytes", lambda device, num_free: 1 << 20)


def measured(tmp_path: Path, *more: str) -> dict[str, Any]:
    out = tmp_path / "report.json"
    assert main(["roofline", *TINY, "--json", str(out), *more]) == 0
    report: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert report["suite"] == "roofline"
    return report


def test_every_kind_of_pass_is_timed_at_every_length(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--lengths", "100", "300", "--rows", "1", "8", "16", "--partial-budget", "128", "--parts"]
    report = measured(tmp_path, *asked)
    (one,) = report["shapes"]
    assert {speed > 0 for speed in report["device_speed"].values()} == {True}
    found = {(t["kind"], t["rows"], t["length"]): t for t in one["timings"]}
    assert len(found) == len(one["timings"])
    for length in (64, 256):  # whole blocks
        assert {(kind, rows) for kind, rows, at in found if at == length} == {
            *((timed.PASS, rows) for rows in (1, 8, 16)),
            *((timed.PLAIN_STEP, rows) for rows in (1, 8)),
            *((timed.VERIFY_STEP, rows) for rows in (8, 16)),
            *((timed.PARTIAL, 1), (timed.HEADS, 3), (timed.ROOT_LEVEL, 1), (timed.LEVEL, 4)),
            *([(timed.SELECTION, 1)] if length > 128 else []),
        }
    work = SHAPES["tiny"].pass_work(8, 256, 4)
    assert found[timed.PASS, 8, 256]["work"] == {"num_bytes": work.num_bytes, "flops": work.flops}
    assert found[timed.PASS, 8, 256]["calls"] > 20
    parts = found[timed.PASS, 8, 256]["parts"]
    assert any("linear" in part["name"] or "mm" in part["name"] for part in parts)
    assert 0.3 < sum(part["share"] for part in parts) <= 1
    assert found[timed.PASS, 16, 256]["parts"] == []  # no plain step has so many rows here
    assert all(t["best_ms"] <= t["ms"] and t["ratio"] > 0 for t in one["timings"])
    assert [(s["cache"], s["length"], s["reason"]) for s in one["generate"]] == [
        (cache, length, "") for length in (64, 256) for cache in ("dynamic", "static")
    ]
    assert [p["method"] for p in one["projected_minutes_per_100k"]] == ["plain"]
    said = capsys.readouterr().out
    assert "goal 1.25x" in said
    assert "projected" in said
    assert "on paper" not in said


def test_fewer_layers_are_extrapolated_and_called_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    acceptance = tmp_path / "speed.json"
    figures = {"drafted_depth": 20, "steps": 10}
    method = {"name": "TokenSwift", "tokens_per_pass": 2.0, "figures": figures}
    lengths = [{"context": 64, "methods": [method]}]
    acceptance.write_text(json.dumps({"machine": {"width": 8}, "lengths": lengths}), encoding="utf-8")
    asked = [
        "--lengths",
        "64",
        "128",
        "--rows",
        "8",
        "--layers",
        "1",
        "--no-generate",
        "--clock",
        "processor",
    ]
    report = measured(tmp_path, *asked, "--acceptance", str(acceptance))
    (one,) = report["shapes"]
    assert (one["layers"], one["shape"]["num_layers"], one["generate"]) == (1, 2, [])
    measured_ms = {(t["kind"], t["rows"], t["length"]): t["ms"] for t in one["timings"]}
    for whole in one["extrapolated"]:
        ms = measured_ms[whole["kind"], whole["rows"], whole["length"]]
        assert ms <= whole["ms"] <= 2 * ms
    assert [p["method"] for p in one["projected_minutes_per_100k"]] == ["plain", "TokenSwift"]
    said = capsys.readouterr().out
    assert "extrapolated from 1 to 2 layers, not measured" in said
    assert "acceptance measured on another model behind 64 to 64 tokens" in said


@pytest.mark.parametrize(("number", "name"), [(0, "graphs"), (1, "portable")])
def test_passes_run_by_the_backend_that_a_load_would_choose(
    number: int, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tapes: list[Tape] = []

    def new_tape() -> Tape:
        tapes.append(Tape())
        return tapes[-1]

    monkeypatch.setattr(backend_choice, "gpu_backends", lambda *_: (fast_path(new_tape, "graphs"),))
    asked = ["--lengths", "64", "128", "--rows", "8", "--no-generate", "--backend", str(number)]
    (one,) = measured(tmp_path, *asked)["shapes"]
    assert one["backend"] == name
    assert (sum(tape.num_made for tape in tapes) > 0) == (name == "graphs")
    assert {t["kind"] for t in one["timings"]} >= {timed.PASS, timed.PLAIN_STEP, timed.VERIFY_STEP}


def test_what_the_library_cannot_do_is_an_error_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuses(*_: object) -> list[float]:
        raise RuntimeError("no compiler\nwas found")

    monkeypatch.setattr("tests.benchmarks.engine.generate_step_times._marks", refuses)
    report = measured(tmp_path, "--lengths", "64", "--rows", "8")
    assert all("no compiler was found" in one["reason"] for one in report["shapes"][0]["generate"])
    assert report["shapes"][0]["projected_minutes_per_100k"] == []  # one length tells nothing of a long text
    said = capsys.readouterr().out
    assert "not measured" in said
    assert "not projected" in said


def test_on_paper_needs_no_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(roofline, "measure_device", None)
    out = tmp_path / "report.json"
    asked = ["--shape", "llama-3.1-8b", "qwen2.5-7b", "--on-paper", "4800", "--device", "cuda"]
    assert main(["roofline", *asked, "--json", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 8
    assert all(line.startswith(roofline_estimate.ON_PAPER) for line in lines)
    assert json.loads(out.read_text(encoding="utf-8"))["named"] == roofline_estimate.ON_PAPER


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rounds", "2"], "--rounds"),
        (["--rows", "65"], "--rows"),
        (["--lengths", "0"], "--lengths"),
        (["--layers", "-1"], "--layers"),
        (["--backend", "-1"], "--backend"),
        (["--on-paper", "0"], "--on-paper"),
        (["--model", "somewhere"], "--model"),
        (["--acceptance", "nowhere.json"], "nowhere.json"),
        (["--clock", "processor", "--threads", "2"], "--threads 1"),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["roofline", *TINY, *arguments]) == 1
    assert said in capsys.readouterr().err
    torch.set_num_threads(1)


def test_a_model_that_does_not_fit_is_rejected_before_it_is_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(roofline, "read_memory", lambda: ComputerMemory(free=1 << 20))
    monkeypatch.setattr(roofline, "random_model", None)
    assert main(["roofline", *TINY]) == 1
    assert "Ask for fewer --layers" in capsys.readouterr().err


def test_a_random_model_has_the_weights_of_its_shape() -> None:
    shape = SHAPES["small"]
    device, dtype = torch.device("cpu"), torch.bfloat16
    numbers = RandomNumbers(1, device, dtype)
    model = random_model(shape, 2, numbers, device, dtype)
    weights = dict(model.named_parameters())
    left_out = (shape.num_layers - 2) * (shape.layer_matrices + shape.layer_vectors)
    assert sum(weight.numel() for weight in weights.values()) == shape.num_parameters - left_out
    assert all(weight.dtype == dtype and weight.isfinite().all() for weight in weights.values())
    assert weights["model.norm.weight"].eq(1).all()
    assert weights["model.layers.1.mlp.up_proj.weight"].float().std() == pytest.approx(0.02, rel=0.02)


def test_a_filled_store_holds_what_was_asked_for() -> None:
    shape, numbers = SHAPES["tiny"], RandomNumbers(1, torch.device("cpu"), torch.float32)
    store = KVStore(2, 64)
    fill_store(store, shape, 2, 5000, numbers, 128)
    assert store.length == 5000
    assert store.capacity == 5128
    assert store.bytes_per_position == shape.cache_bytes(4)
    assert all((tensor[:, :5000].abs().sum((0, 2)) > 0).all() for tensor in store.tensors())
    fill_store(store, shape, 2, 6000, numbers, 128)
    assert store.length == 6000

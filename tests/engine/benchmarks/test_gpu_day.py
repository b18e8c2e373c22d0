"""The day with a GPU, tried on a processor: every slice runs at a tiny size, and no figure is judged."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import sys
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from quire_engine.cli.commands import command_parser
from tests.benchmarks.gpu_day import __main__ as command
from tests.benchmarks.gpu_day import day as days
from tests.benchmarks.gpu_day import figures, other_engine, parcels
from tests.benchmarks.gpu_day.place import Day
from tests.benchmarks.gpu_day.slices import MINUTES, SHAPES, Slice, plan
from tests.benchmarks.gpu_day.survival import main as survive

is_long = pytest.mark.skipif(
    not os.environ.get("QUIRE_LONG_TESTS"), reason="takes minutes: set QUIRE_LONG_TESTS=1 for it"
)


@pytest.fixture(autouse=True)
def _thread_count() -> Iterator[None]:
    """Benchmarks choose their own."""
    count = torch.get_num_threads()
    yield
    torch.set_num_threads(count)


def tried(tmp_path: Path, *only: str) -> dict[str, Any]:
    """Run slices as a trial run does; return what is kept of each."""
    asked = ["--work", str(tmp_path / "work"), "--out", str(tmp_path / "out"), "--minutes", "100"]
    assert command.main(["run", "--dry-run", *asked, "--only", *only]) == 0
    kept: dict[str, Any] = json.loads((tmp_path / "out" / days.RESULTS).read_text(encoding="utf-8"))["slices"]
    assert {kept[name]["state"] for name in kept} == {days.DONE}
    return kept


def values(kept: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["value"] for one in kept["figures"]}


# ---------------------------------------------------------------- the trial run
@pytest.mark.sliced("rehearsals")
@pytest.mark.parametrize(
    "ways",
    [("graphs-bfloat16", "steps-bfloat16"), ("portable-bfloat16",), ("portable-float32",), ("integers",)],
    ids=" ".join,
)
def test_the_law_is_tried_by_every_way_to_run_passes(tmp_path: Path, ways: tuple[str, ...]) -> None:
    kept = tried(tmp_path, "import", *(f"law-smollm2-{way}" for way in ways))
    texts = {one["value"] for way in ways for one in kept[f"law-smollm2-{way}"]["figures"][2:3]}
    assert len(texts) == 1
    for way in ways:
        verdicts = [
            one["holds"] for one in kept[f"law-smollm2-{way}"]["figures"] if one["goal"] == "all hold"
        ]
        assert verdicts == [True]
    shown = (tmp_path / "out" / days.TABLE).read_text(encoding="utf-8")
    assert f"| law-smollm2-{ways[0]} | done" in shown
    assert "| window-draft | not tried |" in shown


@pytest.mark.sliced("rehearsals")
@pytest.mark.slow
def test_growth_pauses_and_memory_that_runs_out_are_tried(tmp_path: Path) -> None:
    kept = tried(tmp_path, "import", "survival-built-in")
    found = kept["survival-built-in"]["figures"]
    assert [one["holds"] for one in found] == [True] * 4
    assert "MemoryError" in found[2]["value"]


@is_long
@pytest.mark.slow
def test_speed_and_training_are_tried(tmp_path: Path) -> None:
    adapter = ("loss-base", "adapter", "loss-adapter", "import-adapter")
    medium = ("medium", "background-medium", "drafters-medium", "speed-medium")
    speed = ("import", "speed-built-in", "roofline-tiny-graphs", "other-engine-tiny")
    kept = tried(tmp_path, *speed, "books", "text", *adapter, *medium)
    assert "tokens/s" in values(kept["speed-built-in"])["TokenSwift at 24 (heads, feature)"]
    plain = [one for one in kept["roofline-tiny-graphs"]["figures"] if one["goal"].endswith("the roofline")]
    assert plain
    assert "(recorded)" in plain[0]["name"]
    assert "nats per token" in values(kept["loss-adapter"])["held-out loss"]
    trained = tmp_path / "work" / "trained"
    made = {file.name for file in (trained / "medium").iterdir()}
    assert {"config.json", "ngrams.npz", "drafters.safetensors"} <= made
    assert (trained / "smollm2-135m-instruct.safetensors").is_file()


@is_long
@pytest.mark.slow
def test_tests_and_window_are_tried_in_processes_of_their_own(tmp_path: Path) -> None:
    kept = tried(tmp_path, "tests", "window-memory")
    said = values(kept["window-memory"])
    assert "another program took 0.03 GB" in said["what it said"]
    assert (tmp_path / "work" / "slices" / "window-memory" / "window.png").stat().st_size > 0
    if not torch.cuda.is_available():
        assert kept["tests"]["figures"][0]["holds"] is False  # what is skipped is not passed


# ---------------------------------------------------------------- the plan
@pytest.mark.parametrize("is_small", [False, True])
def test_every_command_of_the_day_is_understood(is_small: bool, tmp_path: Path) -> None:
    slices = plan(Day(tmp_path, "cuda", tmp_path / "model.gguf", tmp_path / "corpus", is_small))
    assert len({one.name for one in slices}) == len(slices)
    assert [one.point for one in slices] == sorted(one.point for one in slices)
    assert max(one.minutes for one in slices) < 10
    for one in slices:
        arguments = ["1.5" if each == MINUTES else each for each in one.arguments]
        if one.module == "pytest":
            assert "tests/engine/models/test_on_gpu.py" in arguments
        elif one.module == "quire_engine":
            command_parser(preparing=True).parse_args(arguments)
        elif not one.module.endswith("other_engine"):
            module: Any = importlib.import_module(one.module)
            if hasattr(module, "__path__"):
                module = importlib.import_module(f"{one.module}.__main__")
            module._parser().parse_args(arguments)


def test_unknown_slices_and_a_missing_card_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["run", "--work", str(tmp_path), "--out", str(tmp_path)]
    assert command.main([*asked, "--dry-run", "--only", "nothing"]) == 1
    assert "no slice nothing" in capsys.readouterr().err
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert command.main(asked) == 1
    assert "no CUDA device" in capsys.readouterr().err
    assert command.main(["list", "--work", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert all(f"roofline-{shape}-graphs" in said for shape in SHAPES)


# ---------------------------------------------------------------- how slices are run
_MODULE = """
import signal, sys
from pathlib import Path
if sys.argv[1] == "wait":
    signal.signal(signal.SIGINT, lambda *_: sys.exit(130))
    Path(sys.argv[2]).write_text("began")
    signal.pause()
print(sys.argv[1])
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture
def day(tmp_path: Path) -> Day:
    (tmp_path / "gpu_day_sample.py").write_text(_MODULE, encoding="utf-8")
    return Day(tmp_path / "work", "cpu", tmp_path / "none", tmp_path / "none", is_small=True)


def sample(tmp_path: Path, name: str, *arguments: str) -> Slice:
    path = {"PYTHONPATH": str(tmp_path)}
    return Slice(name, 2, name, "gpu_day_sample", arguments, 1, own_process=True, environment=path)


def run(
    day: Day, tmp_path: Path, slices: list[Slice], monkeypatch: pytest.MonkeyPatch, *again: str
) -> list[str]:
    """Run a plan of one's own; return the names with what became of them, as they are said."""
    monkeypatch.setattr(days, "plan", lambda _: slices)
    said: list[str] = []
    days.run(day, days.Way(60, tmp_path / "out", again=frozenset(again)), said.append)
    return [" ".join(line.split()[:2]) for line in said]


def test_what_is_done_stays_done_and_what_lacks_something_waits(
    day: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = tmp_path / "needed"
    slices = [
        sample(tmp_path, "good", "0"),
        sample(tmp_path, "bad", "3"),
        replace(sample(tmp_path, "later", "0"), needs=(needed,)),
    ]
    assert run(day, tmp_path, slices, monkeypatch) == ["good: done", "bad: failed", "later: waiting"]
    kept = json.loads((tmp_path / "out" / days.RESULTS).read_text(encoding="utf-8"))["slices"]
    assert (kept["bad"]["exit"], kept["bad"]["said"]) == (3, "3")
    assert str(needed) in kept["later"]["said"]
    needed.touch()
    assert run(day, tmp_path, slices, monkeypatch) == ["bad: failed", "later: done"]
    assert run(day, tmp_path, slices, monkeypatch, "good") == ["good: done", "bad: failed"]
    ledger = days.Ledger(day, tmp_path / "out")
    assert (ledger.slices["bad"]["tries"], ledger.slices["later"]["tries"]) == (3, 1)


def test_what_takes_too_long_is_stopped_and_goes_on_if_it_can(
    day: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = tmp_path / "began"
    endless = replace(sample(tmp_path, "endless", "wait", str(began)), minutes=0.02)
    states = run(day, tmp_path, [endless, replace(endless, name="training", goes_on=True)], monkeypatch)
    assert states == ["endless: failed", "training: unfinished"]


def test_results_of_another_machine_are_taken_over(tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    told = {"state": days.DONE, "seconds": 1.0, "figures": []}
    known.write_text(json.dumps({"machine": {"card": "other"}, "slices": {"books": told}}), encoding="utf-8")
    asked = ["run", "--dry-run", "--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")]
    assert command.main([*asked, "--known", str(known), "--only", "books"]) == 0
    assert not (tmp_path / "work" / "books").exists()
    assert command.main([*asked, "--only", "books", "--again", "books"]) == 0
    assert (tmp_path / "work" / "books" / "MANIFEST.tsv").is_file()


# ---------------------------------------------------------------- parcels
def test_parcels_come_in_any_order_and_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(torch.randint(256, (50_000,), dtype=torch.uint8).numpy().tobytes())
    asked = [
        "pack",
        "model",
        "--thing",
        str(model),
        "--packages",
        "qasync",
        "--to",
        str(tmp_path / "carried"),
    ]
    assert command.main([*asked, "--part-size", "0.02"]) == 0
    *parts, listed = sorted(
        (tmp_path / "carried").iterdir(), key=lambda file: file.name.endswith(parcels.LIST)
    )
    assert len(parts) >= 3
    assert max(part.stat().st_size for part in parts) <= 20_000
    first, store = tmp_path / "first", tmp_path / "store"
    first.mkdir()
    for file in (listed, parts[-1]):
        (first / file.name).write_bytes(file.read_bytes())
    (first / parts[0].name).write_bytes(b"damaged")
    assert parcels.collect(first, store) == [f"model: 1 of {len(parts)} parts are there and whole"]
    assert not (store / "model.gguf").exists()
    capsys.readouterr()
    assert command.main(["collect", "--from", str(tmp_path / "carried"), "--store", str(store)]) == 0
    assert capsys.readouterr().out == "model: is unpacked now\n"
    assert (store / "model.gguf").read_bytes() == model.read_bytes()
    assert (store / parcels.SITE / "qasync" / "__init__.py").is_file()
    assert not list((store / "parcels").glob("*.part-*"))
    assert command.main(["pack", "other", "--packages", "no-such-package", "--to", str(tmp_path)]) == 1
    assert "not installed" in capsys.readouterr().err


def test_what_the_window_imports_is_packed() -> None:
    packed = {place for _, place in parcels._files_of(parcels.WINDOW)}
    for package in parcels.WINDOW:
        for file in importlib.metadata.files(package) or []:
            place = file.as_posix()
            is_code = place.endswith(".py") and not place.startswith(
                ("..", "PySide6/", "pyqtgraph/examples/")
            )
            assert place in packed or not is_code, place
    for module in (
        "Core",
        "Gui",
        "Widgets",
        "Svg",
        "PrintSupport",
        "Network",
        "OpenGL",
        "OpenGLWidgets",
        "Test",
    ):
        assert f"PySide6/Qt{module}.abi3.so" in packed
    assert "PySide6/Qt/plugins/platforms/libqoffscreen.so" in packed
    assert not any("Qml" in place or "Quick" in place for place in packed if place.startswith("PySide6/"))


# ---------------------------------------------------------------- figures
def test_goals_stand_beside_the_figures(tmp_path: Path) -> None:
    methods = [{"name": "TokenSwift", "tokens_per_s": 90.0, "over": {"plain": over}} for over in (2.9, 3.1)]
    lengths = [
        {"context": length, "methods": [method]}
        for length, method in zip((1024, 16_384), methods, strict=True)
    ]
    report = {"machine": {"trained_drafters": ["feature"]}, "lengths": lengths}
    (tmp_path / figures.REPORT).write_text(json.dumps(report), encoding="utf-8")
    assert [(one.goal, one.holds) for one in figures.of_speed(tmp_path)] == [("", None), ("3x plain", True)]


def test_another_engine_is_measured_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int, int]] = []

    class LLM:
        def __init__(self, model: str, **_: Any) -> None:
            assert (Path(model) / "config.json").is_file()

        def generate(self, prompts: list[dict[str, list[int]]], rules: int) -> None:
            asked.append((len(prompts[0]["prompt_token_ids"]), rules))

    fake: Any = types.ModuleType("vllm")
    fake.LLM, fake.SamplingParams = LLM, lambda max_tokens, **_: max_tokens
    monkeypatch.setitem(sys.modules, "vllm", fake)
    out = tmp_path / figures.REPORT
    assert other_engine.main(["--shape", "tiny", "--lengths", "32", "--tokens", "8", "--json", str(out)]) == 0
    assert asked == [(32, 1), (32, 8), (32, 1), (32, 8)]
    (one,) = figures.of_other_engine(tmp_path)
    assert one.value.endswith("ms a token")


def test_survival_asks_for_graphs_where_there_are_some(capsys: pytest.CaptureFixture[str]) -> None:
    assert survive(["--device", "cpu", "--dtype", "float32", "--threads", "1", "--tokens", "4"]) == 1
    assert "was not loaded for graphs" in capsys.readouterr().err

"""The paper's experiments run at a tiny size, go on where they stopped, and say what they cannot show."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.runtime.session import DraftingSession
from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.methods import OwnMethod
from tests.benchmarks.engine.paper import (
    experiment,
    experiments,
    model_costs,
    released_rule,
    suite,
    text_quality,
)
from tests.benchmarks.engine.paper.bench import Bench, opening_files
from tests.benchmarks.engine.paper.paper_figures import NOT_AT_HAND, paper_says
from tests.benchmarks.engine.paper.race import Race, alpha, by_phrases, speed_over, spread_of, turns_of
from tests.benchmarks.engine.paper.sizes import SIZES
from tests.benchmarks.engine.paper.systems import (
    ALL,
    FAR,
    LLAMA_CPP,
    LLAMA_CPP_NGRAMS,
    MAGICDEC,
    MANY,
    PAPER,
    PLAIN,
    TRIFORCE,
    WITHOUT_REUSE,
    session_of,
)
from tests.engine.gguf_samples import write_gguf
from tests.engine.tiny import OPENING
from tests.proofs.engine.tiny_models import write_tiny_model


@pytest.fixture(scope="module")
def model(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with random drafters."""
    return write_tiny_model("llama", tmp_path_factory.mktemp("paper") / "llama")


@pytest.fixture
def asked(model: Path, tmp_path: Path) -> list[str]:
    """The options of a trial in a folder of its own."""
    prompt = tmp_path / "prompt.txt"
    prompt.write_text(OPENING, encoding="utf-8")
    common = ["--model", str(model), "--dtype", "float32", "--threads", "1", "--prompt-file", str(prompt)]
    gguf = ["--gguf", str(write_gguf("llama", tmp_path / "tiny.gguf"))]
    return ["paper", *common, *gguf, "--size", "trial", "--work", str(tmp_path / "work")]


def report_of(folder: Path) -> dict[str, Any]:
    """Return the report of a folder of results."""
    report: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return report


def rows_of(report: dict[str, Any], experiment: str) -> list[dict[str, str]]:
    """Return the rows of an experiment's first table."""
    (found,) = [part for part in report["experiments"] if part["experiment"] == experiment]
    rows: list[dict[str, str]] = found["tables"][0]["rows"]
    return rows


@pytest.mark.sliced("rehearsals")
def test_every_experiment_runs_and_has_the_papers_column(asked: list[str], tmp_path: Path) -> None:
    assert main(asked) == 0
    report = report_of(tmp_path / "work")
    assert [part["experiment"] for part in report["experiments"]] == list(suite.KEYS)
    cells = {key: cell for part in report["experiments"] for key, cell in part["cells"].items()}
    assert [cell["problem"] for cell in cells.values() if "problem" in cell] == []
    missing = {name for cell in cells.values() for name in cell.get("missing", ())}
    # llama.cpp comes with a wheel that is there for this comparison alone
    assert missing <= {LLAMA_CPP.name, LLAMA_CPP_NGRAMS.name}
    main_rows = rows_of(report, "3")
    assert {row["system"] for row in main_rows} == {system.name for system in ALL} - {PLAIN.name}
    assert all(row["over plain"].endswith("x") for row in main_rows)
    assert {row["system"] for row in rows_of(report, "ten")} == {system.name for system in MANY[1:]}
    far_rows = rows_of(report, "far")
    assert {row["system"] for row in far_rows} == {system.name for system in (PLAIN, *FAR)}
    assert {row["place"] for row in far_rows} == {f"{at:,}" for at in SIZES["trial"].far}
    compared = [(cell["same"], cell["compared"]) for cell in cells.values() if "compared" in cell]
    assert compared
    assert all(same == count > 0 for same, count in compared)  # from whatever cache they went on
    assert [row["the paper"] for row in rows_of(report, "5")] == [
        "alpha 0.42, 1.47x",
        "alpha 0.21, 1.44x",
        "alpha 0.40, 1.96x",
        NOT_AT_HAND,
    ]
    assert [row["system"] for row in rows_of(report, "7")] == ["[1,3,3,3]", "[3,3,3,3]", "[1,9,9,9]"]
    assert all(row["different tokens"] == "0" for row in rows_of(report, "equality"))
    assert rows_of(report, "odds")[0]["deviation"] == "none"
    assert {row["model"] for row in rows_of(report, "2")} == {shape.name for shape in model_costs.MODELS}
    assert [row["twin of"] for row in rows_of(report, "4")] == [shape.name for shape in model_costs.MODELS]
    assert [row["system"] for row in rows_of(report, "9")] == ["as they come", "pieces of 16", "pieces of 32"]
    texts = {row["text"]: row for row in rows_of(report, "quality")}
    same = {name: figure for name, figure in texts["plain"].items() if name not in ("text", "the paper")}
    assert same.items() <= texts["TokenSwift, Quire's"].items()  # one text, however it was written
    assert text_quality.HUMAN in texts
    markdown = (tmp_path / "work" / "results.md").read_text(encoding="utf-8")
    assert "not at hand" in markdown
    for chart in ("figure-1", "figure-far", "figure-3", "figure-4", "figure-5", "figure-6"):
        ElementTree.fromstring((tmp_path / "work" / f"{chart}.svg").read_text(encoding="utf-8"))


def test_a_run_goes_on_where_it_stopped(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def race(bench: Bench, race: Race) -> dict[str, Any]:
        measured.append(race.setting)
        if len(measured) == 2:
            raise KeyboardInterrupt
        return {"turns": {}, "missing": {}, "distinct": {"average": 0.5}}

    monkeypatch.setattr(experiment, "run_race", race)
    assert main([*asked, "--experiments", "6"]) == 130
    assert main([*asked, "--experiments", "6"]) == 0
    assert len(measured) == len(set(measured)) + 1 == 7  # one was begun twice, six are there
    spent = report_of(tmp_path / "work")["spent"]
    assert main([*asked, "--experiments", "6"]) == 0
    assert len(measured) == 7
    assert report_of(tmp_path / "work")["spent"] == spent  # by all runs together


def test_figures_of_other_conditions_do_not_mix(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*asked, "--experiments", "rule"]) == 0
    assert main([*asked, "--experiments", "rule", "--seed", "2"]) == 1
    assert "other conditions (seed)" in capsys.readouterr().err


def test_a_system_that_a_model_cannot_have_is_named(tmp_path: Path, asked: list[str]) -> None:
    (Path(asked[2]) / "drafters.safetensors").rename(tmp_path / "away")
    try:
        assert main([*asked, "--experiments", "3"]) == 0
    finally:
        (tmp_path / "away").rename(Path(asked[2]) / "drafters.safetensors")
    (part,) = report_of(tmp_path / "work")["experiments"]
    assert any("Medusa" in note and "Prepare the model" in note for note in part["tables"][0]["notes"])
    assert "TokenSwift, the paper's" in {row["system"] for row in part["tables"][0]["rows"]}


def test_passes_hold_whole_trees() -> None:
    assert WITHOUT_REUSE.rows == 41
    assert PAPER.rows == 41 + 3 * 20
    assert MAGICDEC.rows == 5


def test_twins_keep_the_proportions_of_their_models() -> None:
    for shape in model_costs.MODELS:
        twin = model_costs.twin_of(shape, 8)
        assert twin.num_heads / twin.num_kv_heads == shape.num_heads / shape.num_kv_heads
        assert twin.hidden_size == twin.num_heads * twin.head_dim == shape.hidden_size // 8
        assert twin.num_parameters < shape.num_parameters / 60


def test_sums_of_turns_become_rates() -> None:
    turns = [
        {"tokens": 6.0, "processor_s": 2.0, "accepted": 3.0, "drafted": 8.0, "phrases": 1.0, "steps": 2.0},
        {"tokens": 2.0, "processor_s": 2.0, "accepted": 0.0, "drafted": 4.0, "phrases": 0.0, "steps": 2.0},
    ]
    outcome = {"turns": {PAPER.name: turns, PLAIN.name: [{"tokens": 8.0, "processor_s": 8.0}] * 2}}
    assert alpha(turns) == pytest.approx(0.25)
    assert by_phrases(turns) == pytest.approx(1 / 12)
    assert speed_over(outcome, PAPER.name) == pytest.approx(2.0)
    assert speed_over(outcome, PAPER.name, upto=1) == pytest.approx(3.0)
    assert turns_of(outcome, "nobody") == []
    assert spread_of([1.0, 2.0, 3.0]).text(unit="x") == "2.00x ± 1.00"
    assert spread_of([1.0]).text() == "1.00"


def test_the_paper_says_nothing_where_its_figure_is_not_known() -> None:
    assert paper_says("7", "trees", "[1,9,9,9]") == "0.96x"
    assert paper_says("6", "top-p 0.9, no penalty", PAPER.name) == NOT_AT_HAND


def test_the_released_rule_prefers_shared_drafts_and_one_draw_per_node_does_not() -> None:
    tree = DraftTree(7)
    for second in range(20):
        tree.add_path([1, 100 + second])
    odds = [{1: 0.05, 2: 0.95}, {100: 0.5, 99: 0.5}, *[{3: 1.0}] * 20]
    random = np.random.default_rng(1)
    exact = released_rule.exact_rule(tree, odds, 4000, random)
    released = released_rule.released_rule(tree, odds, 4000, random)
    assert released_rule.num_leaves(tree) == 20
    assert exact.moved < 0.02
    # 20 rows draw the first token each: 1 - 0.95 ** 20 of the trials have one that agrees
    assert released.moved == pytest.approx(released_rule.chance_of_a_shared_node(0.05, 20) - 0.05, abs=0.03)
    assert released.accepted > 5 * exact.accepted
    assert released_rule.chance_of_a_shared_node(0.05) == pytest.approx(0.91, abs=0.005)


@pytest.fixture
def bench(asked: list[str], tmp_path: Path) -> Bench:
    """What the cells of a trial measure with."""
    options = argparse.Namespace(
        model=Path(asked[2]),
        drafters_folder=None,
        dtype="float32",
        device="auto",
        threads=1,
        width=0,
        seed=1,
        prompt_file=[Path(asked[8])],
        work=tmp_path,
    )
    return Bench(options, SIZES["trial"])


def test_a_long_text_is_continued_where_its_file_is_too_short(bench: Bench) -> None:
    ids = bench.long_text.ids
    num_known = len(bench.loaded.tokenizer.encode(OPENING).ids)
    bench.size = dataclasses.replace(bench.size, far=(0, num_known))
    bench._long_text = None
    longer = bench.long_text
    assert longer.num_written == bench.size.prefix
    assert len(longer.ids) == num_known + longer.num_written
    assert longer.ids[: len(ids)] == ids


def test_a_cache_that_is_selected_once_is_selected_with_a_query(bench: Bench) -> None:
    made: list[DraftingSession] = []
    targets: list[Any] = []

    def make(loaded: LoadedModel, *args: Any, **options: Any) -> DraftingSession:
        targets.append(loaded.target)
        made.append(session_of(TRIFORCE)(loaded, *args, **options))
        return made[-1]

    sampling = SamplingConfig(seed=1)
    prompt = bench.opening(0, bench.size.prefix)
    method = OwnMethod("", bench.model_of(TRIFORCE), prompt, sampling, TRIFORCE.drafting(48), make)
    assert (method.generated_ids, list(made[0].prompt_ids)) == ((), prompt)
    method.write((), 1)  # a plain pass, for nothing else shows queries
    assert made[0].planned is not None
    assert made[0].planned.tree.tokens == [prompt[-1]]
    assert targets[0].queries


def test_openings_are_files_and_then_what_the_model_makes_of_them(bench: Bench) -> None:
    first, second, third = (bench.opening(number, 60) for number in range(3))
    assert bench.loaded.tokenizer.decode(first) == OPENING[: len(bench.loaded.tokenizer.decode(first))]
    assert len(first) == len(second) == len(third) == 60
    assert second[:30] == first[:30]
    assert len({tuple(first), tuple(second), tuple(third)}) == 3


def test_a_folder_of_texts_is_an_opening_each(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "notes.md"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    named = argparse.Namespace(prompt_file=[tmp_path, tmp_path / "notes.md"])
    assert [path.name for path in opening_files(named)] == ["a.txt", "b.txt", "notes.md"]
    assert opening_files(argparse.Namespace(prompt_file=None)) == []
    with pytest.raises(EnvironmentProblem, match="no text files"):
        opening_files(argparse.Namespace(prompt_file=[tmp_path / "empty"]))


def test_settings_that_are_the_same_are_measured_once() -> None:
    offered = experiments.experiments(SIZES["small"], 1)
    usual = {f"as usual, opening {opening}" for opening in range(SIZES["small"].openings)}
    for key in ("6", "8", "13", "15"):
        assert usual < offered[key].cells.keys()
    assert offered["8"].cells.keys() & offered["13"].cells.keys() == usual

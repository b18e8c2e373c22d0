"""Preparing a model by time: useful early, interrupted without loss, never worse than what was there."""

from __future__ import annotations

import functools
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from quire_engine.__main__ import main
from quire_engine.answers import preparation_drafts
from quire_engine.answers.preparation_drafts import OwnText, pace_with
from quire_engine.api.config import DraftingConfig, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.trained_drafters import UNFINISHED, minutes_begun
from quire_engine.cli import prepare_command
from quire_engine.drafting import drafter_file
from quire_engine.models.loading import inspect_folder
from quire_engine.models.model_folder import ModelFolder
from quire_engine.runtime.loaded_model import LoadedModel, load_model
from quire_engine.runtime.session import DraftingSession
from quire_engine.training.draft_samples import Taught
from quire_engine.training.drafter_trainer import usual_ids
from quire_engine.training.feature_trainer import FeatureTrainer, LearningDiverged
from quire_engine.training.hidden_states import Tokens
from quire_engine.training.timed_plan import TimedAdvance, TimedPlan, round_ends
from quire_engine.training.timed_preparation import TimedPreparation
from tests.engine import tiny

TEXT = np.array(tiny.prompt_ids(2000), dtype=np.int64)
PLAN = TimedPlan(minutes=6, vocabulary=200, window=12)


class Clock:
    """A clock on which every look takes some seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 3
        return self.now


@pytest.fixture(scope="module")
def folder(llama: Path) -> ModelFolder:
    """A tiny Llama."""
    return inspect_folder(llama)


@pytest.fixture(scope="module", autouse=True)
def models_are_dropped() -> Iterator[None]:
    """No model stays in memory once these tests are over."""
    yield
    loaded_from.cache_clear()


@functools.cache
def loaded_from(path: Path) -> LoadedModel:
    """Return the model as drafts use it."""
    return load_model(ModelConfig(str(path), "float32", 8, threads=1))


def preparation(
    folder: ModelFolder,
    out: Path,
    told: Callable[[TimedAdvance], None],
    plan: TimedPlan = PLAN,
    text: Tokens = TEXT,
) -> TimedPreparation:
    """Return one that is about to start."""
    loaded = loaded_from(folder.path)
    taught = Taught(folder, loaded.target, OwnText(loaded, plan.sampling), loaded.suppressed)
    return TimedPreparation(taught, text, out, plan, told, Clock())


@pytest.mark.parametrize(
    ("minutes", "ends"),
    [
        (1, [1]),
        (5, [2, 5]),
        (20, [2, 5, 20]),
        (60, [2, 5, 20, 60]),
        (25, [2, 5, 25]),
        (400, [2, 5, 20, 60, 180, 400]),
    ],
)
def test_something_useful_is_there_after_every_round(minutes: float, ends: list[float]) -> None:
    assert round_ends(minutes) == ends


def test_what_was_learnt_is_there_after_the_first_round_and_better(
    folder: ModelFolder, tmp_path: Path
) -> None:
    told: list[tuple[TimedAdvance, bool]] = []
    file = tmp_path / drafter_file.FILE_NAME
    result = preparation(folder, tmp_path, lambda advance: told.append((advance, file.is_file()))).run()
    assert 1 == result.before < result.after
    assert result.drafters is not None
    assert result.drafters.feature is not None
    assert result.drafters.figures["tokens_per_pass"]["feature"] == pytest.approx(result.after, abs=0.3)
    assert [entry.name for entry in tmp_path.iterdir()] == [drafter_file.FILE_NAME]
    first = next(place for place, (advance, _) in enumerate(told) if advance.stage == "evaluation")
    # measured at the end of the first round, before the second one begins to write
    assert [is_there for advance, is_there in told[first + 2 :] if advance.stage.endswith(" text")]
    assert all(is_there for _, is_there in told[first + 2 :])
    assert told[0][0].stage == "given text"
    assert {"given text", "own text"} < {advance.stage for advance, _ in told}
    seconds = [advance.seconds for advance, _ in told]
    assert seconds == sorted(seconds)


def test_progress_is_told_by_the_token(folder: ModelFolder, tmp_path: Path) -> None:
    told: list[TimedAdvance] = []
    preparation(folder, tmp_path, told.append).run()
    written = [advance.done for advance in told if advance.stage.endswith(" text")]
    assert written[0] > 0
    assert max(np.diff(written[:10])) <= 32


@pytest.mark.parametrize("stop_at", [16, 28, 40])
def test_what_is_stopped_goes_on(folder: ModelFolder, tmp_path: Path, stop_at: int) -> None:
    told: list[TimedAdvance] = []

    def stop(advance: TimedAdvance) -> None:
        told.append(advance)
        if len(told) == stop_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        preparation(folder, tmp_path, stop).run()
    assert minutes_begun(tmp_path) == PLAN.minutes
    later: list[TimedAdvance] = []
    result = preparation(folder, tmp_path, later.append).run()
    assert later[0].seconds > told[-1].seconds
    assert later[-1].seconds < 1.2 * 360
    assert result.before == 1 < result.after


def test_a_stop_while_the_start_is_made_leaves_everything_as_it_was(
    folder: ModelFolder, tmp_path: Path
) -> None:
    told: list[TimedAdvance] = []

    def stop(advance: TimedAdvance) -> None:
        told.append(advance)
        raise KeyboardInterrupt

    # while it reads what starts are compared on, and while the rows of the head are asked for
    with pytest.raises(KeyboardInterrupt):
        preparation(folder, tmp_path, stop).run()
    with pytest.raises(KeyboardInterrupt):
        preparation(folder, tmp_path, stop)._start.trainer(TEXT, None, is_resumed=True)
    assert len(told) == 2
    assert minutes_begun(tmp_path) == PLAN.minutes
    assert not (tmp_path / drafter_file.FILE_NAME).exists()
    result = preparation(folder, tmp_path, lambda _: None).run()
    assert result.before == 1 < result.after


def test_a_drafter_without_a_vocabulary_subset_is_gone_on_with(folder: ModelFolder, tmp_path: Path) -> None:
    whole = TimedPlan(6, vocabulary=0, window=12)
    first = preparation(folder, tmp_path, lambda _: None, whole).run()
    trained = first.drafters
    assert trained is not None
    assert trained.feature is not None
    # as `prepare` without minutes writes it: the target's own head over everything
    feature = replace(trained.feature, vocabulary=None, head=None)
    drafter_file.save(replace(trained, feature=feature), tmp_path)
    work = preparation(folder, tmp_path, lambda _: None, PLAN)
    again = work.run()
    assert again.before == pytest.approx(first.after, abs=0.3)
    assert again.before > 1
    assert again.after >= again.before
    found = drafter_file.find(tmp_path, folder.fingerprint)
    assert found is not None
    assert found.feature is not None
    assert found.feature.vocabulary is None
    assert work._trainer.weights().shape == feature.shape


def test_a_better_drafter_stays(folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = preparation(folder, tmp_path, lambda _: None).run()
    was = (tmp_path / drafter_file.FILE_NAME).read_bytes()

    def forget(trainer: FeatureTrainer, samples: object, factor: float = 1.0, **_: object) -> float:
        trainer.num_steps += 1
        with torch.no_grad():
            for weight in trainer.learner.parameters():
                weight.normal_()
        return 1.0

    monkeypatch.setattr(FeatureTrainer, "step", forget)
    again = preparation(folder, tmp_path, lambda _: None, TimedPlan(2, vocabulary=200, window=12)).run()
    assert (tmp_path / drafter_file.FILE_NAME).read_bytes() == was
    assert again.before == again.after > 1
    assert first.after > 1


def test_what_diverges_is_dropped(
    folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quire_engine.training.feature_trainer._RATE", 1e30)
    with pytest.raises(LearningDiverged, match="not kept"):
        preparation(folder, tmp_path, lambda _: None).run()
    assert list(tmp_path.iterdir()) == []


def test_the_model_is_not_touched(folder: ModelFolder, tmp_path: Path) -> None:
    runner = loaded_from(folder.path).target

    def scores() -> torch.Tensor:
        runner.reset()
        runner.prefill([*map(int, TEXT[:40])])
        return runner.scores(0, 40).clone()

    before = scores()
    preparation(folder, tmp_path, lambda _: None).run()
    assert torch.equal(scores(), before)


def test_a_short_text_is_rejected_before_anything_is_loaded(
    folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loads: list[object] = []
    monkeypatch.setattr(prepare_command, "load_model", loads.append)
    file, out = tmp_path / "ids.npy", tmp_path / "out"
    np.save(file, TEXT[:255])
    words = ["prepare", str(folder.path), "--text", str(file), "--out", str(out), "--minutes", "1"]
    assert main(words) == 1
    assert "at least 256" in capsys.readouterr().err
    assert (loads, out.exists()) == ([], False)
    with pytest.raises(EnvironmentProblem, match="at least 256"):
        preparation(folder, tmp_path, lambda _: None, text=TEXT[:255])


def test_a_short_text_leaves_no_hole_in_the_vocabulary() -> None:
    text = np.array([7, 7, 3], dtype=np.int64)
    assert usual_ids(text, 5, 20, [0, 1]).tolist() == [2, 3, 4, 5, 7]


def killed_at(model: str, name: str) -> None:
    """Prepare, and die just before a file of this name is put in its place."""
    put = os.replace

    def put_or_die(source: Path, place: Path) -> None:
        if Path(place).name == name:
            os.kill(os.getpid(), signal.SIGKILL)
        put(source, place)

    os.replace = put_or_die  # type: ignore[assignment]  # in a process that ends with it
    preparation(inspect_folder(Path(model)), Path(model), lambda _: None).run()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_what_is_killed_goes_on_and_leaves_the_model_as_it_was(llama: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(llama, model)
    before = {file.name: file.read_bytes() for file in model.iterdir()}
    # beside the model, as in the window
    call = f"from {__name__} import killed_at; killed_at({str(model)!r}, {drafter_file.FILE_NAME!r})"
    ended = subprocess.run(
        [sys.executable, "-c", call],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=False,
        timeout=150,
    )
    assert ended.returncode == -signal.SIGKILL
    assert {file.name: file.read_bytes() for file in model.iterdir() if file.name in before} == before
    assert load_model(ModelConfig(str(model), "float32", 8, threads=1)).description.notice == ""
    assert minutes_begun(model) == PLAN.minutes
    result = preparation(inspect_folder(model), model, lambda _: None).run()
    assert result.before == 1 < result.after
    assert not (model / UNFINISHED).exists()
    assert {file.name: file.read_bytes() for file in model.iterdir() if file.name in before} == before


def test_a_short_book_is_continued_once_it_was_read(folder: ModelFolder, tmp_path: Path) -> None:
    told: list[TimedAdvance] = []
    work = preparation(folder, tmp_path, told.append, text=TEXT[:600])
    result = work.run()
    assert work._progress.num_read == 2  # whole pieces of what is not set aside
    assert work._progress.own_seconds > 0.5 * work._progress.reading_seconds
    assert result.after > 1


# ---------------------------------------------------------------- the command
def test_the_command_says_what_it_brought(
    llama: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "ids.npy", tmp_path / "out"
    np.save(file, TEXT)
    monkeypatch.setattr(prepare_command, "_SHORTEST", 0.1)
    words = ["prepare", str(llama), "--text", str(file), "--out", str(out), "--device", "cpu"]
    assert main([*words, "--minutes", "0.02", "--threads", "1"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("given text: 0 tokens, 0% done, about 1 min left\n")
    assert "Expected tokens per pass on text it did not see: 1.00 before" in said
    assert re.search(r"Drafting: [\d.]+ tokens per pass and [\d.]+ tokens/s before, [\d.]+ and", said)
    assert not (out / UNFINISHED).exists()
    assert main([*words, "--minutes", "0"]) == 1


def test_the_comparison_drafts_with_what_is_compared(
    folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = preparation(folder, tmp_path, lambda _: None).run()
    asked: list[DraftingConfig] = []

    class Session(DraftingSession):
        def __init__(self, *args: Any, **options: Any) -> None:
            asked.append(args[4])
            super().__init__(*args, **options)

    monkeypatch.setattr(preparation_drafts, "DraftingSession", Session)
    loaded = load_model(ModelConfig(str(folder.path), "float32", 8, threads=1))
    for trained in (None, result.drafters):
        pace = pace_with(loaded, trained, [*TEXT[:60]], SamplingConfig(seed=2), 0.1)
        assert pace.tokens_per_pass >= 1
        assert pace.tokens_per_s > 0
    assert list(dict.fromkeys((each.method, each.drafters) for each in asked)) == [
        ("tokenswift", ()),
        ("tokenswift", ("feature",)),
    ]


def test_where_there_is_time_the_comparison_drafts_three_times(
    folder: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    class Session(DraftingSession):
        def __init__(self, *args: Any, **options: Any) -> None:
            seeds.append(args[3].seed)
            super().__init__(*args, **options)

    monkeypatch.setattr(preparation_drafts, "DraftingSession", Session)
    monkeypatch.setattr(preparation_drafts, "_MOST_TOKENS", 10)
    loaded = load_model(ModelConfig(str(folder.path), "float32", 8, threads=1))
    pace_with(loaded, None, [*TEXT[:60]], SamplingConfig(seed=5), 1.0, lambda: 0.0)
    assert len(set(seeds)) == 3
    seeds.clear()
    ticking = itertools.count(0.0, 0.05)
    pace_with(loaded, None, [*TEXT[:60]], SamplingConfig(seed=5), 1.0, lambda: next(ticking))
    assert len(seeds) < 3


def test_the_comparison_goes_on_where_a_short_context_is_full(folder: ModelFolder) -> None:
    loaded = load_model(ModelConfig(str(folder.path), "int8", 8, threads=1))
    ids = [int(each) for each in TEXT[: loaded.target.context_length - 12]]
    stopped = iter([0.0] * 64)  # the clock stands still for as long, and is then behind the end
    pace = pace_with(loaded, None, ids, SamplingConfig(seed=2), 1.0, lambda: next(stopped, 2.0))
    assert pace.tokens_per_pass >= 1

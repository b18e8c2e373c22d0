"""Training: a stopped run continues as if it had not stopped."""

from __future__ import annotations

import errno
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.training.training_plan import Phase, TrainingPlan
from tests.engine.training.shapes import SHAPE, corpus, shape
from tests.training.corpus import PieceSampler
from tests.training.language_model import build_model
from tests.training.trainer import Trainer, TrainingProgress

PLAN = TrainingPlan(
    total_tokens=64 * 14,
    phases=(Phase(16, 0.5), Phase(32, 0.3), Phase(64, 0.2)),
    batch_tokens=64,
    warmup_steps=3,
    num_measurements=7,
)


def trainer(work: Path, plan: TrainingPlan = PLAN) -> Trainer:
    work.mkdir(exist_ok=True)
    model = build_model(SHAPE, plan.seed)

    def measure() -> float:
        return float(model.lm_head.weight.detach().square().mean())

    return Trainer(model, PieceSampler(corpus(), plan.seed), plan, work, measure=measure)


def weights(run: Trainer) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in run.model.state_dict().items()}


def ignore(progress: TrainingProgress, loss: float) -> None:
    """Take no notice of a step."""


def log(work: Path, name: str = "loss.csv") -> list[list[str]]:
    return [line.split(",") for line in (work / name).read_text(encoding="utf-8").splitlines()]


# ---------------------------------------------------------------- stop and continue
@pytest.mark.parametrize("stops", [[1], [5, 11], [1, 2, 3, 10, 12]], ids=str)
def test_a_stopped_training_ends_with_the_weights_of_an_uninterrupted_one(
    tmp_path: Path, stops: list[int]
) -> None:
    whole = trainer(tmp_path / "whole")
    losses: list[float] = []
    assert whole.run(seconds=1e9, on_step=lambda progress, loss: losses.append(loss))
    assert whole.progress.step == len(losses) == 14
    parted = trainer(tmp_path / "parted")
    assert not parted.restore()
    for stop in stops:
        while parted.progress.step < stop:
            assert not parted.run(seconds=-1, on_step=ignore)  # one step, then time is up
        parted = trainer(tmp_path / "parted")
        assert parted.restore()
        assert parted.progress.step == stop
    assert parted.run(seconds=1e9, on_step=ignore)
    got, wanted = weights(parted), weights(whole)
    for name in wanted:
        torch.testing.assert_close(got[name], wanted[name], rtol=1e-5, atol=1e-7)
    assert replace(parted.progress, seconds=0) == replace(whole.progress, seconds=0)
    assert log(tmp_path / "parted", "held_out.csv") == log(tmp_path / "whole", "held_out.csv")


def test_a_shrunken_plan_ends_where_it_now_ends(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    while run.progress.step < 6:
        run.run(seconds=-1, on_step=ignore)
    assert run.progress.batches == {16: 6}
    shorter = trainer(tmp_path, replace(PLAN, total_tokens=64 * 10))
    assert shorter.restore()
    assert shorter.run(seconds=1e9, on_step=ignore)
    assert shorter.progress.step == 10
    assert shorter.progress.batches == {16: 6, 32: 2, 64: 2}


def test_every_phase_reads_pieces_of_its_length(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(seconds=1e9, on_step=ignore)
    assert run.progress.batches == {16: 7, 32: 5, 64: 2}


def test_a_piece_longer_than_a_batch_is_a_batch_of_its_own(tmp_path: Path) -> None:
    run = trainer(tmp_path, replace(PLAN, phases=(Phase(128, 1.0),)))
    run.run(seconds=-1, on_step=ignore)
    assert run.progress.tokens_done == 128


def test_training_learns(tmp_path: Path) -> None:
    losses: list[float] = []
    plan = TrainingPlan(64 * 60, (Phase(16, 0.7), Phase(32, 0.3)), batch_tokens=64, warmup_steps=5)
    trainer(tmp_path, plan).run(seconds=1e9, on_step=lambda progress, loss: losses.append(loss))
    assert losses[0] == pytest.approx(np.log(64), abs=0.3)
    assert np.mean(losses[-5:]) < losses[0] - 0.7


def test_a_training_that_is_done_does_nothing_more(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(seconds=1e9, on_step=ignore)
    before = weights(run)
    assert run.run(seconds=1e9, on_step=ignore)
    assert run.progress.step == 14
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights(run).items())


# ---------------------------------------------------------------- files
def test_a_checkpoint_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    run = trainer(tmp_path)
    run.run(seconds=-1, on_step=ignore)
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        run.run(seconds=-1, on_step=ignore)
    assert not list(tmp_path.glob(".quire-*"))
    again = trainer(tmp_path)
    assert again.restore()
    assert again.progress.step == 1


def test_a_checkpoint_of_another_model_is_rejected(tmp_path: Path) -> None:
    trainer(tmp_path).run(seconds=-1, on_step=ignore)
    other = Trainer(build_model(shape(hidden_size=64), 1), PieceSampler(corpus(), 1), PLAN, tmp_path)
    with pytest.raises(EnvironmentProblem, match="another model"):
        other.restore()


def test_every_step_is_logged_once_even_when_it_was_taken_twice(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    while run.progress.step < 4:
        run.run(seconds=-1, on_step=ignore)
    with (tmp_path / "loss.csv").open("a", encoding="utf-8") as rows:
        rows.write("5,320,9.9,1.2345\n6,38")  # steps after the last checkpoint, then the power went
    again = trainer(tmp_path)
    assert again.restore()
    again.run(seconds=1e9, on_step=ignore)
    rows_read = log(tmp_path)
    assert [int(row[0]) for row in rows_read] == list(range(1, 15))
    assert [int(row[1]) for row in rows_read] == [64 * step for step in range(1, 15)]
    assert all(len(row) == 4 and math.isfinite(float(row[3])) for row in rows_read)


def test_the_held_out_loss_is_logged_on_the_way(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(seconds=1e9, on_step=ignore)
    rows = log(tmp_path, "held_out.csv")
    assert [int(row[0]) for row in rows] == [2, 4, 6, 8, 10, 12, 14]
    wanted = float(run.model.lm_head.weight.detach().square().mean())
    assert float(rows[-1][-1]) == pytest.approx(wanted, abs=1e-4)


def test_a_loss_that_is_no_number_ends_the_training_and_keeps_the_checkpoint(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(seconds=-1, on_step=ignore)
    with torch.no_grad():
        run.model.lm_head.weight.fill_(math.nan)
    with pytest.raises(EnvironmentProblem, match="step 2"):
        run.run(seconds=-1, on_step=ignore)
    again = trainer(tmp_path)
    assert again.restore()
    assert bool(again.model.lm_head.weight.isfinite().all())

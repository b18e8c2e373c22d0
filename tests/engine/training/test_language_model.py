"""Training: a stopped run goes on as if it had not stopped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from tokenizers import Tokenizer
from torch import Tensor

from quire_engine.models.loading import build_model as load_weights
from quire_engine.models.loading import inspect_folder
from quire_engine.training.corpus import PieceSampler
from quire_engine.training.language_model import (
    PRESETS,
    Preset,
    Progress,
    Trainer,
    TrainingPlan,
    build_model,
    chunk_loss,
    decode_words,
    held_out_loss,
    save_model,
    sum_loss,
    write_report,
)
from quire_engine.training.tokenizer import save_tokenizer
from tests.engine.tiny import OPENING

SHAPE = Preset(64, 32, 48, 2, 2, 1, 10_000.0, 256)
PLAN = TrainingPlan(
    total_tokens=64 * 14, batch_tokens=64, short_length=16, long_length=32, warmup_steps=3, seed=1
)


def corpus() -> npt.NDArray[np.uint16]:
    """Return tokens with a pattern to learn: a walk in which most steps are the same."""
    dice = np.random.default_rng(3)
    steps = np.where(dice.random(3000) < 0.9, 7, dice.integers(0, 64, 3000))
    return (np.cumsum(steps) % 64).astype(np.uint16)


def trainer(out: Path, plan: TrainingPlan = PLAN) -> Trainer:
    out.mkdir(exist_ok=True)
    return Trainer(
        build_model(SHAPE, plan.seed), PieceSampler(corpus(), plan.seed), plan, out, compiled=False
    )


def weights(run: Trainer) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in run.model.state_dict().items()}


def ignore(progress: Progress, loss: float) -> None:
    """Take no notice of a step."""


# ---------------------------------------------------------------- stop and go on
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
    ended, meant = parted.progress, whole.progress
    assert (ended.step, ended.tokens_done) == (meant.step, meant.tokens_done)
    assert (ended.short_batches, ended.long_batches) == (meant.short_batches, meant.long_batches)


def test_training_learns(tmp_path: Path) -> None:
    losses: list[float] = []
    plan = TrainingPlan(64 * 60, batch_tokens=64, short_length=16, long_length=32, warmup_steps=5)
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


def test_a_checkpoint_is_replaced_as_a_whole(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(seconds=-1, on_step=ignore)
    (tmp_path / "checkpoint.new").write_bytes(b"half of a checkpoint, written before the power went")
    again = trainer(tmp_path)
    assert again.restore()
    assert again.progress.step == 1
    again.run(seconds=-1, on_step=ignore)
    assert not (tmp_path / "checkpoint.new").exists()


def test_every_step_is_logged(tmp_path: Path) -> None:
    trainer(tmp_path).run(seconds=1e9, on_step=ignore)
    rows = [line.split(",") for line in (tmp_path / "loss.csv").read_text(encoding="utf-8").splitlines()]
    assert [int(row[0]) for row in rows] == list(range(1, 15))
    assert [int(row[1]) for row in rows] == [64 * step for step in range(1, 15)]


# ---------------------------------------------------------------- the plan
def test_pieces_grow_long_when_the_decay_begins(tmp_path: Path) -> None:
    run = trainer(tmp_path)
    run.run(seconds=1e9, on_step=ignore)
    assert (run.progress.short_batches, run.progress.long_batches) == (11, 3)
    assert PLAN.length_at(0) == PLAN.length_at(64 * 10) == 16
    assert PLAN.length_at(64 * 11) == PLAN.length_at(64 * 14) == 32


def test_the_rate_warms_up_stays_and_falls_to_a_tenth() -> None:
    plan = TrainingPlan(total_tokens=100_000, warmup_steps=4)
    factors = [plan.rate_factor(step, 1000 * step) for step in range(101)]
    assert factors[:4] == [0.25, 0.5, 0.75, 1.0]
    assert set(factors[4:76]) == {1.0}
    decay = factors[76:]
    assert decay == sorted(decay, reverse=True)
    assert factors[88] == pytest.approx(0.1 + 0.9 * 0.48)
    assert factors[100] == pytest.approx(0.1)


# ---------------------------------------------------------------- losses and files
@pytest.mark.parametrize("rows", [1, 1024, 1025, 2100])
def test_the_loss_in_chunks_is_the_loss_of_the_whole(rows: int) -> None:
    generator = torch.Generator().manual_seed(1)
    hidden, weight = torch.randn(rows, 8, generator=generator), torch.randn(20, 8, generator=generator)
    targets = torch.randint(0, 20, (rows,), generator=generator)
    wanted = -(hidden @ weight.t()).log_softmax(-1)[torch.arange(rows), targets].sum()
    torch.testing.assert_close(sum_loss(hidden, weight, targets, chunk_loss), wanted)


def test_a_held_out_loss_is_the_mean_over_pieces_of_the_book() -> None:
    model = build_model(SHAPE, 1)
    tokens = corpus()[:65]
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        piece = torch.from_numpy(tokens.astype(np.int64))
        logits = [model(piece[None, start : start + 32]).logits[0].float() for start in (0, 32)]
    scores = torch.cat(logits).log_softmax(-1)
    wanted = -scores[torch.arange(64), piece[1:]].mean()
    assert held_out_loss(model, tokens, 32, 16) == pytest.approx(float(wanted), rel=0.01)
    assert model.training  # goes on with training


def test_a_saved_model_is_one_that_quire_loads(tmp_path: Path, tokenizer: Tokenizer) -> None:
    model = build_model(Preset(320, 32, 48, 2, 2, 1, 10_000.0, 256), 5)
    save_model(model, tmp_path)
    save_tokenizer(tokenizer, tmp_path)
    stored = load_weights(inspect_folder(tmp_path), torch.float32).state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.equal(stored[name], tensor.to(torch.bfloat16).float()), name
        assert tensor.dtype == torch.float32  # the model that trains stays as exact as it was


def test_presets_are_models_that_quire_drives() -> None:
    for preset in PRESETS.values():
        config = build_model(preset, 1).config
        assert config.model_type == "llama"
        assert config.vocab_size == preset.vocab_size
        assert config.max_position_embeddings % 64 == 0


def test_the_first_weights_depend_on_the_seed_alone() -> None:
    first, again, other = (build_model(SHAPE, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["model.embed_tokens.weight"], other["model.embed_tokens.weight"])


def test_the_report_says_how_the_model_was_made(tmp_path: Path) -> None:
    write_report(tmp_path / "training.json", PLAN, Progress(step=3), {"A Book": 3.5})
    report = json.loads((tmp_path / "training.json").read_text(encoding="utf-8"))
    assert report["plan"]["total_tokens"] == PLAN.total_tokens
    assert report["progress"]["step"] == 3
    assert report["held_out_loss"] == {"A Book": 3.5}


def test_words_are_counted_in_tokens(tokenizer: Tokenizer) -> None:
    assert decode_words(tokenizer, tokenizer.encode(OPENING).ids) == len(OPENING.split())

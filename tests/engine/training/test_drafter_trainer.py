"""Training of drafters: losses are what they say, learning lowers them, a stopped run continues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.sampling import warp
from quire_engine.training.drafter_evaluation import DepthCounts, evaluate, expected_tokens
from quire_engine.training.drafter_trainer import DrafterPlan, DrafterTrainer, Stage, frequent_ids
from quire_engine.training.hidden_states import FrozenTarget, Pieces
from quire_engine.training.prepare_model import shape_of
from quire_engine.training.soft_targets import hard_loss, penalty_factors, seen_before, soft_loss, warped
from quire_engine.training.trainable_drafters import FeatureLearner, HeadsLearner
from tests.engine import tiny

PLAN = DrafterPlan(
    heads_steps=12,
    feature_steps=16,
    batch=2,
    length=32,
    window=12,
    vocabulary=0,
    feature_rate=2e-2,
    warmup_steps=3,
)
SAMPLING = SamplingConfig(min_p=0.1, repetition_penalty=1.2)


@pytest.fixture(scope="module")
def target() -> FrozenTarget:
    """A tiny Llama as drafters are trained on it."""
    return FrozenTarget(tiny.build("llama"))


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    """Pieces of a text with much repetition, so that something can be learned from it in a moment."""
    return Pieces([(np.array(tiny.prompt_ids(60) * 6), 1.0)], PLAN.length, seed=1)


def trainer(target: FrozenTarget, pieces: Pieces, folder: Path, plan: DrafterPlan = PLAN) -> DrafterTrainer:
    """Return a fresh trainer that keeps its checkpoint in a folder."""
    folder.mkdir(exist_ok=True)
    shape = shape_of(target.model.config, plan.window)
    return DrafterTrainer(target, pieces, shape, None, plan, SAMPLING, folder / "checkpoint.pt")


class Losses:
    """Records the steps of a run; stops it after some, as a writer might."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.of: dict[Stage, list[float]] = {"heads": [], "feature": []}
        self._left = stop_after

    def __call__(self, stage: Stage, done: int, total: int, loss: float) -> None:
        assert done == len(self.of[stage]) + 1 or self._left is None
        self.of[stage].append(loss)
        if self._left is not None:
            self._left -= 1
            if self._left == 0:
                raise KeyboardInterrupt


def states_of(run: DrafterTrainer) -> list[torch.Tensor]:
    """Return every weight of both learners."""
    return [*run.heads.state_dict().values(), *run.feature.state_dict().values()]


# ---------------------------------------------------------------- losses
def test_the_warp_is_the_verifiers() -> None:
    random = torch.Generator().manual_seed(2)
    ids = torch.randint(0, 50, (1, 20), generator=random)
    scores = torch.randn(20, 50, generator=random) * 3
    seen = seen_before(ids, torch.arange(50), 50)[0]
    ours = warped(scores, penalty_factors(seen, 1.2), SAMPLING)
    for place in range(20):
        window = np.unique(ids[0, : place + 1].numpy())
        kept_tokens, wanted = warp(scores[place].numpy(), window, SAMPLING)
        assert torch.nonzero(ours[place] > -torch.inf).view(-1).tolist() == kept_tokens.tolist()
        torch.testing.assert_close(ours[place, kept_tokens], torch.from_numpy(wanted))


def test_losses_and_their_gradients_are_cross_entropy() -> None:
    random = torch.Generator().manual_seed(3)
    head = torch.randn(30, 8, generator=random)
    factors = penalty_factors(torch.rand(5, 30, generator=random) < 0.3, 1.2)
    goal = torch.randn(5, 30, generator=random).softmax(-1)
    tokens = torch.randint(0, 30, (5,), generator=random)
    ours, plain = (torch.randn(5, 8, generator=random.manual_seed(4)).requires_grad_() for _ in range(2))
    for number in range(2):
        raw = plain @ head.t()
        if number == 0:
            loss = soft_loss(ours, head, factors, goal)
            scores = raw * torch.where(raw > 0, factors[0], factors[1])
            wanted = -(goal * scores.log_softmax(-1)).sum()
        else:
            loss = hard_loss(ours, head, tokens)
            wanted = torch.nn.functional.cross_entropy(raw, tokens, reduction="sum")
        torch.testing.assert_close(loss, wanted)
        (gradient,) = torch.autograd.grad(loss * 2, ours)
        (of_plain,) = torch.autograd.grad(wanted * 2, plain)
        torch.testing.assert_close(gradient, of_plain)


def test_frequent_ids_are_counted_and_never_barred_ones() -> None:
    text = np.array([7, 7, 7, 5, 5, 9, 2, 2, 2, 2])
    assert frequent_ids([text], 2, 10, [2]).tolist() == [5, 7]
    assert frequent_ids([text], 0, 10, []).tolist() == [2, 5, 7, 9]


# ---------------------------------------------------------------- runs
def test_learning_lowers_both_losses(target: FrozenTarget, pieces: Pieces, tmp_path: Path) -> None:
    losses = Losses()
    trainer(target, pieces, tmp_path, replace(PLAN, feature_steps=30)).run(losses)
    for stage in ("heads", "feature"):
        of_stage = losses.of[stage]
        assert np.mean(of_stage[-4:]) < np.mean(of_stage[:4]) - 0.2, stage


@pytest.mark.parametrize("stop_after", [5, 12, 20])
def test_a_stopped_run_continues_as_if_it_had_not_stopped(
    target: FrozenTarget, pieces: Pieces, tmp_path: Path, stop_after: int
) -> None:
    whole = trainer(target, pieces, tmp_path / "a")
    whole.run(Losses())
    with pytest.raises(KeyboardInterrupt):
        trainer(target, pieces, tmp_path / "b").run(Losses(stop_after))
    resumed = trainer(target, pieces, tmp_path / "b")
    assert resumed.restore()
    later = Losses()
    resumed.run(later)
    assert len(later.of["heads"]) + len(later.of["feature"]) == 28 - stop_after
    for ours, wanted in zip(states_of(resumed), states_of(whole), strict=True):
        torch.testing.assert_close(ours, wanted)


def test_a_checkpoint_of_another_plan_is_not_used(
    target: FrozenTarget, pieces: Pieces, tmp_path: Path
) -> None:
    assert not trainer(target, pieces, tmp_path).restore()
    with pytest.raises(KeyboardInterrupt):
        trainer(target, pieces, tmp_path).run(Losses(2))
    assert not trainer(target, pieces, tmp_path, replace(PLAN, feature_steps=17)).restore()
    assert trainer(target, pieces, tmp_path).restore()


# ---------------------------------------------------------------- evaluation
def test_a_draft_that_is_right_counts_as_right() -> None:
    random = torch.Generator().manual_seed(5)
    draft, noise = (torch.randn(40, 9, generator=random) for _ in range(2))
    tally = DepthCounts()
    tally.add(draft, noise, (draft + noise).argmax(-1))
    figures = tally.figures()
    assert figures["same_noise"] == [1.0, 1.0, 1.0]
    assert figures["plain"][0] < 1
    assert tally.sharpness == 3.0
    assert expected_tokens([tally, tally]) == 3.0


def test_a_draft_that_knows_nothing_is_trusted_least() -> None:
    random = torch.Generator().manual_seed(6)
    tally = DepthCounts()
    drawn = torch.randint(0, 9, (200,), generator=random)
    drawn[:50] = -1  # tokens that the drafter has no column for
    tally.add(torch.randn(200, 9, generator=random) * 5, torch.zeros(200, 9), drawn)
    assert tally.figures()["same_noise"][0] < 0.25
    assert tally.sharpness == 0.3


def test_evaluation_looks_at_every_head_and_depth(target: FrozenTarget, pieces: Pieces) -> None:
    feature = FeatureLearner(shape_of(target.model.config, 12))
    tallies = evaluate(
        target,
        HeadsLearner(2, 64, 1.0),
        feature,
        torch.arange(10, 300),
        pieces,
        SAMPLING,
        num_pieces=3,
        depths=4,
    )
    assert [tally.places for tally in tallies["heads"]] == [3 * 31, 3 * 30]
    assert [tally.places for tally in tallies["feature"]] == [3 * 31, 3 * 30, 3 * 29, 3 * 28]

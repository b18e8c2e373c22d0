"""The schedule: what is read in which order, how fast it is learned."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.training.drafter_trainer import DrafterPlan
from quire_engine.training.prepare_model import shape_of
from quire_engine.training.training_plan import PRESETS, Phase, TrainingPlan
from quire_resources import BUILT_IN_MODEL
from tests.engine.tiny import few
from tests.training import background_distillation
from tests.training.language_model import build_model

PHASES = (Phase(512, 0.6), Phase(2048, 0.3), Phase(8192, 0.1))


def test_pieces_grow_from_phase_to_phase() -> None:
    plan = TrainingPlan(100_000, PHASES)
    lengths = [plan.length_at(done) for done in (0, 59_999, 60_000, 89_999, 90_000, 99_999, 120_000)]
    assert lengths == [512, 512, 2048, 2048, 8192, 8192, 8192]


@few
@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=5), st.integers(1, 10**9))
def test_every_phase_gets_its_share(shares: list[float], total: int) -> None:
    phases = tuple(Phase(2**place, share / sum(shares)) for place, share in enumerate(shares))
    plan = TrainingPlan(total, phases)
    done = 0.0
    for phase in phases:
        middle = done + phase.share * total / 2
        assert plan.length_at(int(middle)) <= phase.length
        assert plan.length_at(-int(-middle // 1)) >= phase.length or middle < 1
        done += phase.share * total


def test_a_plan_cut_short_continues_to_its_last_phase() -> None:
    assert TrainingPlan(100_000, PHASES).length_at(47_000) == 512
    assert TrainingPlan(50_000, PHASES).length_at(47_000) == 8192


def test_the_rate_warms_up_stays_and_falls() -> None:
    plan = TrainingPlan(100_000, PHASES, warmup_steps=4, decay_fraction=0.25, final_factor=0.1)
    factors = [plan.rate_factor(step, 1000 * step) for step in range(101)]
    assert factors[:4] == [0.25, 0.5, 0.75, 1.0]
    assert factors[4:76] == pytest.approx([1.0] * 72)
    decay = factors[76:]
    assert decay == sorted(decay, reverse=True)
    assert factors[88] == pytest.approx(0.1 + 0.9 * 0.48)
    assert factors[100] == pytest.approx(0.1)
    assert plan.rate_factor(200, 200_000) == pytest.approx(0.1)


def test_the_held_out_loss_is_taken_at_equal_distances() -> None:
    plan = TrainingPlan(100_000, PHASES, num_measurements=4)
    due = [plan.measurements_at(done) for done in range(0, 100_001, 5_000)]
    assert [done * 5_000 for done in range(1, 21) if due[done] > due[done - 1]] == [
        25_000,
        50_000,
        75_000,
        100_000,
    ]


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_fit_together(name: str) -> None:
    preset = PRESETS[name]
    assert sum(phase.share for phase in preset.phases) == pytest.approx(1)
    lengths = [phase.length for phase in preset.phases]
    assert lengths == sorted(lengths)
    assert lengths[-1] <= preset.max_positions
    assert preset.hidden_size % preset.num_heads == 0
    assert preset.num_heads % preset.num_kv_heads == 0
    config = build_model(preset, 1).config
    assert config.model_type == "llama"
    assert config.max_position_embeddings % 64 == 0


def test_the_long_phases_of_a_shipped_model_lie_in_the_decay() -> None:
    for name in ("small", "medium"):
        preset = PRESETS[name]
        plan = TrainingPlan(preset.total_tokens, preset.phases)
        assert [phase.length for phase in preset.phases][-3:] == [2048, 8192, 16_384]
        long_share = sum(phase.share for phase in preset.phases if phase.length > 2048)
        assert long_share <= plan.decay_fraction
        assert preset.max_positions >= 131_072


def test_the_medium_model_leaves_room_for_its_drafters() -> None:
    """36 MB hold weights, drafters, n-grams and tokenizer, all as the commands make them."""
    model = build_model(PRESETS["medium"], 1)
    assert model.num_parameters() > 13_000_000
    drafters = DrafterPlan()
    shape = shape_of(model.config, drafters.window)
    learned = sum(math.prod(size) for size in shape.tensor_shapes().values())
    learned += drafters.num_heads * shape.width**2 + model.config.vocab_size // 4 * shape.width
    tokenizer = (BUILT_IN_MODEL / "tokenizer.json").stat().st_size
    assert 2 * (model.num_parameters() + learned) + background_distillation.MAX_BYTES + tokenizer < 36e6

"""Experts: the library's sum, and the same bits for a row whichever experts the other rows choose."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from transformers.models.mixtral.configuration_mixtral import MixtralConfig
from transformers.models.mixtral.modeling_mixtral import MixtralExperts

from quire_engine.models.attention import DecodePass, PrefillPass, running
from quire_engine.models.mixture_of_experts import quire_experts
from tests.engine.models.test_attention import chain_pass

ROWS, TOP, NUM_EXPERTS = 8, 2, 6


def make_experts(dtype: torch.dtype) -> MixtralExperts:
    config = MixtralConfig(hidden_size=32, intermediate_size=48, num_local_experts=NUM_EXPERTS)
    config._experts_implementation = "eager"
    experts = MixtralExperts(config)
    generator = torch.Generator().manual_seed(2)
    for weight in experts.parameters():
        weight.data = torch.randn(weight.shape, generator=generator).mul(0.2)
    return experts.to(dtype).requires_grad_(False)


def routed(seed: int, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Return rows, the experts that they chose and how much each counts."""
    generator = torch.Generator().manual_seed(seed)
    states = torch.randn(ROWS, 32, generator=generator).to(dtype)
    scores = torch.rand(ROWS, NUM_EXPERTS, generator=generator)
    weights, chosen = scores.topk(TOP)
    return states, chosen, weights / weights.sum(-1, keepdim=True)


@pytest.mark.parametrize("in_prompt", [True, False], ids=["prompt", "decode"])
def test_the_sum_is_the_librarys(in_prompt: bool) -> None:
    experts, pass_ = make_experts(torch.float32), chain_pass(10, ROWS)
    states, chosen, weights = routed(1, torch.float32)
    with running(PrefillPass(pass_.store) if in_prompt else pass_):
        ours = quire_experts(experts, states, chosen, weights)
    torch.testing.assert_close(ours, experts(states, chosen, weights))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_a_row_has_the_same_bits_whatever_the_others_choose(dtype: torch.dtype) -> None:
    experts = make_experts(dtype)
    states, chosen, weights = routed(1, dtype)
    with running(chain_pass(10, ROWS)):
        wanted = quire_experts(experts, states, chosen, weights)
    for seed in (2, 3, 4):
        other_states, other_chosen, other_weights = routed(seed, dtype)
        for row in range(ROWS):
            place = (row + seed) % ROWS
            other_states[place], other_chosen[place] = states[row], chosen[row]
            other_weights[place] = weights[row]
            with running(chain_pass(10, ROWS)):
                assert torch.equal(
                    quire_experts(experts, other_states, other_chosen, other_weights)[place], wanted[row]
                )


def test_padding_rows_wake_no_expert() -> None:
    """Reading an expert's weights is what takes the time."""
    experts = make_experts(torch.float32)
    states, chosen, weights = routed(1, torch.float32)
    chosen[:] = torch.tensor([0, 1])
    chosen[3:] = torch.tensor([4, 5])
    pass_ = chain_pass(10, 3)
    assert isinstance(pass_, DecodePass)
    with running(pass_):
        before = quire_experts(experts, states, chosen, weights)
        experts.get_parameter("gate_up_proj")[4:] = torch.nan
        after = quire_experts(experts, states, chosen, weights)
    assert torch.equal(before, after)
    assert bool(before[:3].abs().sum() > 0)

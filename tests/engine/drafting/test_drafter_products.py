"""Products of drafters in whole numbers: near the real ones, and each row by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.drafter import MAX_DRAFT_TOKENS, DraftTokens, Observed
from quire_engine.drafting.drafter_products import linear_beside
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.integer.integer_linear import IntegerLinear
from quire_engine.integer.integer_weights import integer_weights
from quire_engine.models.network import PackedLinear
from quire_engine.models.target_model import NetworkEnds
from tests.engine.drafting.neural import WIDTH, Recorder, random_feature, random_hidden, request
from tests.engine.tiny import build, prompt_ids


def _numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(len(shape) + shape[-1]))


@pytest.mark.parametrize("rows", [1, 3, 8, 70])
@pytest.mark.parametrize("sizes", [(96, 128), (37, 50)], ids=str)
def test_a_product_is_near_the_real_one(rows: int, sizes: tuple[int, int]) -> None:
    weight, x = _numbers(*sizes) * 0.1, _numbers(rows, sizes[1])
    wanted = x @ weight.t()
    error = (IntegerLinear(weight)(x) - wanted).square().mean().sqrt()
    assert float(error / wanted.std()) < 0.02


def test_a_row_does_not_depend_on_those_beside_it() -> None:
    linear, x = IntegerLinear(_numbers(64, 96)), _numbers(9, 96)
    together = linear(x)
    for row in range(len(x)):
        assert torch.equal(linear(x[row : row + 1])[0], together[row])


def _draft(network: NetworkEnds, hidden: Tensor, ids: list[int]) -> list[DraftTokens]:
    """Return what a drafter proposes whose scores are its predicted states themselves."""
    ends = replace(random_feature(), vocabulary=torch.arange(WIDTH), head=torch.eye(WIDTH))
    drafter = FeatureDrafter(network, ends)
    drafter.observe(Observed(ids, hidden))
    drafter.begin(request(ids[-1]))
    tree = DraftTree(ids[-1])
    firsts = drafter.expand(tree, [ROOT])
    nodes = [tree.add_child(ROOT, token) for token in (11, 12)]
    return firsts + drafter.expand(tree, nodes)


def test_beside_a_model_in_whole_numbers_the_feature_drafter_guesses_nearly_the_same() -> None:
    ends = IntegerEnds(integer_weights(build("llama")), 8)
    assert linear_beside(ends, torch.float32, 4) is IntegerLinear
    hidden, ids = random_hidden(20), prompt_ids(20)
    for ours, wanted in zip(_draft(ends, hidden, ids), _draft(Recorder(), hidden, ids), strict=True):
        assert len(set(ours.token_ids) & set(wanted.token_ids)) >= MAX_DRAFT_TOKENS - 2


def test_elsewhere_products_keep_the_format_of_the_model() -> None:
    made = linear_beside(Recorder(), torch.bfloat16, 4)(_numbers(8, 16))
    assert isinstance(made, PackedLinear)
    assert made(_numbers(2, 16).bfloat16()).dtype is torch.bfloat16

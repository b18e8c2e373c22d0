"""Every family in float32, near the library's scores and far from those of a model with a small fault.

Two faults are no larger than what bfloat16 rounds away, so no self-test in that format can see them: an MLP
in one layer that is 5% too strong, and rotary angles that are off by up to 10%. The bound by which families
are compared with the library must be one that both faults break.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network
from tests.engine.model_fixtures import Reference
from tests.engine.models.test_families import read_in_chains
from tests.engine.tiny import FAMILIES, LIBRARY_FAMILIES, prompt_ids

LENGTH, PROMPT = 100, 78
BOUND = 1e-4  # of the spread of the scores, as in test_families
_LAST_OF_MLP = (
    "post_feedforward_layernorm",
    "post_mlp_layernorm",
    "mlp",
    "shared_mlp",
    "block_sparse_moe",
)
"""The last module of a layer's MLP branch: a norm behind the MLP would take its strength out again."""


def stronger_mlp(model: nn.Module) -> None:
    """Multiply what the MLP of the first layer adds by 1.05."""
    named = dict(model.named_modules())
    layer = next(name for name in named if name.endswith("layers.0"))
    last = next(part for each in _LAST_OF_MLP if (part := named.get(f"{layer}.{each}")) is not None)

    def louder(_: nn.Module, __: object, out: Any) -> Any:
        return (out[0] * 1.05, *out[1:]) if isinstance(out, tuple) else out * 1.05

    last.register_forward_hook(louder)


def stronger_weights(model: nn.Module) -> None:
    """Do the same to the weights, where only they are taken over."""
    parts: Any = model
    parts.base_model.layers[0].mlp.down_proj.weight.mul_(1.05)


def warped_rope(model: nn.Module) -> None:
    """Turn every pair by another angle than it should, by up to 10%."""
    found = [buffer for name, buffer in model.named_buffers() if name.endswith("inv_freq")]
    assert found
    for angles in {id(each): each for each in found}.values():
        angles.mul_(torch.linspace(1, 1.1, len(angles)))


def no_fault(model: nn.Module) -> None:
    """Leave the model as it is."""


def distance(
    references: Reference,
    family: str,
    fault: Callable[[nn.Module], None],
    network: Callable[[Any], Network],
) -> float:
    """Return how far a network with a fault is from the library's scores, as a share of their spread."""
    ids = prompt_ids(LENGTH)
    reference: Any = references(family, torch.float32)
    reference.set_attn_implementation("eager")
    with torch.inference_mode():
        wanted: Tensor = reference(input_ids=torch.tensor([ids]), use_cache=False).logits[0, PROMPT:]
    model = copy.deepcopy(reference)
    fault(model)
    ours = read_in_chains(PassRunner(network(model), 8, 512), ids, PROMPT)
    return float((ours - wanted).abs().max() / wanted.std())


@pytest.mark.sliced
@pytest.mark.parametrize("family", [*FAMILIES, *LIBRARY_FAMILIES])
def test_a_small_fault_is_seen_in_float32(references: Reference, family: str) -> None:
    assert distance(references, family, no_fault, LibraryNetwork) < BOUND
    for fault in (stronger_mlp, warped_rope):
        assert distance(references, family, fault, LibraryNetwork) > 10 * BOUND, fault.__name__


@pytest.mark.parametrize("family", FAMILIES)
def test_a_small_fault_is_seen_in_the_fused_form(references: Reference, family: str) -> None:
    def fused(model: Any) -> Network:
        return FusedDecoder(model, 8)

    assert distance(references, family, no_fault, fused) < BOUND
    for fault in (stronger_weights, warped_rope):
        assert distance(references, family, fault, fused) > 10 * BOUND, fault.__name__

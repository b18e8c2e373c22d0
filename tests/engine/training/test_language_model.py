"""The model: made from a seed, measured a chunk at a time, written as Quire reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer
from torch import nn

from quire_engine.models.loading import build_model as load_weights
from quire_engine.models.loading import inspect_folder
from tests.engine.training.shapes import SHAPE, shape
from tests.training.language_model import build_model, chunk_loss, hidden_states, save_model, sum_loss
from tests.training.tokenizer import save_tokenizer


@pytest.mark.parametrize("rows", [1, 1024, 1025, 2100])
def test_the_loss_in_chunks_is_the_loss_of_the_whole_and_so_are_its_gradients(rows: int) -> None:
    generator = torch.Generator().manual_seed(1)
    hidden = torch.randn(rows, 8, generator=generator, requires_grad=True)
    weight = torch.randn(20, 8, generator=generator, requires_grad=True)
    targets = torch.randint(0, 20, (rows,), generator=generator)
    wanted = nn.functional.cross_entropy(hidden @ weight.t(), targets)
    wanted_slopes = torch.autograd.grad(wanted, (hidden, weight))
    got = sum_loss(hidden, weight, targets, chunk_loss) / rows
    torch.testing.assert_close(got, wanted)
    for slope, wanted_slope in zip(torch.autograd.grad(got, (hidden, weight)), wanted_slopes, strict=True):
        torch.testing.assert_close(slope, wanted_slope, rtol=1e-4, atol=1e-6)


def test_gradients_under_autocast_are_those_of_bfloat16_products() -> None:
    generator = torch.Generator().manual_seed(2)
    hidden = torch.randn(64, 32, generator=generator, requires_grad=True)
    weight = torch.randn(50, 32, generator=generator, requires_grad=True)
    targets = torch.randint(0, 50, (64,), generator=generator)
    wanted = torch.autograd.grad(sum_loss(hidden, weight, targets), (hidden, weight))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = sum_loss(hidden, weight, targets)
    for slope, exact in zip(torch.autograd.grad(loss, (hidden, weight)), wanted, strict=True):
        assert slope.dtype == torch.float32
        assert float((slope - exact).norm() / exact.norm()) < 0.02


def test_a_saved_model_is_one_that_quire_loads(tmp_path: Path, tokenizer: Tokenizer) -> None:
    model = build_model(shape(vocab_size=320), 5)
    save_model(model, tmp_path)
    save_tokenizer(tokenizer, tmp_path)
    stored = load_weights(inspect_folder(tmp_path), torch.float32).state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.equal(stored[name], tensor.to(torch.bfloat16).float()), name
        assert tensor.dtype == torch.float32  # the model that trains stays as exact as it was


def test_a_larger_model_is_written_in_shards_under_16_mb(tmp_path: Path) -> None:
    save_model(build_model(shape(vocab_size=8192, hidden_size=512, intermediate_size=2048), 1), tmp_path)
    shards = list(tmp_path.glob("*.safetensors"))
    assert len(shards) > 1
    assert max(shard.stat().st_size for shard in shards) < 16e6


def test_the_first_weights_depend_on_the_seed_alone() -> None:
    first, again, other = (build_model(SHAPE, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["model.embed_tokens.weight"], other["model.embed_tokens.weight"])


def test_attention_is_the_librarys_own() -> None:
    model = build_model(SHAPE, 3)
    ids = torch.randint(0, SHAPE.vocab_size, (2, 70), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        ours = hidden_states(model, ids)
        model.set_attn_implementation("eager")
        torch.testing.assert_close(ours, hidden_states(model, ids), rtol=1e-4, atol=1e-5)


def test_no_mask_is_built_where_the_model_is_compiled() -> None:
    """A mask of 16,384 x 16,384 for every piece would be what a step mostly does."""
    graphs: list[torch.fx.GraphModule] = []

    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Callable[..., Any]:
        del inputs
        graphs.append(graph)
        return graph.forward

    compiled: Any = torch.compile(hidden_states, backend=backend, dynamic=False)
    compiled(build_model(SHAPE, 3), torch.zeros(1, 64, dtype=torch.long))
    attention = torch.nn.functional.scaled_dot_product_attention
    calls = [node for graph in graphs for node in graph.graph.nodes if node.target is attention]
    assert len(calls) == SHAPE.num_layers
    assert all(call.kwargs["is_causal"] and call.kwargs.get("attn_mask") is None for call in calls)

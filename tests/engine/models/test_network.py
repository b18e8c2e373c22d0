"""Both ways to run a model write what the library's own `generate` writes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaForCausalLM

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.network import FusedDecoder, LibraryNetwork, PackedLinear
from tests.engine.conftest import Models, Networks
from tests.engine.drafters import mixed, write
from tests.engine.tiny import FAMILIES, prompt_ids

GREEDY = SamplingConfig(temperature=0, repetition_penalty=1.0)
NUM_TOKENS = 72


def generated(model: Any, prompt: list[int]) -> tuple[int, ...]:
    """Return what the library writes greedily."""
    model.set_attn_implementation("eager")
    ids = torch.tensor([prompt])
    out = model.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        do_sample=False,
        max_new_tokens=NUM_TOKENS,
        eos_token_id=None,
        pad_token_id=0,
    )
    return tuple(out[0, len(prompt) :].tolist())


@pytest.mark.sliced
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["fused", "library"])
def test_greedy_writing_is_what_generate_writes(
    models: Models, networks: Networks, family: str, kind: str
) -> None:
    model, prompt = models(family, torch.float32), prompt_ids(50)
    wanted = generated(model, prompt)
    assert len(set(wanted)) > 10
    network = networks(family, kind=kind)
    model.set_attn_implementation("quire_one_pass")
    runner = PassRunner(network, 8, 512)
    for drafter in (None, mixed(wanted, 1)):
        stream = TokenStream(runner, prompt, (), GREEDY, ())
        write(stream, runner, NUM_TOKENS, drafter)
        assert stream.generated_ids == wanted


def test_both_networks_describe_themselves(networks: Networks) -> None:
    for kind in ("fused", "library"):
        network = networks("llama", kind=kind)
        assert (network.num_layers, network.device) == (2, torch.device("cpu"))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("rows", [1, 8])
def test_a_packed_product_is_the_ordinary_one(dtype: torch.dtype, bias: bool, rows: int) -> None:
    generator = torch.Generator().manual_seed(1)
    weight = torch.randn(96, 64, generator=generator).to(dtype)
    offset = torch.randn(96, generator=generator).to(dtype) if bias else None
    x = torch.randn(rows, 64, generator=generator).to(dtype)
    ours = PackedLinear(weight, offset, 8)(x)
    wanted = torch.nn.functional.linear(
        x.double(), weight.double(), None if offset is None else offset.double()
    )
    tolerance = 1e-5 if dtype == torch.float32 else 2e-2
    assert float((ours.double() - wanted).abs().max()) < tolerance * float(wanted.abs().max())


def test_a_fused_network_rejects_what_it_does_not_know() -> None:
    config = LlamaConfig(
        vocab_size=8, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=1
    )
    config.hidden_act = "gelu"
    with pytest.raises(ValueError, match="gelu"):
        FusedDecoder(LlamaForCausalLM(config), 8)


def test_a_library_network_leaves_weights_alone(models: Models) -> None:
    model = models("llama", torch.float32)
    before = [weight.clone() for weight in model.parameters()]
    runner = PassRunner(LibraryNetwork(model), 8, 512)
    runner.prefill(prompt_ids(20))
    runner.decode([1], [-1])
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))

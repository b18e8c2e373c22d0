"""Families are near the library with the same numbers, and what passes can't run is refused."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.modeling_utils import PreTrainedModel

from quire_engine.catalog.model_families import INTEGER_TYPES
from quire_engine.integer.family_traits import unsupported_reason
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.integer.rope_tables import frequencies
from quire_engine.models.reference_scores import in_digits
from tests.engine.blocks import cut_weights, in_blocks
from tests.engine.tiny import CONTEXT, build, prompt_ids, settings_of

VARIANTS: dict[str, dict[str, Any]] = {
    "gpt_neox in turn": {"use_parallel_residual": False},
    "stablelm parallel": {"use_parallel_residual": True},
    "cohere": {"use_qk_norm": False},
    "starcoder2 gelu": {"hidden_act": "gelu"},
    "qwen3_moe of all": {"norm_topk_prob": False},
    "olmo": {"clip_qkv": None},
    "llama scaled": {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 3.0}},
    "llama tied": {"tie_word_embeddings": True},
    "qwen2 yarn": {
        "rope_parameters": {
            "rope_type": "yarn",
            "rope_theta": 1e4,
            "factor": 4.0,
            "original_max_position_embeddings": 128,
        }
    },
}
"""Families with other settings than elsewhere."""
PLAIN = ("mistral sliding", "qwen2 sliding", *sorted(INTEGER_TYPES - {"olmo", "cohere"}))
_IDS = prompt_ids(260)


def _built(name: str) -> PreTrainedModel:
    return build(name.split()[0] if name in VARIANTS else name, **VARIANTS.get(name, {}))


def _scores(model: PreTrainedModel) -> torch.Tensor:
    model.set_attn_implementation("eager")
    logits: torch.Tensor = model(input_ids=torch.tensor([_IDS])).logits
    # some of these are nearly certain of a token, and float32 rounds away what is left for others
    return logits[0, 250:].double().log_softmax(-1)


def _divergence(wanted: torch.Tensor, found: torch.Tensor) -> float:
    return float((wanted.exp() * (wanted - found)).sum(-1).mean())


@pytest.mark.parametrize("name", [*PLAIN, *VARIANTS])
def test_a_family_is_near_the_library(name: str) -> None:
    model = _built(name)
    assert unsupported_reason(model.config) is None
    runner = IntegerRunner(in_blocks(model), 10, CONTEXT)
    runner.prefill(_IDS[:250])
    found = runner.decode(_IDS[250:], range(-1, 9)).double().log_softmax(-1)
    small: Any = _built(name)  # the library's `to` has no types
    own = _divergence(_scores(model), _scores(small.to(torch.bfloat16)))
    cut_weights(model)
    with in_digits(model):
        wanted = _scores(model)
        hidden = model.base_model(input_ids=torch.tensor([_IDS])).last_hidden_state[0, 250:]
    # the library has the same weights and digits of rows; keys, values and shares in bytes are what is left:
    # up to 5.3 times what rounding to bfloat16 does, and 2.5% of the hidden states (gemma3_text: 3.9%)
    assert 0 <= _divergence(wanted, found) < 6 * own
    most = 0.045 if name == "gemma3_text" else 0.03
    assert (runner.hidden - hidden).square().mean().sqrt() < most * hidden.std()
    # a drafter has the head score hidden states
    again = runner.network.logits(runner.hidden).double().log_softmax(-1)
    assert torch.allclose(again, found, atol=0.02 * float(found.std()))


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        ("glm4_moe", {}),
        ("qwen3_moe", {"decoder_sparse_step": 2}),
        ("qwen2_moe", {"mlp_only_layers": [0]}),
        ("gemma3n_text", {}),
        ("olmo", {}),
        ("phi", {"qk_layernorm": True}),
        ("llama", {"hidden_act": "tanh"}),
        ("cohere", {}),
        ("llama", {"head_dim": 512}),
        ("llama", {"max_position_embeddings": 1 << 21}),
        ("llama", {"rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}}),
    ],
)
def test_what_integer_passes_cannot_run_is_refused(family: str, changes: dict[str, Any]) -> None:
    config = type(build(family).config)(**settings_of(family) | changes)
    assert unsupported_reason(config)


@pytest.mark.parametrize(
    "rope",
    [
        {"rope_type": "linear", "factor": 4.0},
        {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 256,
        },
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128},
        {
            "rope_type": "yarn",
            "factor": 8.0,
            "original_max_position_embeddings": 64,
            "beta_fast": 16.0,
            "beta_slow": 2.0,
            "truncate": False,
        },
    ],
)
def test_angles_are_those_of_the_library(rope: dict[str, Any]) -> None:
    rope = {"rope_theta": 10_000.0, **rope}
    config = build("llama", head_dim=64, rope_parameters=rope).config
    theirs, _ = ROPE_INIT_FUNCTIONS[rope["rope_type"]](config, torch.device("cpu"))
    found = torch.from_numpy(frequencies(config.rope_parameters, 64, CONTEXT))
    assert torch.allclose(found, theirs.double(), rtol=1e-6)

"""Smaller weights: rounded by output, multiplied alike in every row, checked against the rounded model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from quire_engine.api.config import DraftingConfig, Dtype, Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.models import int8_weights
from quire_engine.models.int8_weights import SmallLinear, plainly, rounded, shrink
from quire_engine.models.loading import build_model
from quire_engine.models.loading import inspect_folder as engine_inspects
from quire_engine.runtime.loaded_model import LoadedModel, load_model, own_cache
from tests.engine.desk import Desk
from tests.engine.folders import problem_of
from tests.engine.model_fixtures import Folder, any_folder
from tests.engine.reference_model import reference_logits
from tests.engine.tiny import FAMILIES, LIBRARY_FAMILIES, MIXTURES, OPENING, few, prompt_ids

__all__ = ["any_folder"]  # the fixture of every family
DENSE = tuple(family for family in (*FAMILIES, *LIBRARY_FAMILIES) if family not in MIXTURES)
DTYPES = (torch.float32, torch.bfloat16)


def layer_of(
    outputs: int, inputs: int, dtype: torch.dtype, *, bias: bool = False, seed: int = 1
) -> nn.Linear:
    torch.manual_seed(seed)
    return nn.Linear(inputs, outputs, bias=bias).to(dtype).requires_grad_(False)


# ---------------------------------------------------------------- rounding
@few
@given(st.integers(1, 40), st.integers(1, 70), st.sampled_from(DTYPES), st.integers(0, 99))
def test_no_number_is_rounded_by_more_than_half_a_step(
    outputs: int, inputs: int, dtype: torch.dtype, seed: int
) -> None:
    weight = layer_of(outputs, inputs, dtype, seed=seed).weight
    numbers, scales = rounded(weight)
    assert (numbers.dtype, scales.dtype) == (torch.int8, dtype)
    assert int(numbers.abs().max()) <= 127
    error = (numbers.double() * scales.double()[:, None] - weight.double()).abs()
    # a scale in bfloat16 may be too small by 2^-8, which the largest number of an output then lacks
    allowed = scales.double()[:, None] * (0.5 + 127 * 2**-8)
    assert bool((error <= allowed).all())
    assert bool((numbers.abs().amax(1) >= 126).all())


def test_an_output_of_zeros_stays_one() -> None:
    weight = torch.zeros(3, 5)
    weight[1, 2] = 2.0
    layer = SmallLinear(*rounded(weight), None)
    assert float(weight[1, 2]) == 2.0  # it is read, never written
    assert torch.equal(layer.weight(), weight)
    assert layer(torch.ones(1, 5)).tolist() == [[0.0, 2.0, 0.0]]


@pytest.mark.parametrize("bias", [False, True])
def test_joined_layers_give_what_each_gives(bias: bool) -> None:
    layers = [SmallLinear.of(layer_of(n, 24, torch.bfloat16, bias=bias, seed=n)) for n in (8, 16, 40)]
    x = torch.randn(8, 24).bfloat16()
    assert torch.equal(SmallLinear.joined(layers)(x), torch.cat([layer(x) for layer in layers], dim=-1))
    assert SmallLinear.joined(layers[:1]) is layers[0]
    with pytest.raises(ValueError, match="all joined"):
        SmallLinear.joined([layers[0], SmallLinear.of(layer_of(8, 24, torch.bfloat16, bias=not bias))])


# ---------------------------------------------------------------- products
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("rows", [1, 8, 9, 64])
@pytest.mark.parametrize("outputs", [48, 1100])
@pytest.mark.parametrize("inputs", [24, 96, 128])
def test_a_product_is_that_of_the_rounded_weight(
    dtype: torch.dtype, bias: bool, rows: int, outputs: int, inputs: int
) -> None:
    layer = SmallLinear.of(layer_of(outputs, inputs, dtype, bias=bias))
    x = torch.randn(2, rows, inputs).to(dtype)
    exact = x.double() @ (layer.numbers.double() * layer.scales.double()[:, None]).T
    exact = exact if layer.bias is None else exact + layer.bias.double()
    tolerance = 1e-5 if dtype == torch.float32 else 2e-2
    for plain in (False, True):
        layer.plain = plain
        assert layer(x).shape == (2, rows, outputs)
        assert float((layer(x).double() - exact).abs().max()) < tolerance * float(exact.abs().max())


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("rows", [8, 32])
def test_a_row_does_not_depend_on_the_other_rows(dtype: torch.dtype, rows: int) -> None:
    layer = SmallLinear.of(layer_of(600, 128, dtype))
    x = torch.randn(rows, 128).to(dtype)
    alone = layer(x[:1].expand(rows, -1))
    assert torch.equal(alone, alone[:1].expand_as(alone))
    assert torch.equal(layer(x)[0], alone[0])


# ---------------------------------------------------------------- models
@pytest.mark.sliced
@pytest.mark.parametrize("family", DENSE)
def test_every_linear_layer_is_rounded_and_nothing_else(any_folder: Folder, family: str) -> None:
    full = build_model(engine_inspects(any_folder(family)), torch.float32)
    small = build_model(engine_inspects(any_folder(family)), torch.float32, weights="int8")
    parts: Any = small
    tied = bool(full.config.tie_word_embeddings)
    assert isinstance(parts.get_output_embeddings(), nn.Linear if tied else SmallLinear)
    assert isinstance(parts.get_input_embeddings(), nn.Embedding)
    linear = [module for module in full.modules() if isinstance(module, nn.Linear)]
    layers = [module for module in small.modules() if isinstance(module, SmallLinear)]
    assert len(layers) == len(linear) - tied
    assert not any(isinstance(module, nn.Linear) for module in parts.base_model.modules())
    facts = inspect_folder(any_folder(family))
    assert isinstance(facts, ModelFacts)
    for dtype, wanted in (("float32", small), ("float32", full)):
        weights = "int8" if wanted is small else "full"
        assert facts.weight_bytes(dtype, weights) == int8_weights.num_bytes(wanted)  # type: ignore[arg-type]
    assert sum(p.numel() for p in small.parameters()) == facts.num_parameters


@pytest.mark.parametrize("family", ["llama", "gemma2", "gpt_neox", "phi"])
def test_the_reference_is_the_librarys_model_of_the_rounded_weights(any_folder: Folder, family: str) -> None:
    small = build_model(engine_inspects(any_folder(family)), torch.float32, weights="int8")
    model = build_model(engine_inspects(any_folder(family)), torch.float32)
    rounded_layers = dict(small.named_modules())
    for name, layer in model.named_modules():
        if isinstance(other := rounded_layers[name], SmallLinear):
            assert isinstance(layer, nn.Linear)
            layer.weight.copy_(other.weight())
    with plainly(small):
        got = reference_logits(small, prompt_ids(40))
    assert torch.equal(got, reference_logits(model, prompt_ids(40)))


def loaded_small(folder: Path, dtype: Dtype) -> LoadedModel:
    return load_model(ModelConfig(str(folder), dtype, 8, threads=1, weights="int8"))


@pytest.mark.sliced
@pytest.mark.parametrize("family", DENSE)
def test_the_law_holds_for_smaller_weights(any_folder: Folder, family: str) -> None:
    """Plain, accelerated, paused and resumed: the same text; and the self-test repeats bits."""
    fast = DraftingConfig(method="tokenswift", drafters=("ngrams",))
    dtypes: tuple[Dtype, ...] = ("float32", "bfloat16") if family in FAMILIES else ("bfloat16",)
    for dtype in dtypes:
        loaded = loaded_small(any_folder(family), dtype)
        assert loaded.description.reproducible
        assert loaded.description.identity.dtype == f"{dtype}, int8 weights"
        sampling, goal = SamplingConfig(seed=7), Goal(tokens=40)
        plain = Desk(own_cache(loaded)).run(StartGeneration(1, OPENING, sampling, goal))
        start = StartGeneration(1, OPENING, sampling, goal, drafting=fast)
        desk = Desk(own_cache(loaded))
        first = desk.run(start, 13)
        assert 13 <= len(first) < len(plain)
        again = ResumeGeneration(1, desk.started.prompt_ids, first, sampling, goal, drafting=fast)
        assert first + Desk(own_cache(loaded)).run(again) == plain


def test_smaller_weights_are_smaller_and_write_other_words(llama: Path) -> None:
    full = load_model(ModelConfig(str(llama), "float32", 8, threads=1))
    small = loaded_small(llama, "float32")
    assert small.description.num_parameters == full.description.num_parameters
    assert small.description.weight_bytes < 0.5 * full.description.weight_bytes
    assert small.description.identity.fingerprint == full.description.identity.fingerprint
    start = StartGeneration(1, OPENING, SamplingConfig(seed=7), Goal(tokens=120))
    assert Desk(full).run(start) != Desk(small).run(start)


def test_a_kernel_that_is_wrong_does_not_pass_the_self_test(
    llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = SmallLinear._unpacking
    monkeypatch.setattr(SmallLinear, "_unpacking", lambda self, rows: exact(self, rows) * 1.1)
    assert "doesn't compute" in problem_of(llama, lambda folder: loaded_small(folder, "float32"))


@pytest.mark.parametrize("family", MIXTURES)
def test_a_mixture_of_experts_is_rejected_with_a_message(any_folder: Folder, family: str) -> None:
    sentence = problem_of(any_folder(family), lambda folder: loaded_small(folder, "float32"))
    assert "mixture of experts" in sentence
    facts = inspect_folder(any_folder(family))
    assert isinstance(facts, ModelFacts)
    assert facts.weight_bytes("bfloat16", "int8") == facts.weight_bytes("bfloat16")


def test_rounding_is_the_same_every_time(llama: Path) -> None:
    model = build_model(engine_inspects(llama), torch.float32, weights="int8")
    before = {name: value.clone() for name, value in model.state_dict().items()}
    parts: Any = model
    assert isinstance(parts.lm_head, SmallLinear)
    for layer in parts.model.layers:
        for each in layer.self_attn.children():
            assert not isinstance(each, nn.Linear)
    after = build_model(engine_inspects(llama), torch.float32)
    shrink(after)
    assert all(torch.equal(before[name], value) for name, value in after.state_dict().items())

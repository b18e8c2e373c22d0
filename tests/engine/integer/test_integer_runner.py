"""Integer passes: the law at every width, and how near the model they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.cache import resume_file
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.integer.block_model import BlockModel
from quire_engine.integer.integer_runner import IntegerRunner
from tests.engine.blocks import cut_weights, in_blocks
from tests.engine.decoding.test_token_stream import same_bits
from tests.engine.drafters import mixed, noise, write
from tests.engine.tiny import CONTEXT, build, prompt_ids

FAMILIES = (
    "llama",
    "qwen2",
    "qwen3",
    "mistral sliding",
    "qwen2 sliding",
    "gemma2",
    "olmo3",
    "cohere2",
    "qwen2_moe",
)
"""Plain, with biases, with norms of heads, with a window, with a window in some layers, with caps and norms
of what is added, with norms of all heads together and angles by layer, with parallel MLPs, with experts of
which a row chooses some and shares others."""
WIDTH = 13


@cache
def weights_of(family: str) -> BlockModel:
    return in_blocks(build(family))


def _runner(family: str) -> IntegerRunner:
    return IntegerRunner(weights_of(family), WIDTH, CONTEXT)


def _read(runner: IntegerRunner, ids: list[int], width: int) -> None:
    while runner.length < len(ids):
        part = ids[runner.length : runner.length + width]
        runner.decode(part, range(-1, len(part) - 1))
        runner.commit(range(len(part)))


def _same(left: IntegerRunner, right: IntegerRunner) -> bool:
    return same_bits(left.store.snapshot(), right.store.snapshot())


@pytest.mark.parametrize("family", FAMILIES)
def test_passes_of_any_width_leave_the_same_bits(family: str) -> None:
    ids = prompt_ids(300)
    wanted = _runner(family)
    wanted.prefill(ids)
    for width in (1, 2, 5, 8, 13):
        runner = _runner(family)
        _read(runner, ids, width)
        assert _same(runner, wanted), f"width {width}"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_row_of_a_tree_has_the_bits_of_a_plain_step(family: str) -> None:
    ids = prompt_ids(270)
    tree, plain = _runner(family), _runner(family)
    for runner in (tree, plain):
        runner.prefill(ids[:250])
    # siblings that are wrong stand between the nodes of the path
    tokens = [ids[250], 7, ids[251], 9, ids[252], 11, ids[253]]
    scores = tree.decode(tokens, [-1, 0, 0, 1, 2, 4, 4])
    tree.commit([0, 2, 4, 6])
    _read(plain, ids[:253], 1)
    last = plain.decode([ids[253]], [-1])
    plain.commit([0])
    assert torch.equal(scores[6], last[0])
    assert _same(tree, plain)


@pytest.mark.parametrize("family", FAMILIES)
def test_logits_are_near_those_of_the_library(family: str) -> None:
    ids = prompt_ids(260)
    runner = _runner(family)
    runner.prefill(ids[:250])
    scores = runner.decode(ids[250:], range(-1, 9)).log_softmax(-1)
    model = build(family)
    model.set_attn_implementation("eager")
    wanted = model(input_ids=torch.tensor([ids])).logits[0, 250:].log_softmax(-1)
    divergence = (wanted.exp() * (wanted - scores)).sum(-1).mean()
    assert 0 <= divergence < 0.01


def test_hidden_states_are_those_of_the_library() -> None:
    ids = prompt_ids(40)
    runner = _runner("llama")
    runner.prefill(ids)
    wanted = build("llama").base_model(input_ids=torch.tensor([ids])).last_hidden_state[0]
    assert (runner.hidden - wanted).square().mean().sqrt() < 0.05 * wanted.std()


@pytest.mark.parametrize("family", ["llama", "mistral sliding"])
@pytest.mark.parametrize("drafter", ["mixed", "noise"])
def test_accelerated_text_is_the_plain_text(family: str, drafter: str) -> None:
    sampling = SamplingConfig(seed=5, temperature=0.9)

    def stream(runner: IntegerRunner) -> TokenStream:
        return TokenStream(runner, prompt_ids(100), (), sampling, ())

    plain, fast = _runner(family), _runner(family)
    text = stream(plain)
    write(text, plain, 300)  # past the context window, so that it rolls over
    drafted = stream(fast)
    proposals = mixed(text.generated_ids, 1) if drafter == "mixed" else noise(1)
    steps = write(drafted, fast, 300, proposals)
    assert drafted.generated_ids == text.generated_ids
    assert sum(step.num_drafted for step in steps) > 300
    assert _same(plain, fast)


def test_reading_again_after_a_rewind_changes_nothing() -> None:
    ids = prompt_ids(200)
    runner, wanted = _runner("llama"), _runner("llama")
    wanted.prefill(ids)
    runner.prefill([*ids[:90], *reversed(ids[:100])])
    runner.rewind(90)
    runner.prefill(ids[90:])
    assert _same(runner, wanted)
    with pytest.raises(ValueError, match="length"):
        runner.rewind(201)


def test_a_cache_is_saved_and_copied_in_all_its_bits(tmp_path: Path) -> None:
    ids, key = prompt_ids(200), {"model": "tiny"}
    runner, other = _runner("llama"), _runner("llama")
    runner.prefill(ids)
    resume_file.write(runner.store, 150, key, tmp_path / "cache")
    resume_file.read(other.store, 150, key, tmp_path / "cache")
    part = runner.with_own_cache(150)
    runner.rewind(150)
    assert _same(other, runner)
    assert _same(part, runner)
    for each in (runner, other, part):
        each.prefill(ids[150:])
    assert _same(other, runner)
    assert _same(part, runner)
    held = runner.store.num_bytes
    runner.release()
    assert runner.length == 0
    assert runner.store.num_bytes < held


def test_head_and_embeddings_are_those_of_the_library() -> None:
    """Drafters borrow them, and a text is scored by them."""
    runner, parts = _runner("llama"), build("llama")
    ids = torch.tensor(prompt_ids(40))
    runner.prefill(ids.tolist())
    assert torch.allclose(runner.scores(3, 40), runner.network.logits(runner.hidden[3:]), atol=0.02)
    assert torch.equal(runner.scores(5, 6), runner.scores(3, 40)[2:3])
    cut_weights(parts)
    table: Any = parts.get_input_embeddings()
    assert torch.equal(runner.network.embed(ids), table.weight[ids])
    for few in (slice(3), slice(2, 5)):  # one by one, some of them asked for before
        assert torch.equal(runner.network.embed(ids[few]), runner.network.embed(ids)[few])
    last = runner.scores(39, 40)
    runner.rewind(39)
    assert torch.equal(runner.decode(ids[39:].tolist(), [-1]), last)


def test_weights_that_are_not_finite_are_refused() -> None:
    model: Any = build("llama")
    model.base_model.layers[0].mlp.up_proj.weight[3, 3] = float("nan")
    with pytest.raises(ValueError, match="finite"):
        in_blocks(model)


def test_siblings_in_another_order_have_the_same_bits() -> None:
    ids = prompt_ids(270)
    one, other = _runner("llama"), _runner("llama")
    for runner in (one, other):
        runner.prefill(ids)
    tokens, parents = [5, 6, 7, 8, 9, 10], [-1, 0, 0, 0, 1, 3]
    order = [0, 3, 1, 2, 5, 4]
    scores = one.decode(tokens, parents)
    place = {node: new for new, node in enumerate(order)}
    moved = [place[parents[node]] if node else -1 for node in order]
    assert torch.equal(other.decode([tokens[node] for node in order], moved), scores[order])

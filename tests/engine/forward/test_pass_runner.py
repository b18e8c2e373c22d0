"""Passes: trees and chains score what the library scores, and leave the same cache however they were cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from quire_engine.api.errors import EngineBug
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import BLOCK, quire_attention
from tests.engine.conftest import Models, Networks
from tests.engine.reference_model import reference_logits
from tests.engine.tiny import FAMILIES, prompt_ids

KINDS = ["fused", "library"]
TREE = ([11, 12, 13, 14, 15, 16, 17], [-1, 0, 0, 1, 1, 3, 2])


def paths_of(parents: Sequence[int]) -> list[list[int]]:
    """Return the nodes from the root to each node."""
    paths: list[list[int]] = []
    for node, parent in enumerate(parents):
        paths.append([*(paths[parent] if parent >= 0 else []), node])
    return paths


def read_in(runner: PassRunner, ids: Sequence[int], chunks: Sequence[int]) -> None:
    """Read a prompt in chunks of these sizes."""
    runner.reset()
    done = 0
    for size in chunks:
        runner.prefill(ids[done : done + size])
        done += size
    assert done == len(ids)


def assert_near(ours: Tensor, wanted: Tensor) -> None:
    """Compare logits in float32: the difference is nothing beside their spread."""
    assert ours.dtype == torch.float32
    assert float((ours - wanted).abs().max()) < 1e-4 * float(wanted.std())


# ---------------------------------------------------------------- against the library
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chunks", [[110], [64, 46], [1, 63, 5, 41]], ids=str)
def test_a_tree_after_a_prompt_in_any_chunks_scores_what_the_library_scores(
    models: Models, networks: Networks, family: str, kind: str, chunks: list[int]
) -> None:
    prompt, (tokens, parents) = prompt_ids(sum(chunks)), TREE
    model = models(family, torch.float32)
    wanted = [
        reference_logits(model, [*prompt, *[tokens[node] for node in path]])[-1] for path in paths_of(parents)
    ]
    runner = PassRunner(networks(family, kind=kind), 8, 512)
    model.set_attn_implementation("quire_one_pass")
    read_in(runner, prompt, chunks)
    assert_near(runner.decode(tokens, parents), torch.stack(wanted))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
def test_plain_steps_over_block_boundaries_score_what_the_library_scores(
    models: Models, networks: Networks, family: str, kind: str
) -> None:
    ids = prompt_ids(2 * BLOCK + 10)
    model = models(family, torch.float32)
    wanted = reference_logits(model, ids)
    runner = PassRunner(networks(family, kind=kind), 8, 512)
    model.set_attn_implementation("quire_one_pass")
    runner.prefill(ids[: BLOCK - 3])
    ours = []
    for token in ids[BLOCK - 3 :]:
        ours.append(runner.decode([token], [-1])[0])
        runner.commit([0])
    assert_near(torch.stack(ours), wanted[BLOCK - 3 :])


@pytest.mark.parametrize("family", FAMILIES)
def test_in_bfloat16_a_tree_stays_near_the_library(models: Models, networks: Networks, family: str) -> None:
    prompt, (tokens, parents) = prompt_ids(100), TREE
    model = models(family, torch.bfloat16)
    wanted = torch.stack(
        [reference_logits(model, [*prompt, *[tokens[n] for n in path]])[-1] for path in paths_of(parents)]
    )
    runner = PassRunner(networks(family, torch.bfloat16), 8, 512)
    runner.prefill(prompt)
    ours = runner.decode(tokens, parents)
    assert float((ours - wanted).abs().max()) < 0.12 * float(wanted.std())


# ---------------------------------------------------------------- against themselves, bit for bit
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", [BLOCK - 5, 2 * BLOCK])
def test_a_node_scores_the_same_bits_alone_and_in_a_tree(
    models: Models, networks: Networks, dtype: torch.dtype, family: str, kind: str, start: int
) -> None:
    """The library's products round differently for fewer rows, so that only padding makes them agree."""
    tokens, parents = TREE
    runner = PassRunner(networks(family, dtype, kind=kind), 8, 512)
    models(family, dtype).set_attn_implementation("quire_one_pass")
    runner.prefill(prompt_ids(start))
    in_tree = runner.decode(tokens, parents)
    for path, logits in zip(paths_of(parents), in_tree, strict=True):
        alone = []
        for node in path:
            alone.append(runner.decode([tokens[node]], [-1])[0])
            runner.commit([0])
        assert torch.equal(alone[-1], logits)
        assert runner.length == start + len(path)
        runner.store.truncate(start)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_a_committed_path_leaves_the_cache_of_a_fresh_reading(networks: Networks, dtype: torch.dtype) -> None:
    tokens, parents = TREE
    prompt, path = prompt_ids(BLOCK + 9), [0, 1, 3, 5]
    runner = PassRunner(networks("llama", dtype), 8, 512)
    runner.prefill(prompt)
    runner.decode(tokens, parents)
    runner.commit(path)
    runner.decode([7], [-1])
    runner.commit([0])
    after_tree = runner.store.snapshot()
    runner.reset()
    runner.prefill(prompt)
    runner.decode([*[tokens[node] for node in path], 7], range(-1, 4))
    runner.commit(range(5))
    for a, b in zip(after_tree, runner.store.snapshot(), strict=True):
        assert torch.equal(a, b)


def test_what_a_rejected_node_left_behind_is_never_seen(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512)
    runner.prefill(prompt_ids(70))
    wanted = runner.decode([5], [-1])
    runner.decode([9, 10, 11, 12, 13, 14, 15, 16], range(-1, 7))
    runner.commit([])
    assert torch.equal(runner.decode([5], [-1]), wanted)


def test_a_store_that_must_grow_in_the_middle_of_a_text_changes_no_bit(networks: Networks) -> None:
    """Positions beyond the first 4,096 slots; that the model was made for fewer does not matter here."""
    ids = prompt_ids(512) * 9
    small = PassRunner(networks(), 8, 8192)
    for start in range(0, 4096 - 64, 512):
        small.prefill(ids[start : min(start + 512, 4096 - 64)])
    large = PassRunner(networks(), 8, 8192)
    large.store.reserve(8192)
    for start in range(0, 4096 - 64, 512):
        large.prefill(ids[start : min(start + 512, 4096 - 64)])
    capacity = small.store.capacity
    for token in range(80):
        assert torch.equal(small.decode([token + 1], [-1]), large.decode([token + 1], [-1]))
        small.commit([0])
        large.commit([0])
    assert small.store.capacity > capacity


def test_two_runners_do_not_disturb_each_other(networks: Networks) -> None:
    one, two = PassRunner(networks(), 8, 512), PassRunner(networks("qwen3"), 8, 512)
    one.prefill(prompt_ids(70))
    wanted = one.decode([5], [-1])
    two.prefill(prompt_ids(100))
    two.decode([6], [-1])
    assert torch.equal(one.decode([5], [-1]), wanted)


# ---------------------------------------------------------------- what a pass rejects
def test_a_runner_describes_itself_and_forgets(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512)
    assert (runner.width, runner.context_length, runner.length) == (8, 512, 0)
    runner.prefill(prompt_ids(10))
    assert runner.length == 10
    runner.reset()
    assert runner.length == 0


@pytest.mark.parametrize("num_nodes", [0, 9])
def test_a_pass_takes_one_to_width_nodes(networks: Networks, num_nodes: int) -> None:
    runner = PassRunner(networks(), 8, 512)
    with pytest.raises(ValueError, match=str(num_nodes)):
        runner.decode([1] * num_nodes, range(-1, num_nodes - 1))


def test_a_tree_may_not_cross_a_block_boundary(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512)
    runner.prefill(prompt_ids(BLOCK - 2))
    runner.decode([1, 2, 3], [-1, 0, 0])
    with pytest.raises(ValueError, match="block"):
        runner.decode([1, 2, 3], [-1, 0, 1])


def test_a_context_that_is_no_multiple_of_a_block_is_rejected(networks: Networks) -> None:
    with pytest.raises(ValueError, match="100"):
        PassRunner(networks(), 8, 100)


class Layer(torch.nn.Module):
    """What attention asks of a layer."""

    layer_idx = 0


def attend_alone() -> None:
    """Call the attention function as a model does, outside of a pass."""
    tensor = torch.zeros(1, 2, 1, 4)
    quire_attention(Layer(), tensor, tensor, tensor, None)


def test_attention_outside_of_a_pass_is_a_bug() -> None:
    with pytest.raises(EngineBug):
        attend_alone()


def test_a_failed_pass_leaves_none_in_flight(networks: Networks) -> None:
    runner = PassRunner(networks(), 8, 512)
    with pytest.raises(IndexError):
        runner.decode([10**6], [-1])
    with pytest.raises(EngineBug):
        attend_alone()

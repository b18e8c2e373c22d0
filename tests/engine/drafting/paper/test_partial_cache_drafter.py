"""Drafting with the target over a partial cache: with room for all it is the target, and it never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_heads import AnyHeads, DraftHeads, HeadsWeights
from quire_engine.drafting.draft_sampling import draft_tokens_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.paper.partial_cache_drafter import GAMMA, PartialDrafter
from quire_engine.drafting.published_heads import ChainWeights, MedusaWeights
from quire_engine.forward.pass_runner import PassRunner
from tests.engine.conftest import Networks
from tests.engine.tiny import CONTEXT, VOCAB_SIZE, prompt_ids

WIDTH = 8
LENGTH = 150


def runner_after(networks: Networks, family: str, kind: str, *, decoded: int = 6) -> PassRunner:
    """Return a runner that read a prompt and then some tokens by decode passes; LENGTH positions in all."""
    runner = PassRunner(networks(family, kind=kind), WIDTH, CONTEXT)
    runner.record_queries = True
    runner.prefill(prompt_ids(LENGTH - decoded))
    for token in prompt_ids(LENGTH)[LENGTH - decoded :]:
        runner.decode([token], [-1])
        runner.commit([0])
    return runner


def request(root: int = 5, *, seed: int = 3, max_depth: int = 6) -> DrafterInput:
    penalised = np.unique(np.array([*prompt_ids(LENGTH), root], dtype=np.int64))
    return DrafterInput(root, LENGTH + 1, SamplingConfig(seed=seed), penalised, max_depth)


def chain_of(drafter: PartialDrafter, asked: DrafterInput) -> tuple[list[int], list[DraftTokens]]:
    """Follow the best guess of every depth until there is none."""
    tree, node, answers = DraftTree(asked.root_token), ROOT, []
    drafter.begin(asked)
    while (found := drafter.expand(tree, [node])[0]).token_ids:
        answers.append(found)
        node = tree.add_child(node, found.token_ids[0])
    return tree.tokens[1:], answers


def some_heads(width: int = 64) -> HeadsWeights:
    generator = torch.Generator().manual_seed(1)
    weight = torch.randn(3, width, width, generator=generator) * 0.1
    return HeadsWeights(weight, torch.ones(3, width), torch.rand(3, width, generator=generator) + 0.5)


def test_as_many_tokens_are_proposed_as_a_wide_tree_has_children(networks: Networks) -> None:
    runner = runner_after(networks, "llama", "fused")
    drafter = PartialDrafter(runner, some_heads(), LENGTH)
    few, asked = request(), replace(request(), num_tokens=9, sampling=SamplingConfig(seed=3, min_p=0.0))
    for wanted, most in ((few, 8), (asked, 9)):
        drafter.begin(wanted)
        assert len(drafter.expand(DraftTree(wanted.root_token), [ROOT])[0].token_ids) <= most
    assert len(drafter.expand(DraftTree(asked.root_token), [ROOT])[0].token_ids) == 9


def expected(runner: PassRunner, tokens: Sequence[int], asked: DrafterInput) -> DraftTokens:
    """Return what the target itself, over its full cache, would have guessed after a chain."""
    logits = runner.decode(tokens, range(-1, len(tokens) - 1))[-1]
    return draft_tokens_of(logits.numpy(), asked, len(tokens) - 1, tokens[1:], 8)


@pytest.mark.parametrize("kind", ["fused", "library"])
@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_with_room_for_the_whole_text_the_chain_is_the_targets_own(
    networks: Networks, family: str, kind: str
) -> None:
    runner = runner_after(networks, family, kind)
    asked = request()
    chain, answers = chain_of(PartialDrafter(runner, None, 512), asked)
    assert len(chain) == GAMMA
    tokens = [asked.root_token]
    for token, found in zip(chain, answers, strict=True):
        full = expected(runner, tokens, asked)
        assert found.token_ids == full.token_ids
        assert found.chances == pytest.approx(full.chances, rel=1e-3, abs=1e-5)
        tokens.append(token)


@pytest.mark.parametrize(
    ("gamma", "form", "tokens"),
    [
        (1, "own", 1),
        (3, "own", 3),
        (9, "own", 4),
        (1, "TokenSwift", 1),
        (1, "Medusa", 1),
        (9, "Medusa", 4),
        (6, "none", 6),
    ],
)
def test_a_draft_has_as_many_tokens_as_are_set(
    networks: Networks, gamma: int, form: str, tokens: int
) -> None:
    """Three heads add three tokens to the first at most."""
    runner = runner_after(networks, "llama", "fused")
    own = some_heads()
    heads: dict[str, AnyHeads | None] = {
        "own": own,
        "TokenSwift": ChainWeights(own.weight, own.norm, own.post_norm),
        "Medusa": MedusaWeights(own.weight[:, None], own.norm[:, None], torch.ones(3, VOCAB_SIZE, 64)),
        "none": None,
    }
    drafter = PartialDrafter(runner, heads[form], 64, gamma=gamma)
    chain, _ = chain_of(drafter, request(max_depth=12))
    assert len(chain) == tokens


def test_a_draft_writes_nothing_and_moves_nothing(networks: Networks) -> None:
    for budget in (64, 512):
        runner = runner_after(networks, "llama", "fused")
        before = [tensor.clone() for tensor in runner.store.tensors()]
        chain_of(PartialDrafter(runner, None, budget), request())
        assert runner.length == LENGTH
        assert all(torch.equal(a, b) for a, b in zip(before, runner.store.tensors(), strict=True))


def test_a_small_budget_limits_the_positions(networks: Networks) -> None:
    runner = runner_after(networks, "llama", "fused")
    drafter = PartialDrafter(runner, None, 64)
    chain, _ = chain_of(drafter, request())
    assert len(chain) == GAMMA
    assert all(positions.shape[1] == drafter.cache.num_selected for positions in drafter.cache.positions)


def test_the_last_accepted_node_chooses_the_keys(networks: Networks) -> None:
    runner = runner_after(networks, "llama", "fused", decoded=1)
    tokens = [7, 11, 13, 17]
    runner.decode(tokens, [-1, 0, 0, 2])
    runner.commit([0, 2])
    assert runner.last_node == 2
    drafter = PartialDrafter(runner, None, 64)
    drafter.begin(request(17))
    query = runner.queries[0][:, 2].reshape(2, -1, 16).sum(1)
    keys = runner.store.tensors()[0][:, : runner.length]
    scores = torch.einsum("hd,hpd->hp", query, keys)[:, 16:]
    best = scores.topk(drafter.cache.num_selected - 16).indices.sort().values + 16
    assert torch.equal(drafter.cache.positions[0][:, 16:], best)


def test_heads_propose_the_depths_below(networks: Networks) -> None:
    runner = runner_after(networks, "llama", "fused")
    asked, weights = request(), some_heads()
    chain, answers = chain_of(PartialDrafter(runner, weights, 512), asked)
    assert len(chain) == GAMMA
    runner.decode([asked.root_token], [-1])
    hidden = runner.hidden
    states = torch.cat([hidden, DraftHeads(weights, torch.device("cpu"), torch.float32)(hidden)[0]])
    rows = runner.network.logits(states).numpy()
    for depth, found in enumerate(answers):
        wanted = draft_tokens_of(rows[depth], asked, depth, chain[:depth], 8)
        assert found.token_ids == wanted.token_ids
        assert found.chances == pytest.approx(wanted.chances, rel=1e-3, abs=1e-5)


def test_heads_answer_every_node_of_a_level_and_a_chain_only_its_own(networks: Networks) -> None:
    runner = runner_after(networks, "llama", "fused")
    for weights, answered in ((some_heads(), [True, True]), (None, [True, False])):
        drafter = PartialDrafter(runner, weights, 512)
        tree = DraftTree(5)
        drafter.begin(request())
        first = drafter.expand(tree, [ROOT])[0].token_ids
        nodes = [tree.add_child(ROOT, token) for token in (first[0], (first[0] + 1) % VOCAB_SIZE)]
        assert [bool(found.token_ids) for found in drafter.expand(tree, nodes)] == answered


def test_where_there_is_nothing_to_look_at_nothing_is_guessed(networks: Networks) -> None:
    runner = PassRunner(networks(), WIDTH, CONTEXT)
    drafter = PartialDrafter(runner, None, 64)
    tree = DraftTree(5)
    assert drafter.expand(tree, [ROOT]) == [DraftTokens()]
    drafter.begin(request())
    assert drafter.expand(tree, [ROOT]) == [DraftTokens()]
    assert drafter.expand(tree, []) == []


def test_after_a_reading_a_pass_first_shows_what_chooses_the_positions(networks: Networks) -> None:
    runner = PassRunner(networks(), WIDTH, CONTEXT)
    drafter = PartialDrafter(runner, None, 64)
    runner.prefill(prompt_ids(LENGTH))
    drafter.observe(Observed(prompt_ids(LENGTH)))
    assert drafter.begin(request())
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]
    runner.decode([5], [-1])
    runner.commit([0])
    drafter.observe(Observed([5]))
    assert not drafter.begin(request())
    assert drafter.cache.positions[0].shape[1] == drafter.cache.num_selected
    drafter.observe(Observed([6]))
    assert not runner.record_queries  # a plain pass that follows has none to keep
    drafter.reset()
    assert drafter.cache.positions == []
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]


def test_where_memory_runs_out_it_gives_back_what_it_took(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner = runner_after(networks, "llama", "fused")
    drafter = PartialDrafter(runner, None, 64)
    drafter.begin(request())
    assert drafter.cache.num_bytes > 0

    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(drafter, "_forward", full)
    assert not drafter.begin(request())
    assert drafter.cache.num_bytes == 0
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]
    monkeypatch.undo()
    assert not drafter.begin(request())
    assert drafter.cache.num_bytes == 0


def test_draft_tokens_are_tokens_of_the_model(networks: Networks) -> None:
    runner = runner_after(networks, "qwen2", "fused")
    for seed in range(5):
        chain, answers = chain_of(PartialDrafter(runner, None, 48), request(seed=seed))
        assert chain
        assert all(0 <= token < VOCAB_SIZE for found in answers for token in found.token_ids)

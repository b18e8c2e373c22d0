"""The paper's heads: their arithmetic is the one that is trained, and each guesses its own depth."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.draft_heads import DraftHeads, HeadsDrafter, HeadsWeights
from quire_engine.drafting.draft_sampling import draft_tokens_of
from quire_engine.drafting.drafter import DraftTokens, Observed
from quire_engine.training.trainable_drafters import HeadsLearner
from tests.engine.drafting.neural import WIDTH, Recorder, random_heads, random_hidden, request


def test_drafting_and_training_do_the_same_arithmetic() -> None:
    weights = random_heads()
    learner = HeadsLearner(3, WIDTH, 1.0)
    with torch.no_grad():
        for name in ("weight", "norm", "post_norm"):
            getattr(learner, name).copy_(getattr(weights, name))
    hidden = random_hidden(5)
    heads = DraftHeads(weights, torch.device("cpu"), torch.float32)
    assert len(heads) == 3
    torch.testing.assert_close(heads(hidden), learner(hidden).transpose(0, 1).detach(), rtol=1e-4, atol=1e-4)


def test_every_depth_is_guessed_by_its_own_head() -> None:
    network, weights = Recorder(), random_heads()
    drafter = HeadsDrafter(network, weights)
    hidden = random_hidden(3)
    drafter.observe(Observed([4, 5, 6], hidden))
    asked = request(6, SamplingConfig(seed=9))
    drafter.begin(asked)
    states = DraftHeads(weights, torch.device("cpu"), torch.float32)(hidden[-1:])[0]
    tree, node = DraftTree(6), ROOT
    for depth in range(3):
        scores = network.logits(states)[depth].numpy()
        path = tree.tokens[1:]
        assert drafter.expand(tree, [node]) == [draft_tokens_of(scores, asked, depth, path, 8)]
        node = tree.add_child(node, 20 + depth)
    assert drafter.expand(tree, [node]) == [DraftTokens()]


def test_a_draft_token_that_its_path_holds_already_is_penalised() -> None:
    # heads that hand the state on unchanged guess the same token again and again
    weights = HeadsWeights(torch.zeros(2, WIDTH, WIDTH), torch.ones(2, WIDTH), torch.ones(2, WIDTH))
    drafter = HeadsDrafter(Recorder(), weights)
    drafter.observe(Observed([4], random_hidden(1)))
    drafter.begin(request(4, SamplingConfig(temperature=0, repetition_penalty=1000)))
    tree = DraftTree(4)
    (first,) = drafter.expand(tree, [ROOT])
    same, other = tree.add_child(ROOT, first.token_ids[0]), tree.add_child(ROOT, 319)
    after_same, after_other = drafter.expand(tree, [same, other])
    assert after_other.token_ids[0] == first.token_ids[0]
    assert after_same.token_ids[0] != first.token_ids[0]


def test_nothing_is_guessed_before_anything_was_read_or_after_a_reset() -> None:
    drafter = HeadsDrafter(Recorder(), random_heads())
    drafter.observe(Observed([1, 2, 3]))
    drafter.begin(request())
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]
    drafter.observe(Observed([1, 2, 3], random_hidden(3)))
    drafter.reset()
    drafter.begin(request())
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]


def test_only_the_newest_state_counts_and_it_is_a_copy() -> None:
    network = Recorder()
    drafter = HeadsDrafter(network, random_heads())
    hidden = random_hidden(4)
    drafter.observe(Observed([1, 2, 3, 4], hidden.clone()))
    drafter.begin(request())
    wanted = drafter.expand(DraftTree(5), [ROOT])
    drafter.reset()
    buffer = hidden[-1:].clone()
    drafter.observe(Observed([4], buffer))
    buffer.zero_()
    drafter.begin(request())
    assert drafter.expand(DraftTree(5), [ROOT]) == wanted
    assert np.isfinite(wanted[0].chances).all()


def test_heads_of_another_width_are_rejected() -> None:
    weights = HeadsWeights(torch.zeros(1, 8, 8), torch.ones(1, 8), torch.ones(1, 8))
    with pytest.raises(EnvironmentProblem, match="don't match"):
        HeadsDrafter(Recorder(), weights)

"""The feature drafter: however it was fed and asked, it computes what it was trained to compute."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.drafter import DraftTokens, Observed
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.training.trainable_drafters import FeatureLearner
from tests.engine.drafting.neural import SHAPE, WIDTH, Recorder, random_feature, random_hidden, request
from tests.engine.tiny import prompt_ids


def learned(network: Recorder, features: Tensor, ids: list[int], steps: int) -> list[Tensor]:
    """Return the states of every step as training computes them, for a text of pairs and then a chain.

    Args:
        features: (pairs, width).
        ids: the token after each, then the tokens of the chain.
    """
    learner = FeatureLearner(SHAPE)
    learner.start_from(random_feature().tensors)
    pairs = len(features)
    padded = torch.cat([features, torch.zeros(steps, WIDTH)])
    embedded = network.embed(torch.tensor(ids + [0] * (pairs + steps - len(ids))))
    outs = learner(padded[None], embedded[None], steps)
    return [out[0, pairs - 1].detach() for out in outs]


def near(ours: Tensor, wanted: Tensor) -> None:
    """Compare states in float32."""
    torch.testing.assert_close(ours, wanted, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("chunks", [[1], [7], [3, 1, 2], [40, 1, 3], [9] * 9, [60, 12, 12, 5]], ids=str)
def test_a_chain_is_what_training_unrolled(chunks: list[int]) -> None:
    network = Recorder()
    drafter = FeatureDrafter(network, random_feature())
    pairs = sum(chunks)
    features, ids = random_hidden(pairs), prompt_ids(pairs + 2)
    done = 0
    for size in chunks:
        drafter.observe(Observed(ids[done : done + size], features[done : done + size]))
        done += size
        if size < 10:  # a draft in between reads what was observed, and leaves nothing behind
            drafter.begin(request(ids[done - 1]))
            draft = DraftTree(ids[done - 1])
            drafter.expand(draft, [ROOT])
            drafter.expand(draft, [draft.add_child(ROOT, 300), draft.add_child(ROOT, 301)])
    # what is further back than two windows of the drafter cannot reach it
    tail = min(pairs, 3 * SHAPE.window)
    wanted = learned(network, features[-tail:], ids[-tail - 2 :], 3)
    network.scored.clear()
    drafter.begin(request(ids[pairs - 1]))
    tree, node = DraftTree(ids[pairs - 1]), ROOT
    for token in (*ids[pairs:], None):
        drafter.expand(tree, [node])
        node = node if token is None else tree.add_child(node, token)
    assert len(network.scored) == 3
    for ours, of_step in zip(network.scored, wanted, strict=True):
        near(ours[0], of_step)


def test_nodes_of_a_tree_see_their_own_ancestors_alone() -> None:
    network = Recorder()
    features, ids = random_hidden(6), prompt_ids(6)
    paths = [(11, 21), (11, 22), (12, 23)]

    def states(chains: list[tuple[int, int]]) -> dict[tuple[int, int], Tensor]:
        drafter = FeatureDrafter(network, random_feature())
        drafter.observe(Observed(ids, features))
        drafter.begin(request(ids[-1]))
        tree = DraftTree(ids[-1])
        drafter.expand(tree, [ROOT])
        firsts = {first: tree.add_child(ROOT, first) for first, _ in chains}
        drafter.expand(tree, list(firsts.values()))
        nodes = {chain: tree.add_child(firsts[chain[0]], chain[1]) for chain in chains}
        network.scored.clear()
        drafter.expand(tree, list(nodes.values()))
        return dict(zip(nodes, network.scored[0], strict=True))

    together = states(paths)
    for path in paths:
        near(together[path], states([path])[path])


def test_drafting_again_without_new_text_proposes_the_same() -> None:
    drafter = FeatureDrafter(Recorder(), random_feature())
    drafter.observe(Observed(prompt_ids(5), random_hidden(5)))
    answers: list[list[DraftTokens]] = []
    for _ in range(2):
        drafter.begin(request(5, SamplingConfig(seed=3)))
        tree = DraftTree(5)
        answers.append(drafter.expand(tree, [ROOT]))
        drafter.expand(tree, [tree.add_child(ROOT, 7)])
    assert answers[0] == answers[1]
    assert answers[0][0].token_ids


def test_what_was_missed_is_read_when_a_draft_begins_and_not_in_it() -> None:
    """The cost of a break is no part of what a draft costs."""

    class Counter(Recorder):
        """Counts the pairs that were looked up."""

        num_embedded = 0

        def embed(self, ids: Tensor) -> Tensor:
            self.num_embedded += len(ids)
            return super().embed(ids)

    network = Counter()
    drafter = FeatureDrafter(network, random_feature())
    drafter.observe(Observed(prompt_ids(9), random_hidden(9)))
    before = network.num_embedded
    drafter.begin(request(5))
    assert network.num_embedded == before + 9
    assert drafter.expand(DraftTree(5), [ROOT])[0].token_ids
    assert network.num_embedded == before + 9


def test_nothing_is_guessed_where_nothing_is_known() -> None:
    drafter = FeatureDrafter(Recorder(), random_feature())
    drafter.observe(Observed([1, 2, 3]))  # phrases only: no hidden states
    drafter.begin(request())
    tree = DraftTree(5)
    assert drafter.expand(tree, [ROOT]) == [DraftTokens()]
    assert drafter.expand(tree, [tree.add_child(ROOT, 7)]) == [DraftTokens()]
    drafter.observe(Observed([1, 2, 3], random_hidden(3)))
    drafter.reset()
    drafter.begin(request())
    assert drafter.expand(DraftTree(5), [ROOT]) == [DraftTokens()]


def test_a_node_below_one_that_was_not_asked_about_is_unknown() -> None:
    drafter = FeatureDrafter(Recorder(), random_feature())
    drafter.observe(Observed([1, 2, 3], random_hidden(3)))
    drafter.begin(request())
    tree = DraftTree(5)
    drafter.expand(tree, [ROOT])
    asked, skipped = tree.add_child(ROOT, 7), tree.add_child(ROOT, 8)
    drafter.expand(tree, [asked])
    known, unknown = drafter.expand(tree, [tree.add_child(asked, 9), tree.add_child(skipped, 9)])
    assert known.token_ids
    assert unknown == DraftTokens()


def test_a_vocabulary_subset_proposes_its_own_ids_with_its_own_head() -> None:
    network = Recorder()
    whole = random_feature()
    ids = torch.arange(1, 320, 3)
    eye = torch.eye(WIDTH)
    rows = network.logits(eye).t()[ids]
    answers: list[list[DraftTokens]] = []
    for weights in (replace(whole, vocabulary=ids, head=rows), whole):
        drafter = FeatureDrafter(network, weights)
        drafter.observe(Observed(prompt_ids(5), random_hidden(5)))
        drafter.begin(request())
        answers.append(drafter.expand(DraftTree(5), [ROOT]))
    reduced, full = answers[0][0].token_ids, answers[1][0].token_ids
    assert set(reduced) <= set(ids.tolist())
    kept = [token for token in full if token in set(ids.tolist())]
    assert list(reduced)[: len(kept)] == kept


@pytest.mark.parametrize("misfit", ["width", "vocabulary"])
def test_a_drafter_for_other_sizes_is_rejected(misfit: str) -> None:
    weights = random_feature()
    if misfit == "width":
        shape = replace(SHAPE, width=32)
        tensors = {name: torch.zeros(size) for name, size in shape.tensor_shapes().items()}
        weights = replace(weights, shape=shape, tensors=tensors)
    else:
        weights = replace(weights, vocabulary=torch.tensor([5, 320]), head=torch.zeros(2, WIDTH))
    with pytest.raises(EnvironmentProblem, match="doesn't match"):
        FeatureDrafter(Recorder(), weights)

"""The feature drafter's layer in whole numbers: near the real one, whatever was read and asked before."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.drafter import MAX_DRAFT_TOKENS, DraftTokens, Observed
from quire_engine.drafting.feature_drafter import FeatureDrafter, layer_beside
from quire_engine.integer.feature_layer import IntegerFeatureLayer
from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.models.target_model import NetworkEnds
from tests.engine.blocks import in_blocks
from tests.engine.drafting.neural import SHAPE, WIDTH, Recorder, random_feature, random_hidden, request
from tests.engine.tiny import build, prompt_ids

_WEIGHTS = replace(random_feature(), vocabulary=torch.arange(WIDTH), head=torch.eye(WIDTH))
"""A drafter whose scores are its predicted states themselves."""


def _near(ours: Tensor, wanted: Tensor) -> None:
    error = (ours - wanted).square().mean().sqrt() / wanted.std()
    assert float(error) < 0.05


@pytest.mark.parametrize("chunks", [[1], [7], [3, 1, 2], [12, 1, 5], [9] * 9], ids=str)
def test_whatever_was_read_states_and_scores_are_near_the_real_ones(chunks: list[int]) -> None:
    layers = [layer_beside(network, _WEIGHTS) for network in (_integers(), Recorder())]
    pairs = sum(chunks)
    hidden, embeddings = random_hidden(pairs, 1), random_hidden(pairs, 2)
    below, embedded = random_hidden(20, 3), random_hidden(20, 4)
    done = 0
    for size in chunks:
        part = slice(done, done + size)
        ours, wanted = (layer.read(hidden[part], embeddings[part], done) for layer in layers)
        _compare(ours, wanted)
        done += size
    for rows in (1, 20):
        _compare(*(layer.guess(below[:rows], embedded[:rows]) for layer in layers))
    if done > SHAPE.window:
        for layer in layers:
            layer.move_back(done - SHAPE.window, SHAPE.window)
        _compare(*(layer.read(below[:2], embedded[:2], SHAPE.window) for layer in layers))


def test_a_node_does_not_depend_on_those_beside_it() -> None:
    layer = layer_beside(_integers(), _WEIGHTS)
    layer.read(random_hidden(5), random_hidden(5, 2), 0)
    above, embeddings = random_hidden(9, 3), random_hidden(9, 4)
    together = layer.guess(above, embeddings)[0]
    for row in range(9):
        assert torch.equal(layer.guess(above[row : row + 1], embeddings[row : row + 1])[0][0], together[row])


def test_without_a_vocabulary_of_its_own_the_target_scores() -> None:
    layer = layer_beside(_integers(), random_feature())
    states, scores = layer.read(random_hidden(5), random_hidden(5, 2), 0)
    assert states.shape == (1, WIDTH)
    assert scores is None


def _draft(network: NetworkEnds, hidden: Tensor, ids: list[int]) -> list[DraftTokens]:
    drafter = FeatureDrafter(network, _WEIGHTS)
    drafter.observe(Observed(ids, hidden))
    drafter.begin(request(ids[-1]))
    tree = DraftTree(ids[-1])
    firsts = drafter.expand(tree, [ROOT])
    nodes = [tree.add_child(ROOT, token) for token in (11, 12)]
    return firsts + drafter.expand(tree, nodes)


def test_beside_a_model_in_whole_numbers_the_feature_drafter_guesses_nearly_the_same() -> None:
    assert isinstance(layer_beside(_integers(), _WEIGHTS), IntegerFeatureLayer)
    hidden, ids = random_hidden(20), prompt_ids(20)
    for ours, wanted in zip(_draft(_integers(), hidden, ids), _draft(Recorder(), hidden, ids), strict=True):
        assert len(set(ours.token_ids) & set(wanted.token_ids)) >= MAX_DRAFT_TOKENS - 2


def _integers() -> IntegerEnds:
    return IntegerEnds(in_blocks(build("llama")), 8)


def _compare(ours: tuple[Tensor, Tensor | None], wanted: tuple[Tensor, Tensor | None]) -> None:
    _near(ours[0], wanted[0])
    assert ours[1] is not None
    assert wanted[1] is not None
    _near(ours[1], wanted[1])

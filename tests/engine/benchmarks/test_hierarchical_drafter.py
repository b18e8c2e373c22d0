"""Drafts that are themselves drafted: the same ones, with fewer passes where the guesses hold."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.drafting.draft_sampling import ancestors_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.paper.partial_cache_drafter import GAMMA, PartialDrafter
from tests.benchmarks.engine.paper.hierarchical_drafter import HierarchicalDrafter
from tests.engine.conftest import Networks
from tests.engine.drafting.paper.test_partial_cache_drafter import chain_of, request, runner_after

BUDGET = 64


class Guesser:
    """Guesses one chain, and nothing off it."""

    def __init__(self, chain: Sequence[int]) -> None:
        self._chain = list(chain)

    @property
    def source(self) -> Source:
        """As the n-grams have it."""
        return "ngrams"

    def reset(self) -> None:
        """Nothing is kept."""

    def observe(self, observed: Observed) -> None:
        """Nothing is learnt."""

    def begin(self, request: DrafterInput) -> None:
        """Nothing is made ready."""

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return the chain's next token below each node that is on it."""
        paths = [ancestors_of(tree, node) for node in nodes]
        return [
            DraftTokens((self._chain[len(path)],), (1.0,))
            if path == self._chain[: len(path)] and len(path) < len(self._chain)
            else DraftTokens()
            for path in paths
        ]


@pytest.mark.parametrize(("right", "passes"), [(GAMMA, 1), (2, 2), (1, 3), (0, GAMMA)])
def test_guesses_save_passes_and_change_no_draft(networks: Networks, right: int, passes: int) -> None:
    runner = runner_after(networks, "llama", "fused")
    asked = request()
    chain, answers = chain_of(PartialDrafter(runner, None, BUDGET, "static"), asked)
    assert len(chain) == GAMMA
    guesser = Guesser([*chain[:right], *[token + 1 for token in chain[right:]]] if right else [])
    drafter = HierarchicalDrafter(runner, guesser, BUDGET)
    again, same = chain_of(drafter, asked)
    assert again == chain
    for found, expected in zip(same, answers, strict=True):
        assert found.token_ids == expected.token_ids
        assert found.chances == pytest.approx(expected.chances, rel=1e-3, abs=1e-5)
    assert drafter.num_partial_passes == passes

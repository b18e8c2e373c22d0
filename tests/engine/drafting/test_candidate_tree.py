from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import ROOT
from quire_engine.drafting.acceptance_calibration import Acceptance, AcceptanceCalibration
from quire_engine.drafting.candidate_tree import Candidates
from quire_engine.drafting.drafter import DraftTokens
from tests.engine.tiny import few


def grown() -> tuple[Candidates, AcceptanceCalibration]:
    """Root 9; below it 1 (0.6) and 2 (0.3); below 1: 3 (0.5 of 0.6) and 4 (0.25 of 0.6)."""
    candidates, calibration = Candidates(9), AcceptanceCalibration()
    assert candidates.grow(
        [ROOT], [("feature", [DraftTokens((1, 2), (0.6, 0.3))])], calibration, children=8
    ) == [
        1,
        2,
    ]
    answers: list[tuple[Source, list[DraftTokens]]] = [
        ("feature", [DraftTokens((3, 4), (0.5, 0.25)), DraftTokens()])
    ]
    assert candidates.grow([1, 2], answers, calibration, children=8) == [3, 4]
    return candidates, calibration


def test_chances_multiply_along_a_path() -> None:
    candidates, _ = grown()
    assert candidates.tree.tokens == [9, 1, 2, 3, 4]
    assert candidates.tree.parents == [-1, 0, 0, 1, 1]
    assert candidates.chances == pytest.approx([1.0, 0.6, 0.3, 0.3, 0.15])
    assert len(candidates) == 4


def test_the_same_draft_token_of_two_sources_is_one_node() -> None:
    candidates = Candidates(9)
    answers: list[tuple[Source, list[DraftTokens]]] = [
        ("heads", [DraftTokens((1, 2), (0.3, 0.2))]),
        ("ngrams", [DraftTokens((2, 5), (0.4, 0.1))]),
    ]
    candidates.grow([ROOT], answers, AcceptanceCalibration(), children=8)
    planned = candidates.keep([1, 2, 3])
    assert sorted(planned.tree.tokens[1:]) == [1, 2, 5]
    node = planned.tree.child(ROOT, 2)
    assert node is not None
    assert (planned.sources[node], planned.ranks[node]) == ("ngrams", 0)


def test_a_token_that_a_drafter_repeats_is_one_node() -> None:
    candidates = Candidates(9)
    fresh = candidates.grow(
        [ROOT], [("heads", [DraftTokens((1, 1, 2), (0.3, 0.2, 0.1))])], AcceptanceCalibration(), children=8
    )
    assert fresh == [1, 2]
    assert len(candidates.chances) == len(candidates.tree.tokens)


def test_only_the_best_children_and_those_above_the_floor_become_candidates() -> None:
    answers: list[tuple[Source, list[DraftTokens]]] = [("heads", [DraftTokens((1, 2, 3), (0.5, 0.3, 0.01))])]
    few_children, high_floor = Candidates(9), Candidates(9)
    few_children.grow([ROOT], answers, AcceptanceCalibration(), children=1)
    high_floor.grow([ROOT], answers, AcceptanceCalibration(), children=8, floor=0.1)
    assert few_children.tree.tokens == [9, 1]
    assert high_floor.tree.tokens == [9, 1, 2]


def test_appended_tokens_take_no_place_of_the_others() -> None:
    answers: list[tuple[Source, list[DraftTokens]]] = [
        ("heads", [DraftTokens((1, 2, 3), (0.3, 0.2, 0.1))]),
        ("fourgrams", [DraftTokens((4, 2, 5), (0.25, 0.05, 0.04))]),
    ]
    candidates, displaced = Candidates(9), Candidates(9)
    candidates.grow([ROOT], answers, AcceptanceCalibration(), children=2, appended="fourgrams")
    displaced.grow([ROOT], answers, AcceptanceCalibration(), children=2)
    assert candidates.tree.tokens == [9, 1, 4, 2, 5]
    assert displaced.tree.tokens == [9, 1, 4]


def test_keeping_a_part_renumbers_it_and_keeps_what_is_known_of_it() -> None:
    candidates, _ = grown()
    planned = candidates.keep([3, 1])
    assert planned.tree.tokens == [9, 1, 3]
    assert planned.tree.parents == [-1, 0, 1]
    assert planned.sources == (None, "feature", "feature")
    assert planned.chances == pytest.approx((1.0, 0.6, 0.3))
    assert planned.num_candidates == 4
    assert planned.expected_tokens == pytest.approx(1.9)
    assert candidates.tree.tokens == [9, 1, 2, 3, 4]


def test_nodes_whose_children_could_not_be_kept_are_not_expanded() -> None:
    candidates, _ = grown()
    assert candidates.threshold(5) == 0.0
    assert candidates.threshold(2) == pytest.approx(0.3)
    assert candidates.worth_expanding([3, 4], beam=4, threshold=0.0) == [3, 4]
    assert candidates.worth_expanding([3, 4], beam=4, threshold=0.2) == [3]
    assert candidates.worth_expanding([1, 2], beam=1, threshold=0.0) == [1]


def test_draft_tokens_that_were_not_kept_are_learned_from_as_well() -> None:
    candidates, calibration = grown()
    candidates.keep([1])
    candidates.teach(calibration, [1, 4])
    assert calibration.acceptance() == (
        Acceptance("feature", 1, 0, 1, 1),
        Acceptance("feature", 1, 1, 1, 0),
        Acceptance("feature", 2, 0, 1, 0),
        Acceptance("feature", 2, 1, 1, 1),
    )


def test_nothing_is_learned_beyond_the_drawn_path() -> None:
    candidates, calibration = grown()
    candidates.teach(calibration, [8])
    assert [(figure.depth, figure.hits) for figure in calibration.acceptance()] == [(1, 0), (1, 0)]


@few
@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(1, 4))
def test_the_best_nodes_are_closed_under_ancestors_and_as_likely_as_any_choice(
    seed: int, budget: int, depths: int
) -> None:
    rng, calibration, candidates = random.Random(seed), AcceptanceCalibration(), Candidates(0)
    level = [ROOT]
    for _ in range(depths):
        answers: list[tuple[Source, list[DraftTokens]]] = []
        sources: tuple[Source, ...] = ("feature", "ngrams")
        for source in sources:
            guesses = [
                DraftTokens(
                    tuple(rng.sample(range(6), 3)), tuple(sorted([rng.random() for _ in range(3)])[::-1])
                )
                for _ in level
            ]
            answers.append((source, guesses))
        level = candidates.grow(level, answers, calibration, children=3)[:4]
    kept = candidates.best_first(budget)
    planned = candidates.keep(kept)
    assert len(kept) == min(budget, len(candidates))
    assert all(candidates.tree.parents[node] in {ROOT, *kept} for node in kept)
    left_out = set(range(1, len(candidates) + 1)) - set(kept)
    assert all(candidates.chances[out] <= candidates.chances[node] for out in left_out for node in kept)
    assert len(planned.tree.tokens) == len(planned.sources) == len(planned.ranks) == len(planned.chances)
    for node in range(1, len(planned.chances)):
        assert planned.chances[node] < planned.chances[planned.tree.parents[node]]

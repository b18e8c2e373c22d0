"""The grid is whole, and every pair of settings comes before the rest, in an order that a seed fixes."""

from __future__ import annotations

from tests.proofs.engine.cases import (
    DRAFTERS,
    OWN_SOURCES,
    SAMPLERS,
    SHIPPED,
    chance_grid,
    grid,
    pairs,
    spread,
)
from tests.proofs.engine.tiny_models import FAMILIES

MODELS = (SHIPPED, "llama")


def test_the_grid_holds_every_setting_once() -> None:
    cases = list(grid())
    assert len({case.key for case in cases}) == len(cases) > 30_000
    assert {case.model for case in cases} == {SHIPPED, *FAMILIES}
    assert {case.sampler for case in cases} == set(SAMPLERS)
    assert {case.drafters for case in cases} == set(DRAFTERS)
    assert {source for case in cases for source in case.drafters} == set(OWN_SOURCES)
    assert {case.dtype for case in cases} == {"float32", "bfloat16"}


def test_a_partial_budget_varies_only_where_a_partial_cache_is_used() -> None:
    cases = [case for case in grid(["llama"]) if case.drafts == "planned"]
    without = [case for case in cases if "partial" not in case.drafters]
    assert {case.partial_budget for case in without} == {4096}
    assert len({case.partial_budget for case in cases if "partial" in case.drafters}) == 3


def test_every_pair_of_settings_comes_first() -> None:
    cases = list(grid(MODELS))
    order, num_first = spread(cases, 1)
    assert sorted(map(repr, order)) == sorted(map(repr, cases))
    assert num_first < 200
    wanted = {pair for case in cases for pair in pairs(case)}
    assert {pair for case in order[:num_first] for pair in pairs(case)} == wanted


def test_the_order_depends_on_the_seed_alone() -> None:
    cases = list(grid(["llama"]))
    first = spread(cases, 3)
    assert spread(iter(cases), 3) == first
    assert spread(cases, 4)[0] != first[0]


def test_odds_are_proved_for_samplers_with_noise() -> None:
    combinations = list(chance_grid(MODELS))
    assert len(set(combinations)) == len(combinations)
    assert {sampler for _, _, sampler in combinations} == {
        name for name, sampling in SAMPLERS.items() if sampling.temperature > 0
    }

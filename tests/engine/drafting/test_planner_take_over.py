"""A planner that begins with what the one of an earlier draft has measured."""

from __future__ import annotations

import pytest

from quire_engine.api.config import SOURCES, DraftingConfig, Source
from quire_engine.drafting.planner import Planner
from tests.engine.drafting.test_planner import Kind, narrow, plain_rate, world
from tests.engine.drafting.worlds import World


def _next_draft(kinds: dict[Source, Kind], before: World) -> World:
    """Return a draft after another one with the same model, long after its model was loaded."""
    later = world(kinds, narrow, busier=before.busier)
    later.planner = Planner(
        later.drafters, later.config, max_nodes=later.max_nodes, padded=later.padded, clock=later.clock
    )
    assert later.planner.take_over(before.planner)
    return later


def test_the_next_draft_begins_with_what_led_in_the_one_before() -> None:
    first = world({"feature": "good", "ngrams": "hostile"}, narrow)
    first.run(400)
    acceptance, figures = first.planner.acceptance(), first.planner.subsets()
    later = _next_draft({"feature": "good", "ngrams": "hostile"}, first)
    assert later.planner.acceptance() == ()
    assert [(one.name, one.steps, one.tokens_per_ms) for one in later.planner.subsets()] == [
        (one.name, 0, None) for one in figures
    ]
    drafted = [len(later.step().tree.tokens) > 1 for _ in range(40)]
    assert sum(drafted) >= 36
    assert sum(one.steps for one in later.planner.subsets()) == 40
    # the one before is another planner's, and stays what it was
    assert (first.planner.acceptance(), first.planner.subsets()) == (acceptance, figures)


def test_the_partial_cache_does_not_lead_in_a_short_text_because_it_led_in_a_long_one() -> None:
    kinds: dict[Source, Kind] = {"partial": "good", "ngrams": "hostile"}
    config = DraftingConfig("tokenswift", partial_budget=100)
    first = world(kinds, narrow, config)
    first.run(1500)
    assert first.drafters[0].begun > 500
    later = world(kinds, narrow, config)
    assert later.planner.take_over(first.planner)
    while later.index < 190:
        later.step()
    assert later.drafters[0].begun == 0
    later.run(400)
    assert later.drafters[0].begun > 100


def test_the_next_draft_tries_nothing_at_once_that_lost_in_the_one_before() -> None:
    first = world(dict.fromkeys(SOURCES, "hostile"), narrow)
    first.run(600)
    later = _next_draft(dict.fromkeys(SOURCES, "hostile"), first)
    assert later.run(100) > 0.97 * plain_rate(narrow)


def test_a_drafter_that_has_become_bad_since_the_draft_before_is_soon_left_alone() -> None:
    first = world({"feature": "good"}, narrow)
    first.run(400)
    later = _next_draft({"feature": "hostile"}, first)
    later.run(300)
    assert later.run(1000) > 0.97 * plain_rate(narrow)


@pytest.mark.parametrize(
    ("kinds", "config", "max_nodes"),
    [
        ({"ngrams": "fair"}, DraftingConfig("tokenswift"), 7),
        ({"feature": "good"}, DraftingConfig("tokenswift", (), (2, 1)), 7),
        ({"feature": "good"}, DraftingConfig("tokenswift"), 3),
    ],
)
def test_nothing_is_taken_over_from_other_drafters_settings_or_passes(
    kinds: dict[Source, Kind], config: DraftingConfig, max_nodes: int
) -> None:
    first = world({"feature": "good"}, narrow)
    first.run(50)
    other = world(kinds, narrow, config, max_nodes)
    assert not other.planner.take_over(first.planner)
    assert all(one.steps == 0 for one in other.planner.subsets())

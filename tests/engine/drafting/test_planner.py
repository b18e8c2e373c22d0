"""The planner against drafters of known worth and cost, in a time that only they and the passes spend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import SOURCES, DraftingConfig, Source
from quire_engine.decoding.draft_tree import ROOT
from quire_engine.drafting.drafter import Observed
from quire_engine.drafting.planner import Planner
from tests.engine.drafting.worlds import REST_MS, Clock, FakeDrafter, World, request, truth
from tests.engine.tiny import few

Kind = Literal["good", "fair", "hostile", "slow"]
HITS: dict[Kind, tuple[float, ...]] = {
    "good": (0.6, 0.15, 0.08),
    "fair": (0.3, 0.1, 0.05),
    "hostile": (0.0, 0.0, 0.0),
    "slow": (0.7, 0.1, 0.05),
}
BEGIN_MS: dict[Kind, float] = {"good": 0.2, "fair": 0.02, "hostile": 3.0, "slow": 20.0}
LEVEL_MS: dict[Kind, float] = {"good": 0.3, "fair": 0.05, "hostile": 3.0, "slow": 5.0}


def drafter(source: Source, clock: Clock, kind: Kind) -> FakeDrafter:
    """Build a drafter; the hostile one claims to be good."""
    return FakeDrafter(
        source, clock, HITS[kind], BEGIN_MS[kind], LEVEL_MS[kind], HITS["good"] if kind == "hostile" else None
    )


def flat(nodes: int, length: int) -> float:
    """Cost a padded pass."""
    return 3.5 + 1e-5 * length


def steep(nodes: int, length: int) -> float:
    """Cost a pass that is as wide as it needs to be."""
    return 3.0 + 0.2 * nodes


def world(
    kinds: dict[Source, Kind],
    verify: Callable[[int, int], float] = flat,
    config: DraftingConfig | None = None,
    max_nodes: int = 7,
    misjudged: float = 1.0,
    busier: float = 1.0,
) -> World:
    """Build a world with these drafters."""
    clock = Clock()
    drafters = [drafter(source, clock, kind) for source, kind in kinds.items()]
    settings = DraftingConfig("tokenswift") if config is None else config
    return World(
        drafters,
        clock,
        verify,
        settings,
        max_nodes,
        padded=verify is flat,
        misjudged=misjudged,
        busier=busier,
    )


def plain_rate(verify: Callable[[int, int], float]) -> float:
    """Return what a run without a planner achieves, hiccups included."""
    return 1 / (verify(0, 1000) * 1.05 + REST_MS)


@pytest.mark.parametrize("verify", [flat, steep])
def test_good_drafters_are_used_and_pay(verify: Callable[[int, int], float]) -> None:
    together = world({"feature": "good", "ngrams": "fair"}, verify)
    together.run(400)
    rate = together.run(800)
    singles = [world({"feature": "good"}, verify), world({"ngrams": "fair"}, verify)]
    for single in singles:
        single.run(400)
    assert rate > 1.4 * plain_rate(verify)
    assert rate > 0.97 * max(single.run(800) for single in singles)


def test_hostile_drafters_are_soon_left_alone() -> None:
    hostile = world(dict.fromkeys(SOURCES, "hostile"))
    hostile.run(300)
    drafted = hostile.drafted_steps
    rate = hostile.run(2000)
    assert hostile.drafted_steps - drafted < 0.04 * 2000
    assert rate > 0.97 * plain_rate(flat)


def test_a_drafter_that_is_right_but_slower_than_plain_is_left_alone() -> None:
    slow = world({"partial": "slow"})
    slow.run(300)
    assert slow.run(1500) > 0.97 * plain_rate(flat)


@pytest.mark.parametrize("at_once", [400, 130], ids=["at once", "in parts"])
@pytest.mark.parametrize(("hits", "at_least"), [(0.85, 1.5), (0.05, 0.95)])
def test_what_must_first_read_the_text_is_taken_if_it_is_good_and_seldom_tried_if_not(
    hits: float, at_least: float, at_once: int
) -> None:
    """The first draft after a break takes as long as 300 plain steps."""
    clock = Clock()
    reader = FakeDrafter("draft_model", clock, (hits, 0.02), 0.02, 0.4, (0.8, 0.02), missed_ms=3.0)
    reader.at_once = at_once
    both = World([reader, drafter("ngrams", clock, "hostile")], clock, flat, DraftingConfig("tokenswift"), 7)
    both.run(200)
    assert both.run(1500) > at_least * plain_rate(flat)


def test_phrases_are_tried_soon_after_a_model_read_the_text_for_nothing() -> None:
    clock = Clock()
    reader = FakeDrafter("draft_model", clock, (0.05, 0.02), 0.02, 0.4, (0.8, 0.02), missed_ms=3.0)
    both = World([reader, drafter("ngrams", clock, "fair")], clock, flat, DraftingConfig("tokenswift"), 7)
    both.padded = True
    alone = world({"ngrams": "fair"})
    for one in (both, alone):
        one.run(200)
    assert both.run(600) > 0.95 * alone.run(600) > 1.1 * plain_rate(flat)


@pytest.mark.parametrize(("pass_ms", "is_tried"), [(2.9, False), (0.4, True)])
def test_a_small_model_that_takes_as_long_as_the_large_one_is_never_tried(
    pass_ms: float, is_tried: bool
) -> None:
    clock = Clock()
    small = FakeDrafter("draft_model", clock, (0.5, 0.1), 0.02, pass_ms)
    both = World([small, drafter("ngrams", clock, "fair")], clock, steep, DraftingConfig("tokenswift"), 7)
    both.planner.costs.learn_draft("draft_model", 0, pass_ms)
    both.run(600)
    tried = {source for each in both.planner.subsets() if each.steps for source in each.sources}
    assert ("draft_model" in tried) is is_tried
    assert both.run(800) > (1.2 if is_tried else 0.98) * plain_rate(steep)


def test_steps_in_which_a_drafter_still_reads_say_nothing_about_it() -> None:
    clock = Clock()
    reader = FakeDrafter("draft_model", clock, (0.85, 0.02), 0.02, 0.4, missed_ms=0.1, at_once=20)
    run = World([reader], clock, flat)
    planned = [run.step() for _ in range(60)]
    reading = [one for one in planned if one.reads_on]
    assert len(reading) >= 400 // 20 - 1
    assert all(len(one.tree.tokens) == 1 for one in reading)
    (_, tried) = run.planner.subsets()
    assert tried.steps == sum(one.subset == 1 for one in planned) - len(reading)
    assert run.planner.costs.draft("draft_model", -1) < 1


def test_a_useless_drafter_beside_a_good_one_is_left_alone() -> None:
    mixed = world({"heads": "hostile", "feature": "good"})
    alone = world({"feature": "good"})
    mixed.run(300)
    alone.run(300)
    assert mixed.run(1500) > 0.95 * alone.run(1500)


@pytest.mark.parametrize("verify", [flat, steep])
@pytest.mark.parametrize("kinds", [{"heads": "fair"}, {"feature": "good"}, dict.fromkeys(SOURCES, "fair")])
def test_one_bad_measurement_at_load_is_put_right_within_a_hundred_tokens(
    kinds: dict[Source, Kind], verify: Callable[[int, int], float]
) -> None:
    fooled, right = world(kinds, verify, misjudged=4.0), world(kinds, verify)
    for one in (fooled, right):
        while one.index < 100:
            one.step()
    assert fooled.run(400) > 0.93 * right.run(400)


def test_drafting_stops_when_the_context_makes_wide_passes_dear_and_begins_again() -> None:
    def verify(nodes: int, length: int) -> float:
        return 3.0 + (0.05 if length < 2000 else 2.0) * nodes

    growing = world({"feature": "good"}, verify)
    growing.window = 4000
    while growing.index < 1500:
        growing.step()
    assert growing.run(150) > 1.3 * plain_rate(verify)
    while growing.index < 3000:
        growing.step()
    drafted = growing.drafted_steps
    assert growing.run(800) > 0.95 * plain_rate(verify)
    assert growing.drafted_steps - drafted < 80
    while growing.index < 4400:
        growing.step()
    assert growing.run(300) > 1.3 * plain_rate(verify)


def test_drafting_stops_when_drafts_turn_bad_and_begins_again_when_they_are_good() -> None:
    changing = world({"feature": "good", "ngrams": "fair"})
    assert changing.run(800) > 1.4 * plain_rate(flat)
    hits = [drafter.hits for drafter in changing.drafters]
    for drafter in changing.drafters:
        drafter.claimed, drafter.hits = drafter.hits, (0.0, 0.0, 0.0)
    changing.run(600)
    assert changing.run(600) > 0.95 * plain_rate(flat)
    for drafter, good in zip(changing.drafters, hits, strict=True):
        drafter.hits = good
    changing.run(1200)
    assert changing.run(500) > 1.4 * plain_rate(flat)


def test_fewer_nodes_are_kept_where_each_of_them_costs() -> None:
    def dear(nodes: int, length: int) -> float:
        return 3.0 + 0.6 * nodes

    cheap, costly = world({"feature": "good"}, flat), world({"feature": "good"}, dear)
    sizes: list[float] = []
    for one in (cheap, costly):
        one.run(300)
        drafted = [len(planned.tree.tokens) - 1 for planned in (one.step() for _ in range(200))]
        sizes.append(sum(drafted) / len(drafted))
    assert sizes[0] > 5
    assert sizes[1] < 3.5


def test_a_level_that_costs_more_than_it_brings_is_not_asked_for() -> None:
    clock = Clock()
    cheap = FakeDrafter("feature", clock, HITS["good"], 0.1, 0.05)
    run = World([cheap], clock, flat, padded=True)
    run.run(200)
    assert max(depth for depth, _ in cheap.calls) >= 3
    cheap.level_ms = 1.5
    run.run(400)
    asked = []
    for _ in range(100):
        if run.step().subset:
            asked.append(max(depth for depth, _ in cheap.calls))
    assert sum(asked) / len(asked) < 2


def test_a_forced_list_with_a_shape_is_used_exactly_and_always() -> None:
    config = DraftingConfig("tokenswift", ("heads", "ngrams"), (1, 3, 3, 3))
    forced = world({"feature": "good", "ngrams": "hostile", "heads": "hostile"}, config=config, max_nodes=50)
    for step in range(1, 100):
        planned = forced.step()
        counts = [planned.tree.depths.count(depth) for depth in range(5)]
        assert counts == [1, 1, 3, 9, 27]
        assert [drafter.begun for drafter in forced.drafters] == [0, step, step]
        assert set(planned.sources[1:]) <= {"heads", "ngrams"}


def test_a_shape_may_have_more_children_than_drafters_usually_propose() -> None:
    config = DraftingConfig("tokenswift", ("feature",), (12, 1))
    wide = world({"feature": "good"}, config=config, max_nodes=30)
    wide.drafters[0].hits = tuple(0.5 / rank for rank in range(2, 14))
    planned = wide.step()
    assert [planned.tree.depths.count(depth) for depth in range(3)] == [1, 12, 12]
    assert planned.ranks[1:13] == tuple(range(12))


def test_a_shape_that_the_pass_cannot_hold_is_cut_best_first() -> None:
    config = DraftingConfig("tokenswift", ("feature",), (2, 2, 2))
    planned = world({"feature": "good"}, config=config, max_nodes=5).step()
    assert len(planned.tree.tokens) == 6
    assert planned.num_candidates > 5
    assert all(planned.tree.parents[node] < node for node in range(1, 6))


def test_given_drafters_without_a_shape_compete_with_plain_and_no_other() -> None:
    chosen = world({"feature": "good", "ngrams": "fair"}, config=DraftingConfig("tokenswift", ("ngrams",)))
    chosen.run(200)
    assert [figures.name for figures in chosen.planner.subsets()] == ["plain", "ngrams"]
    assert chosen.drafters[0].begun == 0
    assert chosen.drafters[1].begun > 100


def test_a_shape_without_a_list_competes_with_plain() -> None:
    hostile = world({"heads": "hostile"}, config=DraftingConfig("tokenswift", (), (1, 3)))
    hostile.run(300)
    drafted = hostile.drafted_steps
    hostile.run(500)
    assert hostile.drafted_steps - drafted < 25


def test_the_partial_cache_joins_where_the_text_is_much_longer_than_it() -> None:
    kinds: dict[Source, Kind] = {
        "heads": "hostile",
        "partial": "good",
        "feature": "hostile",
        "ngrams": "fair",
    }
    long = world(kinds, steep, DraftingConfig("tokenswift", partial_budget=500))
    partial = long.drafters[1]
    while long.index < 990:
        long.step()
    assert partial.begun == 0
    long.run(1000)
    assert partial.begun > 500
    named = world(kinds, steep, DraftingConfig("tokenswift", ("partial",), partial_budget=500))
    named.run(100)
    assert named.drafters[1].begun > 50


def test_there_are_few_subsets_and_plain_is_one_of_them() -> None:
    for count in range(len(SOURCES) + 1):
        figures = world(dict.fromkeys(SOURCES[:count], "fair")).planner.subsets()
        assert len(figures) <= (10 if "partial" in SOURCES[:count] else 8)
        assert next(iter(figures)).name == "plain"
        assert {(source,) for source in SOURCES[:count]} <= {one.sources for one in figures}
        assert all(one.tokens_per_ms is None for one in figures)


def test_subsets_report_what_was_played() -> None:
    played = world({"feature": "good"})
    rate = played.run(500)
    plain, feature = played.planner.subsets()
    assert plain.steps + feature.steps == 500
    assert feature.tokens_per_ms == pytest.approx(rate, rel=0.15)
    assert plain.tokens_per_ms == pytest.approx(plain_rate(flat), rel=0.15)


def test_acceptance_is_what_the_drafter_is_worth() -> None:
    good = world({"feature": "good"})
    good.run(1500)
    figures = {(one.depth, one.rank): one for one in good.planner.acceptance()}
    for depth in (1, 2):
        for rank, chance in enumerate(HITS["good"]):
            figure = figures[depth, rank]
            assert figure.source == "feature"
            assert figure.hits / figure.offered == pytest.approx(chance, abs=0.05)


def test_where_there_is_no_room_no_drafter_is_asked_and_no_subset_is_blamed() -> None:
    full = world({"feature": "good"})
    for _ in range(50):
        planned = full.step(max_depth=0)
        assert planned.tree.tokens == [truth(full.index - 2)]
        assert planned.subset is None
    assert full.drafters[0].begun == 0
    assert [figures.steps for figures in full.planner.subsets()] == [0, 0]


def test_a_pass_without_room_for_draft_tokens_is_plain() -> None:
    narrow = world({"feature": "good"}, config=DraftingConfig("tokenswift", ("feature",), (1,)), max_nodes=0)
    assert narrow.step().tree.tokens == [truth(0)]
    assert narrow.drafters[0].begun == 0


def test_all_drafters_observe_and_reset_whether_asked_or_not() -> None:
    run = world({"feature": "good", "ngrams": "fair"}, config=DraftingConfig("tokenswift", ("ngrams",), (1,)))
    run.planner.observe(Observed([4, 5]))
    run.planner.reset()
    assert [(drafter.observed, drafter.resets) for drafter in run.drafters] == [([4, 5], 1)] * 2


def test_a_drafter_that_is_not_there_is_rejected() -> None:
    with pytest.raises(ValueError, match="no drafter for heads"):
        Planner([], DraftingConfig("tokenswift", ("heads",)), max_nodes=7, padded=True)
    with pytest.raises(ValueError, match="max_nodes"):
        Planner([], DraftingConfig("tokenswift"), max_nodes=-1, padded=True)


def test_without_drafters_every_step_is_plain() -> None:
    alone = world({})
    assert alone.run(20) > 0
    assert alone.drafted_steps == 0


def test_a_step_that_was_called_off_teaches_nothing() -> None:
    run = world({"feature": "good"})
    planned = run.planner.draft(request(1), 0)
    run.planner.learn(planned, [], 3.0, 0.1)
    assert [figures.steps for figures in run.planner.subsets()] == [0, 0]


def test_draft_time_is_what_the_drafters_took() -> None:
    config = DraftingConfig("tokenswift", ("feature",), (1, 1))
    planned = world({"feature": "good"}, config=config).step()
    assert planned.draft_ms == pytest.approx(BEGIN_MS["good"] + 2 * LEVEL_MS["good"])


@few
@given(
    st.lists(st.sampled_from(SOURCES), unique=True, max_size=4),
    st.lists(st.integers(1, 4), max_size=4),
    st.booleans(),
    st.integers(0, 16),
    st.lists(st.integers(0, 8), min_size=1, max_size=40),
)
def test_every_plan_keeps_to_the_rules_of_a_pass(
    sources: list[Source], shape: list[int], named: bool, max_nodes: int, rooms: list[int]
) -> None:
    config = DraftingConfig("tokenswift", tuple(sources) if named else (), tuple(shape))
    run = world(dict.fromkeys(sources, "good"), steep, config, max_nodes)
    for room in rooms:
        planned = run.step(max_depth=room)
        tree = planned.tree
        assert len(tree.tokens) <= max_nodes + 1
        assert tree.depth <= room
        assert all(tree.parents[node] < node for node in range(1, len(tree.tokens)))
        assert len(tree.tokens) == len(planned.sources) == len(planned.chances) == len(planned.ranks)
        assert planned.sources[ROOT] is None
        assert planned.num_candidates >= len(tree.tokens) - 1
        for drafter in run.drafters:  # asked once per depth, in order, the root first
            assert [depth for depth, _ in drafter.calls] == list(range(len(drafter.calls)))


def test_drafts_that_explore_dear_wide_passes_do_not_speak_against_a_drafter() -> None:
    def verify(nodes: int, _length: int) -> float:
        return 10.0 + (1.5 if nodes == 1 else 4.0 * nodes)

    dear = world({"ngrams": "fair"}, verify)
    dear.run(60)
    before = dear.drafted_steps
    dear.run(60)
    assert dear.drafted_steps - before > 30


def narrow(nodes: int, _length: int) -> float:
    """Cost a pass in which few rows are bound by memory, and more of them by arithmetic."""
    return (11.9, 12.2, 14.7, 17.2, 19.8, 22.4, 25.0, 27.6)[nodes]


def test_what_little_is_to_be_gained_is_gained_from_the_first_page() -> None:
    small = world({"ngrams": "fair"}, narrow)
    assert small.run(150) > 1.12 * plain_rate(narrow)


def test_the_first_page_finds_the_better_of_two_drafters_and_explores_nothing_on_the_way() -> None:
    both = world({"feature": "good", "ngrams": "fair"}, narrow)
    first = [both.step() for _ in range(11)]
    assert not any(planned.explores for planned in first)
    assert max(len(planned.tree.tokens) for planned in first) <= 3
    assert both.run(100) > 1.25 * plain_rate(narrow)


@pytest.mark.parametrize("busier", [0.5, 1.0, 3.0])
def test_a_machine_that_is_busier_than_at_load_does_not_make_wide_passes_seem_cheap(busier: float) -> None:
    changed = world({"ngrams": "fair"}, narrow, busier=busier)
    drafted = [len(changed.step().tree.tokens) - 1 for _ in range(300)]
    assert 0.9 < sum(drafted) / len(drafted) < 1.2  # the third row costs more than it brings


@pytest.mark.parametrize(
    "kinds", [{"heads": "hostile"}, {"partial": "slow"}, dict.fromkeys(SOURCES, "hostile")]
)
def test_the_first_trials_lose_no_more_than_any(kinds: dict[Source, Kind]) -> None:
    useless = world(kinds, narrow)
    assert useless.run(400) > 0.97 * plain_rate(narrow)


def test_settled_plain_decoding_rests_for_most_steps_and_still_tries_again() -> None:
    hostile = world({"feature": "hostile"})
    assert not hostile.planner.rest()
    hostile.run(100)
    before, rested = hostile.drafters[0].begun, 0
    for _ in range(2000):
        if hostile.planner.rest():
            hostile.index += 1
            rested += 1
        else:
            hostile.step()
    assert rested > 1400
    assert 0 < hostile.drafters[0].begun - before < 30

"""Figures of a run against their definitions, counted by hand and counted afresh."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import SOURCES, Source
from quire_engine.metrics.acceptance import PHRASES, RunMetrics, StepMetrics
from tests.engine.tiny import few


def step(
    depth: int, *sources: Source, nodes: int | None = None, cut: int = 0, margin: float = 1.0
) -> StepMetrics:
    return StepMetrics(
        num_nodes=depth if nodes is None else nodes,
        draft_depth=depth,
        accepted_sources=sources,
        num_tokens=len(sources) + 1 - cut,
        draft_ms=1.0,
        verify_ms=6.0,
        rest_ms=1.0,
        margin=margin,
    )


@st.composite
def steps(draw: st.DrawFn) -> StepMetrics:
    depth = draw(st.integers(0, 5))
    accepted = draw(st.lists(st.sampled_from(SOURCES), max_size=depth))
    return step(depth, *accepted, nodes=depth + draw(st.integers(0, 9)), margin=draw(st.floats(0, 9)))


def figures(*run: StepMetrics) -> RunMetrics:
    total = RunMetrics()
    for facts in run:
        total.add(facts)
    return total


def test_a_run_of_three_steps_counted_by_hand() -> None:
    run = figures(
        step(4, "feature", "ngrams", nodes=7, margin=0.5),
        step(4, "ngrams", "fourgrams", "ngrams", margin=0.25),
        step(0),
    )
    assert run.alpha == 5 / 8  # the paper's accepted / (steps x gamma) over the two steps that drafted
    assert run.beta == 3 / 8  # only the second path is made of phrases from end to end
    assert run.phrase_share == 4 / 5
    assert run.tokens_per_pass == 8 / 3
    assert run.acceptance_at_depth == (1.0, 1.0, 0.5, 0.0)
    assert run.accepted_lengths == (1, 0, 1, 1)
    assert run.accepted_by_source == {"feature": 1, "ngrams": 3, "fourgrams": 1}
    assert run.tokens_per_s == pytest.approx(8 / 0.024)
    assert run.outside_share == pytest.approx(1 / 8)
    report = run.report()
    assert (report["steps"], report["tokens"], report["drafting_steps"]) == (3, 8, 2)
    assert report["nodes_per_step"] == pytest.approx(11 / 3)
    assert (report["draft_ms"], report["verify_ms"], report["rest_ms"]) == (3.0, 18.0, 3.0)
    assert report["margin"] == 0.25


def test_at_a_fixed_depth_alpha_is_the_papers() -> None:
    gamma = 4
    heads: list[Source] = ["heads", "heads", "heads", "heads"]
    run = figures(*[step(gamma, *heads[:kept]) for kept in (0, 4, 2, 1)])
    assert run.alpha == 7 / (4 * gamma)


def test_a_run_without_drafts_has_no_rates() -> None:
    empty, plain = RunMetrics(), figures(step(0), step(0))
    assert empty.report()["tokens_per_pass"] is None
    assert (plain.alpha, plain.beta, plain.phrase_share, plain.tokens_per_pass) == (None, None, None, 1.0)
    assert plain.acceptance_at_depth == ()
    assert figures(step(3)).alpha == 0.0


def test_a_step_that_a_goal_cut_counts_the_tokens_that_stayed() -> None:
    run = figures(step(3, "heads", "heads", cut=1))
    assert run.num_tokens == 2
    assert run.num_accepted == 2


def test_more_accepted_than_drafted_is_rejected() -> None:
    with pytest.raises(ValueError, match="depth 1"):
        step(1, "heads", "heads")


@few
@given(st.lists(steps(), max_size=20))
def test_figures_follow_from_their_definitions(run: list[StepMetrics]) -> None:
    total = figures(*run)
    accepted = [len(facts.accepted_sources) for facts in run]
    assert total.num_accepted == sum(accepted) == sum(total.accepted_by_source.values())
    assert sum(total.accepted_lengths) == len(run)
    assert sum(place * steps for place, steps in enumerate(total.accepted_lengths)) == sum(accepted)
    assert len(total.acceptance_at_depth) == max((facts.draft_depth for facts in run), default=0)
    for depth, rate in enumerate(total.acceptance_at_depth, start=1):
        deep = [
            kept >= depth for kept, facts in zip(accepted, run, strict=True) if facts.draft_depth >= depth
        ]
        assert rate == sum(deep) / len(deep)
    if total.alpha is not None and total.beta is not None:
        assert 0 <= total.beta <= total.alpha <= 1
    phrases = [source for facts in run for source in facts.accepted_sources if source in PHRASES]
    assert total.phrase_share == (len(phrases) / sum(accepted) if sum(accepted) else None)
    assert math.isclose(total.margin, min((facts.margin for facts in run), default=math.inf))


@few
@given(st.lists(steps(), max_size=5))
def test_a_report_is_json_without_infinities(run: list[StepMetrics]) -> None:
    json.dumps(figures(*run).report(), allow_nan=False)

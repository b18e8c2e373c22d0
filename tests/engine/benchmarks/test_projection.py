"""What is projected follows from what was measured: known integrals, known work, and nothing made up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks.engine import roofline_estimate
from tests.benchmarks.engine.model_shapes import SHAPES, Work, table_of_shapes
from tests.benchmarks.engine.projection import (
    LONG_TEXT,
    Accepted,
    Curve,
    DraftCosts,
    acceptance_of,
    minutes,
    project,
)

H200 = 4.8e12
FREE = Curve(((0, 0.0),))


def constant(value: float) -> Curve:
    return Curve(((0, value),))


def accepted(method: str, rows: int, per_pass: float, levels: float = 0.0) -> Accepted:
    return Accepted(method, rows, constant(per_pass), constant(levels))


def test_the_sizes_are_those_of_the_models() -> None:
    assert SHAPES["qwen2.5-1.5b"].num_parameters == 1_543_714_304
    assert SHAPES["qwen2.5-7b"].num_parameters == 7_615_616_512
    assert SHAPES["llama-3.1-8b"].num_parameters == 8_030_261_248
    assert SHAPES["llama-3.1-8b"].cache_bytes(2) == 128 << 10
    lines = table_of_shapes(list(SHAPES.values()))
    assert len(lines) == 1 + len(SHAPES)
    assert all("config.json" in line for line in lines if "2.5" in line or "3.1" in line)


@pytest.mark.parametrize("name", ["small", "tiny", "qwen2.5-1.5b"])
def test_a_configuration_of_the_library_has_these_sizes(name: str) -> None:
    shape = SHAPES[name]
    config: Any = shape.config(3)
    assert config.num_hidden_layers == 3
    assert config.rope_parameters["rope_theta"] == shape.rope["rope_theta"]
    assert (config.hidden_size, config.vocab_size) == (shape.hidden_size, shape.vocab_size)


def test_the_work_of_a_pass_is_its_weights_and_its_cache() -> None:
    llama = SHAPES["llama-3.1-8b"]
    embedding = llama.vocab_size * llama.hidden_size
    plain = llama.pass_work(1, 4096, 2)
    assert plain.num_bytes == 2 * (llama.num_parameters - embedding + llama.hidden_size) + 4097 * (128 << 10)
    # more rows read no more weights, and compute as many times more
    wide = llama.pass_work(32, 4096, 2)
    assert wide.num_bytes - plain.num_bytes == 31 * (2 * llama.hidden_size + (128 << 10))
    assert wide.flops == pytest.approx(32 * plain.flops, rel=0.01)
    # the design's figures for an H200
    assert plain.memory_ms(H200) == pytest.approx(3.24, abs=0.02)
    assert llama.pass_work(1, 100_000, 2).memory_ms(H200) == pytest.approx(5.86, abs=0.02)
    assert llama.partial_work(100_000, 4096, 2).memory_ms(H200) == pytest.approx(3.26, abs=0.02)


def test_a_partial_cache_costs_the_same_at_any_length_beyond_it() -> None:
    shape = SHAPES["qwen2.5-7b"]
    assert shape.partial_work(4096, 4096, 2) == shape.partial_work(100_000, 4096, 2)
    assert shape.partial_work(1000, 4096, 2).num_bytes < shape.partial_work(4096, 4096, 2).num_bytes
    assert (
        shape.level_work(4, 2).num_bytes
        < shape.root_level_work(2).num_bytes
        < shape.partial_work(0, 32, 2).num_bytes
    )
    assert shape.heads_work(2).num_bytes < shape.pass_work(1, 0, 2).num_bytes / 5


def test_work_adds_up() -> None:
    work = Work(10, 3) + Work(2, 4)
    assert work == Work(12, 7)
    assert work.memory_ms(12_000) == 1
    assert work.arithmetic_ms(7_000) == 1


def test_curves_join_what_is_known_with_lines() -> None:
    curve = Curve(((10, 1.0), (20, 3.0), (40, 3.0)))
    assert [curve.at(x) for x in (10, 15, 20, 30, 50)] == [1, 2, 3, 3, 3]
    assert curve.at(8) == pytest.approx(0.6)
    assert curve.at(0) == 0
    held = Curve(curve.points, goes_on=False)
    assert [held.at(x) for x in (0, 12, 90)] == [1, pytest.approx(1.4), 3]
    assert constant(7).at(123) == 7
    for points in ((), ((2, 1.0), (1, 1.0)), ((1, 1.0), (1, 2.0))):
        with pytest.raises(ValueError, match="ascending"):
            Curve(points)


@given(st.floats(0.1, 100), st.floats(0, 0.01))
def test_minutes_of_a_straight_line_are_exact(start: float, slope: float) -> None:
    taken = minutes(lambda length: start + slope * length)
    assert taken == pytest.approx(LONG_TEXT * (start + slope * LONG_TEXT / 2) / 60_000)


@given(st.floats(1, 8), st.floats(1, 4), st.floats(0, 5), st.floats(0, 6))
def test_drafts_pay_by_tokens_per_pass_over_the_cost_of_a_step(
    per_pass: float, cost: float, level: float, levels: float
) -> None:
    drafts = DraftCosts(FREE, FREE, constant(level), constant(level))
    plain, swift = project(
        constant(6), {8: constant(6 * cost)}, drafts, [accepted("TokenSwift", 8, per_pass, levels)]
    )
    assert plain.minutes == pytest.approx(10)
    assert swift.over_plain == pytest.approx(per_pass * 6 / (6 * cost + level * levels))
    assert swift.minutes == pytest.approx(plain.minutes / swift.over_plain)
    assert swift.tokens_per_pass == pytest.approx(per_pass)


def test_every_method_pays_for_its_own_drafts() -> None:
    drafts = DraftCosts(constant(8), constant(2), constant(3), constant(1))
    methods = ["TokenSwift", *(f"TokenSwift: {s}" for s in ("partial", "heads", "feature", "ngrams"))]
    costs = [drafts.of(method, 2.5, 4096) for method in methods]
    assert costs == [4.5, 8, 2, 4.5, 0]
    assert drafts.of("TokenSwift", 0.5, 4096) == 1.5


def test_a_method_takes_the_next_wider_passes_or_is_left_out() -> None:
    drafts = DraftCosts(FREE, FREE, FREE, FREE)
    methods = [accepted("narrow", 12, 2.0), accepted("wide", 64, 2.0)]
    found = project(constant(1), {8: constant(9), 16: constant(2), 32: constant(9)}, drafts, methods)
    assert [one.method for one in found] == ["plain", "narrow"]
    assert found[1].over_plain == pytest.approx(1)


def speed_report() -> dict[str, Any]:
    """A report as `benchmarks.engine speed` writes it, as far as it is read."""

    def method(name: str, per_pass: float | None, depth: int) -> dict[str, Any]:
        figures = None if per_pass is None else {"drafted_depth": depth, "steps": 10}
        return {"name": name, "tokens_per_pass": per_pass, "figures": figures}

    return {
        "machine": {"width": 8},
        "lengths": [
            {"context": 4096, "methods": [method("TokenSwift", 2.5, 30), method("generate", None, 0)]},
            {
                "context": 1024,
                "methods": [method("TokenSwift", 2.0, 20), method("TokenSwift, unpadded", 9, 9)],
            },
        ],
    }


def test_acceptance_is_read_from_a_report_of_speed() -> None:
    (one,) = acceptance_of(speed_report())
    assert (one.method, one.rows) == ("TokenSwift", 8)
    assert [one.per_pass.at(x) for x in (0, 1024, 4096, 90_000)] == [2, 2, 2.5, 2.5]
    assert one.levels.at(1024) == 2


@pytest.mark.parametrize("report", [{}, [], {"machine": {"width": 8}, "lengths": []}, {"machine": 1}])
def test_other_files_are_no_acceptance(report: Any) -> None:
    with pytest.raises(EnvironmentProblem, match=r"benchmarks\.engine speed"):
        acceptance_of(report)


def test_every_line_on_paper_says_so() -> None:
    shape = SHAPES["llama-3.1-8b"]
    lines, report = roofline_estimate.reckon(
        shape, H200, 2, [4096, 100_000], [8], 4096, acceptance_of(speed_report()), 1.25
    )
    assert all(line.startswith("on paper") for line in lines)
    assert report["named"] == "on paper"
    assert report["passes"][1]["plain_ms"] == pytest.approx(5.86, abs=0.02)
    plain, swift = report["minutes_per_100k_by_times_of_roofline"]["1.0"]
    slower = report["minutes_per_100k_by_times_of_roofline"]["1.25"]
    assert plain["minutes"] == pytest.approx(7.5, abs=0.1)  # from 3.13 to 5.86 ms
    assert slower[0]["minutes"] == pytest.approx(1.25 * plain["minutes"])
    assert 1 < swift["over_plain"] < 2.5

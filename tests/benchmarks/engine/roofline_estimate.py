"""What a machine that nobody has here could do at the best: bytes over bandwidth, and nothing measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.benchmarks.engine.model_shapes import Shape
from tests.benchmarks.engine.projection import Accepted, Curve, DraftCosts, project, where_measured

ON_PAPER = "on paper"
"""Begins every line of it."""


def reckon(
    shape: Shape,
    bytes_per_s: float,
    itemsize: int,
    lengths: Sequence[int],
    rows: Sequence[int],
    budget: int,
    accepted: Sequence[Accepted],
    goal: float,
) -> tuple[list[str], dict[str, Any]]:
    """Return lines for people and a report: milliseconds at 100% of a bandwidth, and minutes of a long text.

    Args:
        rows: of verify passes.
        goal: how many times its roofline a step may take; minutes are given for 1 and for it. Arithmetic and
            the host are taken to be free, which they are the less the more rows a pass has.
    """
    passes = [
        {
            "length": length,
            "plain_ms": shape.pass_work(1, length, itemsize).memory_ms(bytes_per_s),
            "verify_ms": {str(r): shape.pass_work(r, length, itemsize).memory_ms(bytes_per_s) for r in rows},
            "partial_ms": shape.partial_work(length, budget, itemsize).memory_ms(bytes_per_s),
            "heads_ms": shape.heads_work(itemsize).memory_ms(bytes_per_s),
            "root_level_ms": shape.root_level_work(itemsize).memory_ms(bytes_per_s),
            "level_ms": shape.level_work(1, itemsize).memory_ms(bytes_per_s),
        }
        for length in lengths
    ]
    projected = {
        str(times): [
            one.report() for one in _projected(shape, bytes_per_s / times, itemsize, rows, budget, accepted)
        ]
        for times in (1.0, goal)
    }
    lines = [*_heading(shape, bytes_per_s, itemsize), *_table(passes)]
    lines += [where_measured(accepted)] if accepted else []
    lines += _minutes(projected)
    return [f"{ON_PAPER}: {line}" for line in lines], {
        "named": ON_PAPER,
        "bytes_per_s": bytes_per_s,
        "passes": passes,
        "minutes_per_100k_by_times_of_roofline": projected,
    }


def _projected(
    shape: Shape,
    bytes_per_s: float,
    itemsize: int,
    rows: Sequence[int],
    budget: int,
    accepted: Sequence[Accepted],
) -> list[Any]:
    ends = sorted({0, budget, 100_000})  # straight lines in between

    def pass_curve(one: int) -> Curve:
        return Curve(tuple((x, shape.pass_work(one, x, itemsize).memory_ms(bytes_per_s)) for x in ends))

    drafts = DraftCosts(
        partial=Curve(
            tuple((x, shape.partial_work(x, budget, itemsize).memory_ms(bytes_per_s)) for x in ends)
        ),
        heads=Curve(((0, shape.heads_work(itemsize).memory_ms(bytes_per_s)),)),
        root_level=Curve(((0, shape.root_level_work(itemsize).memory_ms(bytes_per_s)),)),
        level=Curve(((0, shape.level_work(1, itemsize).memory_ms(bytes_per_s)),)),
    )
    wanted = sorted({*rows, *(one.rows for one in accepted)})
    return project(pass_curve(1), {r: pass_curve(r) for r in wanted}, drafts, accepted)


def _heading(shape: Shape, bytes_per_s: float, itemsize: int) -> list[str]:
    return [
        f"{shape.name} ({shape.num_parameters:,} parameters, {shape.source}), {8 * itemsize}-bit numbers, "
        f"at 100% of {bytes_per_s / 1e9:,.0f} GB/s; nobody ran this"
    ]


def _table(passes: Sequence[dict[str, Any]]) -> list[str]:
    rows = [*passes[0]["verify_ms"]]
    lines = [
        f"{'context':>9}{'plain ms':>10}{'tokens/s':>10}"
        + "".join(f"{f'M={r} ms':>10}" for r in rows)
        + f"{'partial':>9}{'heads':>7}{'feature root':>14}{'level':>7}"
    ]
    for one in passes:
        lines.append(
            f"{one['length']:9,}{one['plain_ms']:10.2f}{1e3 / one['plain_ms']:10.1f}"
            + "".join(f"{one['verify_ms'][r]:10.2f}" for r in rows)
            + f"{one['partial_ms']:9.2f}{one['heads_ms']:7.2f}{one['root_level_ms']:14.2f}"
            + f"{one['level_ms']:7.2f}"
        )
    return lines


def _minutes(projected: dict[str, list[dict[str, Any]]]) -> list[str]:
    lines = []
    for times, methods in projected.items():
        for one in methods:
            lines.append(
                f"100,000 tokens at {float(times):g}x of the roofline, {one['method']}: "
                f"{one['minutes']:.1f} minutes"
                + (
                    f" ({one['over_plain']:.2f}x plain, {one['tokens_per_pass']:.2f} tokens per pass)"
                    if one["method"] != "plain"
                    else ""
                )
            )
    return lines

"""What `roofline` says to people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quire_engine.models.attention import BLOCK
from tests.benchmarks.engine import pass_times as timed
from tests.benchmarks.engine.device_limits import DeviceSpeed
from tests.benchmarks.engine.generate_step_times import GenerateSteps
from tests.benchmarks.engine.model_shapes import Shape
from tests.benchmarks.engine.pass_times import Timing
from tests.benchmarks.engine.projection import LONG_TEXT, Accepted, Projected, where_measured

COLUMNS = (
    f"{'context':>9}  {'':32}{'rows':>5}{'ms':>10}{'quartiles':>20}{'best':>10}{'memory':>10}{'ratio':>7}"
    f"{'arithmetic':>12}{'calls':>7}"
)
"""memory, arithmetic: milliseconds that the device needs at its best for either. ratio: to the memory's."""


def heading(machine: dict[str, Any]) -> str:
    """Return one line that says where and with what it ran."""
    load = machine["load_at_the_start"]
    return (
        f"random weights in {machine['dtype']} on {machine['device']} ({machine['processor']}, "
        f"{machine['cores']} cores, {machine['threads']} threads"
        f"{'' if load is None else f', load {load:.1f}'}), {machine['clock']} time; {machine['software']}"
    )


def lines_of(timing: Timing, speed: DeviceSpeed) -> list[str]:
    """Return one line of the table, and where the time goes if that is known."""
    quartiles = f"{timing.low_ms:.2f} to {timing.high_ms:.2f}"
    first = (
        f"{timing.length:9,}  {timing.kind:32}{timing.rows:5}{timing.ms:10.2f}{quartiles:>20}"
        f"{timing.best_ms:10.2f}{timing.work.memory_ms(speed.read):10.2f}{timing.ratio:7.2f}"
        f"{timing.work.arithmetic_ms(speed.flops):12.2f}{timing.calls or '':>7}"
    )
    parts = [f"{'':11}{part.share:5.0%} {part.calls:7.0f} times  {part.name[:70]}" for part in timing.parts]
    return [first, *parts]


def verdicts(timings: Sequence[Timing], width: int, goal: float, speed: DeviceSpeed) -> list[str]:
    """Return, for every length, how plain steps are to the goal, and what the calls of a pass cost."""
    lines = []
    for one in timings:
        if one.kind != timed.PLAIN_STEP:
            continue
        alone = timed.find(timings, timed.PASS, one.rows, one.length)
        use = "as Quire writes" if one.rows == width else "the narrowest"
        lines.append(
            f"{one.length:9,}  plain step with {_rows(one.rows)} ({use}): {one.ratio:.2f}x its bandwidth "
            f"roofline (goal {goal:g}x: {'reached' if one.ratio <= goal else 'missed'}), the pass alone "
            f"{alone.ratio:.2f}x; {alone.calls} calls of tiny kernels would take "
            f"{alone.calls * speed.call_us / 1e3:.2f} ms of its {alone.ms:.2f}"
        )
    return lines


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count} rows"


def generate_lines(steps: Sequence[GenerateSteps], timings: Sequence[Timing], width: int) -> list[str]:
    """Return plain decoding against the library's, in tokens per second."""
    lines = []
    for one in steps:
        if one.ms is None:
            lines.append(f"{one.length:9,}  generate, {one.cache} cache: not measured. {one.reason}")
            continue
        plain = [
            f"{1e3 / t.ms:.1f} with {_rows(t.rows)}, {one.ms / t.ms:.2f}x"
            for t in timings
            if t.kind == timed.PLAIN_STEP and t.length == one.length
        ]
        lines.append(
            f"{one.length:9,}  generate, {one.cache} cache: {1e3 / one.ms:.1f} tokens/s ({one.ms:.2f} ms a "
            f"step); plain: {'; '.join(dict.fromkeys(plain))}"
        )
    return lines


def extrapolated_lines(timings: Sequence[Timing], measured: Shape, shape: Shape) -> list[str]:
    """Return what all layers would take, as far as it follows from the layers that were measured."""
    lines = [f"extrapolated from {measured.num_layers} to {shape.num_layers} layers, not measured:"]
    for one in timings:
        if one.kind in (timed.PASS, timed.PLAIN_STEP, timed.VERIFY_STEP, timed.PARTIAL):
            lines.append(f"{one.length:9,}  extrapolated {one.kind}, {_rows(one.rows)}: {one.ms:.2f} ms")
    return lines


def projected_lines(projected: Sequence[Projected], accepted: Sequence[Accepted], longest: int) -> list[str]:
    """Return the minutes of a long text. longest: tokens of context behind which passes were timed."""
    if not projected:
        return ["not projected: that needs passes behind two lengths of context or more"]
    lines = []
    if longest < LONG_TEXT - BLOCK:
        lines.append(f"projected: the times of passes behind {longest:,} tokens of context go on as lines")
    if accepted:
        lines.append(f"projected: {where_measured(accepted)}")
    for one in projected:
        drafted = (
            ""
            if one.method == "plain"
            else f", {one.over_plain:.2f}x plain, with {one.tokens_per_pass:.2f} tokens per pass"
        )
        lines.append(f"projected, {LONG_TEXT:,} tokens, {one.method}: {one.minutes:.1f} minutes{drafted}")
    return lines

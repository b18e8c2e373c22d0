"""From the milliseconds of passes and the tokens that a pass brings to the minutes of a long text.

Pure arithmetic, on measured or on estimated times. What comes out is a projection and is called one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quire_engine.api.errors import EnvironmentProblem

LONG_TEXT = 100_000
"""Tokens of the text whose time is projected, written from an empty context on."""
_PIECES = 400


@dataclass(frozen=True, slots=True)
class Curve:
    """A quantity by length of the context: straight lines between what is known.

    Attributes:
        points: (length, value), ascending and at least one.
        goes_on: beyond the ends the nearest line continues, as the time of a pass does, whose cache grows
            token by token; otherwise the value at the end holds.
    """

    points: tuple[tuple[float, float], ...]
    goes_on: bool = True

    def __post_init__(self) -> None:
        lengths = [length for length, _ in self.points]
        if not lengths or sorted(set(lengths)) != lengths:
            raise ValueError("a curve needs points of ascending lengths")

    def at(self, length: float) -> float:
        """Return the value at a length; never below 0."""
        points = self.points
        if len(points) == 1:
            return points[0][1]
        if not self.goes_on:
            length = min(max(length, points[0][0]), points[-1][0])
        right = min(max(bisect_right([at for at, _ in points], length), 1), len(points) - 1)
        (x0, y0), (x1, y1) = points[right - 1], points[right]
        return max(0.0, y0 + (y1 - y0) * (length - x0) / (x1 - x0))


@dataclass(frozen=True, slots=True)
class Accepted:
    """What one way of drafting brought on a real model, by length of the context.

    Attributes:
        method: as the report of `benchmarks.engine speed` names it.
        rows: of its passes.
        per_pass: tokens that a step adds.
        levels: how deep its drafts are, on average over all steps.
    """

    method: str
    rows: int
    per_pass: Curve
    levels: Curve


@dataclass(frozen=True, slots=True)
class Projected:
    """Minutes of a long text by one method; over_plain: how many times faster than plain decoding."""

    method: str
    minutes: float
    over_plain: float
    tokens_per_pass: float

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DraftCosts:
    """Milliseconds by length: of the paper's partial pass, its heads, and levels of the feature drafter."""

    partial: Curve
    heads: Curve
    root_level: Curve
    level: Curve

    def of(self, method: str, levels: float, length: float) -> float:
        """Return what a step of this method spends on its draft, on the device.

        Phrases cost nothing there. Left to itself, TokenSwift chooses among all drafters; as deep as its
        drafts are, they are estimated as if the feature drafter had made every level.
        """
        source = method.rpartition(": ")[2] if ": " in method else "feature"
        if source == "partial":
            return self.partial.at(length)
        if source == "heads":
            return self.heads.at(length)
        if source != "feature":
            return 0.0
        root, deeper = min(levels, 1.0), max(levels - 1.0, 0.0)
        return root * self.root_level.at(length) + deeper * self.level.at(length)


def minutes(ms_per_token: Callable[[float], float], num_tokens: int = LONG_TEXT) -> float:
    """Return the minutes of a text that begins with no context. ms_per_token: at a length of context."""
    width = num_tokens / _PIECES
    # the middle of every piece: exact where the time is a straight line
    return sum(ms_per_token((piece + 0.5) * width) for piece in range(_PIECES)) * width / 60_000


def project(
    plain: Curve, verify: Mapping[int, Curve], drafts: DraftCosts, accepted: Sequence[Accepted]
) -> list[Projected]:
    """Return the minutes of a long text: plain, and by every method whose acceptance was measured.

    Args:
        plain: milliseconds of a plain step.
        verify: of a step that checks a tree, by rows of its pass; a method whose rows were not timed takes
            the next wider passes, and is left out where there are none.
    """
    base = minutes(plain.at)
    projected = [Projected("plain", base, 1.0, 1.0)]
    for one in accepted:
        rows = min((r for r in verify if r >= one.rows), default=None)
        if rows is None:
            continue
        taken = minutes(_drafted(verify[rows], drafts, one))
        mean = sum(one.per_pass.at(place * LONG_TEXT / 100) for place in range(101)) / 101
        projected.append(Projected(one.method, taken, base / taken, mean))
    return projected


def _drafted(verify: Curve, drafts: DraftCosts, one: Accepted) -> Callable[[float], float]:
    def ms_per_token(length: float) -> float:
        step = verify.at(length) + drafts.of(one.method, one.levels.at(length), length)
        return step / one.per_pass.at(length)

    return ms_per_token


def where_measured(accepted: Sequence[Accepted]) -> str:
    """Say behind how much text the acceptance was measured, and what is taken beyond it."""
    lengths = [length for one in accepted for length, _ in one.per_pass.points]
    return (
        f"acceptance measured on another model behind {min(lengths):,.0f} to {max(lengths):,.0f} tokens of "
        "context, taken to stay the same before and beyond; the host's part of drafting is not counted"
    )


def acceptance_of(report: Mapping[str, Any]) -> list[Accepted]:
    """Return what a report of `benchmarks.engine speed` measured; EnvironmentProblem where it is no such
    report."""
    try:
        rows = int(report["machine"]["width"])
        found: dict[str, dict[float, tuple[float, float]]] = {}
        for measured in report["lengths"]:
            for method in measured["methods"]:
                figures = method["figures"]
                if not method["name"].startswith("TokenSwift") or "unpadded" in method["name"]:
                    continue
                depth = figures["drafted_depth"] / figures["steps"]
                brought = float(method["tokens_per_pass"]), float(depth)
                found.setdefault(method["name"], {})[float(measured["context"])] = brought
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise EnvironmentProblem(
            "The acceptance must be a report that `python -m tests.benchmarks.engine speed --json` wrote."
        ) from error
    if not found:
        raise EnvironmentProblem(
            "This report of `benchmarks.engine speed` has no drafts in it; let it measure some."
        )
    return [
        Accepted(
            name,
            rows,
            Curve(tuple((length, places[length][0]) for length in sorted(places)), goes_on=False),
            Curve(tuple((length, places[length][1]) for length in sorted(places)), goes_on=False),
        )
        for name, places in found.items()
    ]

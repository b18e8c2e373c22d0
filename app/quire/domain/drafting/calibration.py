"""How fast a model is on this computer: what a calibration measured, and its form in the settings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from quire.domain.drafting.time_left import TimeCurve
from quire_engine.api.queries import Calibrated, PacePoint

MAX_KEPT = 40
"""Models whose figures are kept; the one measured first gives way."""
_MOST_POINTS = 40
_MOST_MS = 1e7


@dataclass(frozen=True, slots=True)
class Calibration:
    """The result of a calibration.

    Attributes:
        points: one measurement for each context length, in tokens.
        p0_ms, p1_ms: a plain token takes p0 + p1 x length.
        shape: how the model computed, such as "bfloat16/8"; other shapes have other figures.
    """

    measured: date
    points: tuple[PacePoint, ...]
    p0_ms: float
    p1_ms: float
    tokens_per_pass: float
    shape: str = ""

    def plain_s(self, length: float) -> float:
        """Return the seconds of a plain token at a context length."""
        return (self.p0_ms + self.p1_ms * length) / 1000

    @property
    def curve(self) -> TimeCurve:
        """Return the seconds of an accelerated token by length; of a plain one without acceleration."""
        fast = [(one.length, one.accelerated_ms) for one in self.points if one.accelerated_ms is not None]
        if not fast:
            return TimeCurve(self.p0_ms / 1000, self.p1_ms / 1000)
        return _line([(length, milliseconds / 1000) for length, milliseconds in fast])

    def boost(self, length: float, token_s: float) -> float | None:
        """Return the speedup over plain decoding; None where it was not measured."""
        plain_s = self.plain_s(length)
        return plain_s / token_s if token_s > 0 and plain_s > 0 else None


def calibration_of(answer: Calibrated, measured: date, shape: str) -> Calibration:
    """Return the engine's measurement in the form that is stored."""
    return Calibration(measured, answer.points, answer.p0_ms, answer.p1_ms, answer.tokens_per_pass, shape)


def shape_of(dtype: str, width: int) -> str:
    """Return a key that distinguishes the ways of computing with the same model."""
    return f"{dtype}/{width}"


# ------------------------------------------------------------ in the settings, by fingerprint
def kept_calibration(kept: Mapping[str, object], fingerprint: str, shape: str) -> Calibration | None:
    """Return the figures of a model; None where it was not measured with this shape."""
    value = _entry(kept, fingerprint).get("pace")
    try:
        found = _calibration(value)
    except (KeyError, TypeError, ValueError):
        return None
    return found if found.shape == shape else None


def with_calibration(
    kept: Mapping[str, object], fingerprint: str, calibration: Calibration
) -> dict[str, object]:
    """Return the stored calibrations with the figures of one model added."""
    points = [[one.length, one.plain_ms, one.accelerated_ms] for one in calibration.points]
    pace = {
        "measured": calibration.measured.isoformat(),
        "points": points,
        "plain": [calibration.p0_ms, calibration.p1_ms],
        "tokens_per_pass": calibration.tokens_per_pass,
        "shape": calibration.shape,
    }
    return _with_entry(kept, fingerprint, _entry(kept, fingerprint) | {"pace": pace})


def kept_reading_speed(kept: Mapping[str, object], fingerprint: str) -> float:
    """Return the prefill speed of a model in tokens per second; 0 where it is unknown."""
    speed = _entry(kept, fingerprint).get("reading")
    if isinstance(speed, bool) or not isinstance(speed, int | float):
        return 0.0
    return float(speed) if math.isfinite(speed) and speed > 0 else 0.0


def with_reading_speed(
    kept: Mapping[str, object], fingerprint: str, tokens_per_s: float
) -> dict[str, object]:
    """Return the stored speeds with the prefill speed of one model added."""
    entry = _entry(kept, fingerprint) | {"reading": round(tokens_per_s, 1)}
    return _with_entry(kept, fingerprint, entry)


def _entry(kept: Mapping[str, object], fingerprint: str) -> dict[str, object]:
    value = kept.get(fingerprint)
    return dict(value) if isinstance(value, dict) else {}


def _with_entry(
    kept: Mapping[str, object], fingerprint: str, entry: Mapping[str, object]
) -> dict[str, object]:
    others = [(name, value) for name, value in kept.items() if name != fingerprint]
    return dict([*others[-(MAX_KEPT - 1) :], (fingerprint, dict(entry))])


def _calibration(value: object) -> Calibration:
    if not isinstance(value, dict):
        raise TypeError("no object")
    rows = value["points"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= _MOST_POINTS:
        raise ValueError("no points")
    p0_ms, p1_ms = value["plain"]
    return Calibration(
        date.fromisoformat(value["measured"]),
        tuple(_point(*row) for row in rows),
        _figure(p0_ms, lowest=-_MOST_MS),
        _figure(p1_ms),
        _figure(value["tokens_per_pass"]),
        str(value["shape"]),
    )


def _point(length: object, plain_ms: object, accelerated_ms: object) -> PacePoint:
    fast_ms = None if accelerated_ms is None else _figure(accelerated_ms)
    return PacePoint(round(_figure(length)), _figure(plain_ms), fast_ms)


def _figure(value: object, lowest: float = 0.0) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= _MOST_MS:
        raise ValueError("no figure")
    return float(value)


def _line(points: Sequence[tuple[int, float]]) -> TimeCurve:
    """Return the least-squares line through seconds by length; its slope is never negative."""
    mean_length = sum(length for length, _ in points) / len(points)
    mean_s = sum(seconds for _, seconds in points) / len(points)
    spread = sum((length - mean_length) ** 2 for length, _ in points)
    together = sum((length - mean_length) * (seconds - mean_s) for length, seconds in points)
    slope = max(together / spread, 0.0) if spread > 0 else 0.0
    return TimeCurve(mean_s - slope * mean_length, slope)

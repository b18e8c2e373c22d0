"""A training's loss as a picture: SVG written by hand, readable in a browser and on a project page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

Point = tuple[float, float]

_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 20, 44, 56
_INK, _GRID, _TRAINING, _HELD_OUT = "#333333", "#dddddd", "#6c8ebf", "#b3502e"
_MAX_POINTS = 400  # of the smoothed line: more cannot be seen


def read_log(file: Path) -> list[Point]:
    """Return (tokens, loss) of every row of a log; its second and its last column. Empty without the file."""
    if not file.is_file():
        return []
    rows = (line.split(",") for line in file.read_text(encoding="utf-8").splitlines())
    return [(float(row[1]), float(row[-1])) for row in rows]


def smoothed(points: Sequence[Point], max_points: int = _MAX_POINTS) -> list[Point]:
    """Return means over equal runs of points, at most about `max_points` of them."""
    size = max(1, math.ceil(len(points) / max_points))
    runs = [points[start : start + size] for start in range(0, len(points), size)]
    return [(sum(x for x, _ in run) / len(run), sum(y for _, y in run) / len(run)) for run in runs]


def loss_curve(training: Sequence[Point], held_out: Sequence[Point], title: str) -> str:
    """Return an SVG of nats per token over tokens seen: a line for training, points for held-out books.

    What is not a number is left out. With fewer than two points in all there are axes and no curve.
    """
    line = [point for point in smoothed(training) if math.isfinite(point[1])]
    dots = [point for point in held_out if math.isfinite(point[1])]
    frame = _Frame(line, dots)
    path = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in line)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="13" fill="{_INK}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-size="15">{escape(title)}</text>',
        *frame.axes(),
        f'<polyline points="{path}" fill="none" stroke="{_TRAINING}" stroke-width="1.5"/>',
        *(
            f'<circle cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="3.5" fill="{_HELD_OUT}"/>'
            for x, y in dots
        ),
        *_legend(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Frame:
    """Maps tokens and losses to the picture and draws the axes around it."""

    def __init__(self, line: Sequence[Point], dots: Sequence[Point]) -> None:
        xs = [x for x, _ in (*line, *dots)] or [1.0]
        ys = [y for _, y in (*line, *dots)] or [0.0, 1.0]
        self._x_step = _round_step(max(xs))
        self._x_end = max(xs)
        self._y_step = _round_step(max(ys) - min(ys))
        self._y_low = math.floor(min(ys) / self._y_step) * self._y_step
        self._y_high = math.ceil(max(ys) / self._y_step) * self._y_step
        if self._y_high == self._y_low:
            self._y_high += self._y_step

    def x(self, tokens: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * tokens / self._x_end

    def y(self, loss: float) -> float:
        share = (loss - self._y_low) / (self._y_high - self._y_low)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    def axes(self) -> list[str]:
        parts = []
        bottom = _HEIGHT - _BOTTOM
        for number in range(int(self._x_end / self._x_step + 1e-9) + 1):
            place = self.x(number * self._x_step)
            parts.append(f'<path d="M{place:.1f} {bottom}v5" stroke="{_INK}"/>')
            label = _tokens(number * self._x_step)
            parts.append(f'<text x="{place:.1f}" y="{bottom + 20}" text-anchor="middle">{label}</text>')
        for number in range(round((self._y_high - self._y_low) / self._y_step) + 1):
            loss = self._y_low + number * self._y_step
            place = self.y(loss)
            parts.append(f'<path d="M{_LEFT} {place:.1f}H{_WIDTH - _RIGHT}" stroke="{_GRID}"/>')
            parts.append(f'<text x="{_LEFT - 8}" y="{place + 4:.1f}" text-anchor="end">{loss:.3g}</text>')
        parts.append(f'<path d="M{_LEFT} {_TOP}V{bottom}H{_WIDTH - _RIGHT}" fill="none" stroke="{_INK}"/>')
        center, middle = (_LEFT + _WIDTH - _RIGHT) / 2, (_TOP + bottom) / 2
        parts.append(f'<text x="{center}" y="{_HEIGHT - 14}" text-anchor="middle">tokens seen</text>')
        parts.append(
            f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">nats per token</text>'
        )
        return parts


def _legend() -> list[str]:
    x, y = _WIDTH - 200, _TOP + 10
    return [
        f'<path d="M{x} {y}h24" stroke="{_TRAINING}" stroke-width="2"/>',
        f'<text x="{x + 32}" y="{y + 4}">training, smoothed</text>',
        f'<circle cx="{x + 12}" cy="{y + 20}" r="3.5" fill="{_HELD_OUT}"/>',
        f'<text x="{x + 32}" y="{y + 24}">held-out books</text>',
    ]


def _round_step(span: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that divides a span into four to ten parts."""
    if span <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(span / 4))
    return max(step * power for step in (1, 2, 5) if step * power <= span / 4 * (1 + 1e-9))


def _tokens(count: float) -> str:
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "K")):
        if count >= size:
            return f"{count / size:.4g}{letter}"
    return f"{count:.4g}"

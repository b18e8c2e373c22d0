"""Line charts as plain SVG, for results that are looked at outside of Quire."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 680, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 240, 60, 48
_COLOURS = ("#1b6ca8", "#c8553d", "#3c8d40", "#8e5ea2", "#b07d1a", "#5c6b73", "#c2477f", "#2a9d8f")


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over one axis. lines: points in order of x, by name; a point that is NaN is left out."""

    title: str
    x_name: str
    y_name: str
    lines: Mapping[str, Points]

    def svg(self) -> str:
        """Return it as an SVG document; both axes begin at 0."""
        lines = {name: _known(line) for name, line in self.lines.items()}
        points = [point for line in lines.values() for point in line]
        right = _top_of_axis(max((x for x, _ in points), default=1.0))
        top = _top_of_axis(max((y for _, y in points), default=1.0))
        parts = [*self._frame(right, top)]
        for number, (name, line) in enumerate(lines.items()):
            colour = _COLOURS[number % len(_COLOURS)]
            path = " ".join(f"{_across(x, right):.1f},{_up(y, top):.1f}" for x, y in line)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [
                f'<circle cx="{_across(x, right):.1f}" cy="{_up(y, top):.1f}" r="3" fill="{colour}"/>'
                for x, y in line
            ]
            parts.append(_text(_WIDTH - _RIGHT + 12, _TOP + 12 + 18 * number, name, colour=colour))
        size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        body = "\n".join(parts)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n{body}\n</svg>\n'

    def _frame(self, right: float, top: float) -> list[str]:
        """Return background, title, and both axes with their numbers."""
        low, high = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
        parts = [
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
            _text(_LEFT, 22, self.title, size=15),
            f'<path d="M{_LEFT},{_TOP} V{low} H{high}" fill="none" stroke="#333333"/>',
            _text((_LEFT + high) / 2, _HEIGHT - 10, self.x_name, anchor="middle"),
            _text(_LEFT - 48, _TOP - 14, self.y_name),
        ]
        for step in range(5):
            x, y = right * step / 4, top * step / 4
            parts.append(_text(_across(x, right), low + 16, f"{x:,g}", anchor="middle"))
            parts.append(_text(_LEFT - 6, _up(y, top) + 4, f"{y:,g}", anchor="end"))
            parts.append(f'<path d="M{_LEFT},{_up(y, top):.1f} H{high}" stroke="#dddddd"/>')
        return parts


def _known(line: Points) -> Points:
    return [(x, y) for x, y in line if not math.isnan(y)]


def _top_of_axis(highest: float) -> float:
    """Return the next round number whose quarters are round, too."""
    if highest <= 0:
        return 1.0
    unit = 10.0 ** math.floor(math.log10(highest))
    return next(unit * step for step in (1, 1.2, 1.6, 2, 4, 6, 8, 10) if unit * step >= highest)


def _across(x: float, right: float) -> float:
    return _LEFT + (_WIDTH - _RIGHT - _LEFT) * x / right


def _up(y: float, top: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * y / top


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = "#222222"
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
    return f"<text {place}>{escape(text)}</text>"

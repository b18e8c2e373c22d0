from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtGui import QColor

from quire.charts.chart_data import ChartSeries, SeriesRole
from quire.charts.chart_style import band_stroke, mixed, strokes_of
from quire.theme.colour_tokens import DARK, LIGHT, Tokens, contrast

THEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK])


def series(*roles: SeriesRole) -> list[ChartSeries]:
    return [ChartSeries(role.value, role.value, [], role) for role in roles]


@THEMES
@pytest.mark.parametrize(
    "roles",
    [
        [SeriesRole.LINE, SeriesRole.LINE, SeriesRole.LINE, SeriesRole.EXPECTED],
        [SeriesRole.LAYER, SeriesRole.LAYER, SeriesRole.LAYER, SeriesRole.LINE, SeriesRole.SHARE],
    ],
)
def test_no_two_series_differ_in_colour_alone(tokens: Tokens, roles: list[SeriesRole]) -> None:
    strokes = strokes_of(series(*roles), tokens)
    for one, other in combinations(strokes, 2):
        if one.pen.style() == other.pen.style() and one.brush.style() == other.brush.style():
            # two plain fillings lie on one another; their lightness tells them apart in grey as well
            lightness = sorted(grey(stroke.brush.color()) for stroke in (one, other))
            assert lightness[1] - lightness[0] > 0.05
    assert len({stroke.pen.color().name() + stroke.brush.color().name() for stroke in strokes}) == len(roles)


@THEMES
def test_every_line_can_be_seen(tokens: Tokens) -> None:
    for stroke in strokes_of(
        series(SeriesRole.LINE, SeriesRole.LINE, SeriesRole.LINE, SeriesRole.EXPECTED, SeriesRole.SHARE),
        tokens,
    ):
        assert contrast(stroke.pen.color().name(), tokens.paper) >= 3
        assert stroke.pen.widthF() == 1


@THEMES
def test_the_band_stands_out_from_the_page(tokens: Tokens) -> None:
    band = band_stroke(tokens).brush.color()
    assert abs(grey(band) - grey(QColor(tokens.paper))) > 0.02


def test_a_mixture_lies_between() -> None:
    assert mixed("#000000", "#ffffff", 0.0).name() == "#ffffff"
    assert mixed("#000000", "#ffffff", 1.0).name() == "#000000"
    assert mixed("#ff0000", "#0000ff", 0.5).name() == "#800080"


def grey(colour: QColor) -> float:
    return 0.3 * colour.redF() + 0.59 * colour.greenF() + 0.11 * colour.blueF()

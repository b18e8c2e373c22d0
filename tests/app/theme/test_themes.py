"""Every theme, in what is drawn by hand and in the whole window."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox

from quire.charts.chart_data import ChartMark, ChartSeries, MarkKind, SeriesRole
from quire.charts.chart_style import band_stroke, mark_pen, strokes_of
from quire.domain.drafting.draft_status import DraftState
from quire.shell.main_window import MainWindow
from quire.theme.colour_tokens import THEMES, Tokens, contrast
from quire.theme.theme_switch import TOKENS_OF, ThemeChoice, ThemeSwitch
from quire.ui.progress_parts import StateDot

EVERY = pytest.mark.parametrize("tokens", [pytest.param(tokens, id=tokens.name) for tokens in THEMES])
CHOICES = pytest.mark.parametrize("choice", TOKENS_OF, ids=lambda choice: choice.value)


def series(*roles: SeriesRole) -> list[ChartSeries]:
    return [ChartSeries(role.value, role.value, [], role) for role in roles]


@EVERY
def test_every_line_of_a_chart_can_be_seen(tokens: Tokens) -> None:
    strokes = strokes_of(
        series(SeriesRole.LINE, SeriesRole.LINE, SeriesRole.LINE, SeriesRole.EXPECTED, SeriesRole.SHARE),
        tokens,
    )
    for stroke in strokes:
        assert contrast(stroke.pen.color().name(), tokens.paper) >= 3
    for kind in MarkKind:
        assert contrast(mark_pen(ChartMark(0, kind, ""), tokens).color().name(), tokens.paper) >= 3
    assert len({stroke.pen.color().name() for stroke in strokes}) == len(strokes)


@EVERY
def test_layers_of_a_chart_differ_in_grey_too(tokens: Tokens) -> None:
    strokes = strokes_of(series(SeriesRole.LAYER, SeriesRole.LAYER, SeriesRole.LAYER), tokens)
    for one, other in combinations(strokes, 2):
        if one.brush.style() == other.brush.style():
            assert abs(grey(one.brush.color()) - grey(other.brush.color())) > 0.05


@EVERY
def test_the_band_stands_out_from_the_page(tokens: Tokens) -> None:
    band = band_stroke(tokens).brush.color()
    assert abs(grey(band) - grey(QColor(tokens.paper))) > 0.02


@EVERY
def test_every_state_shows(tokens: Tokens, qtbot: Any) -> None:
    dot = StateDot()
    qtbot.addWidget(dot)
    dot.setStyleSheet(f"background: {tokens.desk}")
    for state in DraftState:
        dot.show_state(state, tokens)
        assert len(colours(dot.grab().toImage())) > 1, state


@CHOICES
def test_fields_show_their_arrows(themes: ThemeSwitch, qtbot: Any, choice: ThemeChoice) -> None:
    themes.choose(choice)
    tokens = TOKENS_OF[choice]
    for field in (QComboBox(), QSpinBox(), QDoubleSpinBox()):
        qtbot.addWidget(field)
        field.resize(160, 36)
        image = field.grab().toImage()
        arrow = image.copy(image.width() - 22, 5, 17, image.height() - 10)
        closest = min(contrast(colour, tokens.soft_ink) for colour in colours(arrow))
        assert closest < 1.3, field  # it is drawn, in the ink of the theme


@CHOICES
def test_the_window_is_drawn_in_the_colours_of_the_theme(
    window: MainWindow, themes: ThemeSwitch, choice: ThemeChoice, tmp_path: Path
) -> None:
    field = QComboBox()  # the features bring what is drawn raised
    window.add_bar(field)
    field.show()
    themes.choose(choice)
    found = colours(window.grab().toImage())
    tokens = TOKENS_OF[choice]
    assert {tokens.paper, tokens.desk, tokens.raised} <= found
    others = {colour for one in THEMES if one is not tokens for colour in (one.paper, one.desk, one.accent)}
    own = {tokens.paper, tokens.desk, tokens.accent, tokens.raised, tokens.ink, "#000000"}
    assert found & (others - own) == set()


def colours(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    }


def grey(colour: QColor) -> float:
    return 0.3 * colour.redF() + 0.59 * colour.greenF() + 0.11 * colour.blueF()

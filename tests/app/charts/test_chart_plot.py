from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPaintEvent
from PySide6.QtWidgets import QApplication

from quire.charts.chart_data import (
    ChartBand,
    ChartData,
    ChartMark,
    ChartSeries,
    Figures,
    MarkKind,
    SeriesRole,
)
from quire.charts.chart_plot import ChartPlot
from quire.charts.chart_style import band_stroke, strokes_of
from quire.theme.colour_tokens import DARK, LIGHT, Tokens


def chart(*series: ChartSeries, num_rows: int = 101, **more: Any) -> ChartData:
    x = [float(row) for row in range(num_rows)]
    return ChartData("Speed", "It is fast.", "Words", "words", x, (0.0, num_rows - 1.0), series, **more)


def flat(
    role: SeriesRole = SeriesRole.LINE, value: float = 0.5, name: str = "a", num_rows: int = 101
) -> ChartSeries:
    return ChartSeries(name, name, [value] * num_rows, role, Figures.SHARE)


@pytest.fixture
def plot(qtbot: Any) -> ChartPlot:
    plot = ChartPlot()
    qtbot.addWidget(plot)
    plot.resize(600, 220)
    plot.set_tokens(LIGHT)
    plot.show()
    return plot


def inner(plot: ChartPlot) -> QImage:
    """Return the picture of the plot inside its axes."""
    return plot.grab(plot.rect().adjusted(60, 12, -52, -28)).toImage()


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_it_is_drawn_in_the_colours_of_the_theme(plot: ChartPlot, tokens: Tokens) -> None:
    plot.show_data(chart(flat(SeriesRole.BAR, num_rows=3), num_rows=3, y_range=(0.0, 1.0)))
    plot.set_tokens(tokens)
    seen = colours(inner(plot))
    assert tokens.paper in seen
    assert strokes_of([flat(SeriesRole.BAR)], tokens)[0].brush.color().name() in seen


def test_layers_lie_on_one_another(plot: ChartPlot) -> None:
    layers = [
        flat(SeriesRole.LAYER, 1.0, "low"),
        flat(SeriesRole.LAYER, 2.0, "middle"),
        flat(SeriesRole.LAYER, 1.0, "high"),
    ]
    plot.show_data(chart(*layers, flat(SeriesRole.LINE, 4.0, "all")))
    image = inner(plot)
    middle = image.width() // 2
    column = [image.pixelColor(middle, y).name() for y in range(image.height())]
    low, second, _ = (stroke.brush.color().name() for stroke in strokes_of(layers, LIGHT))
    assert column.count(second) == pytest.approx(2 * column.count(low), abs=10)
    assert column.index(second) < column.index(low)


def test_a_scale_counts_in_whole_numbers_and_without_values_there_is_none(plot: ChartPlot) -> None:
    def labels(*values: float) -> list[str]:
        series = ChartSeries("speed", "Speed", list(values), SeriesRole.LINE, Figures.COUNT)
        plot.show_data(chart(series, num_rows=len(values)))
        return [text for _, text in plot._plot.getAxis("left")._tickLevels[0]]

    assert labels(math.nan, math.nan, math.nan) == []
    for top in (0.0, 1.0, 2.0, 3.0):
        assert len(set(labels(0.0, top))) == len(labels(0.0, top)) > 1, top


def test_a_gap_is_not_drawn_over(plot: ChartPlot) -> None:
    values = [1.0] * 101
    values[40:61] = [math.nan] * 21
    layer = ChartSeries("a", "a", values, SeriesRole.LAYER)
    plot.show_data(chart(layer, ChartSeries("all", "all", values)))
    image = inner(plot)
    row = image.height() - 12
    filled = strokes_of([layer], LIGHT)[0].brush.color().name()
    drawn = [image.pixelColor(x, row).name() == filled for x in range(image.width())]
    assert drawn[len(drawn) // 4]
    assert not drawn[len(drawn) // 2]
    assert drawn[3 * len(drawn) // 4]


def test_bands_and_marks_are_there(plot: ChartPlot) -> None:
    data = chart(flat(value=0.1))
    band = ChartBand("Novels", (([0.2] * len(data.x), [0.8] * len(data.x)),))
    mark = ChartMark(50.0, MarkKind.ALARM, "Alarm")
    plot.show_data(chart(flat(value=0.1), bands=(band,), marks=(mark,), y_range=(0.0, 1.0)))
    seen = colours(inner(plot))
    assert band_stroke(LIGHT).brush.color().name() in seen
    assert QColor(LIGHT.alarm).name() in seen


def test_drawing_again_leaves_nothing_behind(plot: ChartPlot) -> None:
    plot.show_data(chart(flat(value=0.9), marks=(ChartMark(50.0, MarkKind.ALARM, "Alarm"),)))
    plot.show_data(chart(num_rows=0))
    assert QColor(LIGHT.alarm).name() not in colours(inner(plot))


def test_newer_numbers_are_painted_once(plot: ChartPlot, qapp: QApplication) -> None:
    plot.show_data(chart(flat()))
    qapp.processEvents()
    painted: list[QPaintEvent] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                painted.append(event)
            return False

    watch = Watch(plot)
    plot.area.installEventFilter(watch)
    for num_rows in (120, 140, 160):
        plot.show_data(chart(flat(num_rows=num_rows), num_rows=num_rows))
        for _ in range(5):
            qapp.processEvents()
    assert len(painted) == 3


def test_the_pointer_finds_the_row_below_it(plot: ChartPlot, qtbot: Any) -> None:
    plot.show_data(chart(flat()))
    with qtbot.waitSignal(plot.pointed) as pointed:
        qtbot.mouseMove(plot.area, QPoint(60 + (600 - 108) // 2, 80))
    assert pointed.args[0] == pytest.approx(50, abs=2)
    with qtbot.waitSignal(plot.left):
        qtbot.mouseMove(plot.area, QPoint(5, 80))


def test_a_click_chooses_and_a_drag_does_not(plot: ChartPlot, qtbot: Any) -> None:
    plot.show_data(chart(flat()))
    area = plot.area
    chosen: list[int] = []
    plot.chosen.connect(chosen.append)
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=QPoint(200, 80))
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=QPoint(320, 80))
    qtbot.mouseClick(area, Qt.MouseButton.RightButton, pos=QPoint(200, 80))
    assert chosen == []
    qtbot.mouseClick(area, Qt.MouseButton.LeftButton, pos=QPoint(58, 80))
    assert chosen == [0]


def test_the_keys_walk_along_the_chart(plot: ChartPlot, qtbot: Any) -> None:
    plot.show_data(chart(flat(num_rows=1_001), num_rows=1_001))
    rows: list[int] = []
    chosen: list[int] = []
    plot.pointed.connect(rows.append)
    plot.chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_End):
        qtbot.keyClick(plot, key)
    assert rows == [990, 0, 0, 10, 1_000]
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert chosen == [1_000]


def test_without_rows_keys_and_pointer_do_nothing(plot: ChartPlot, qtbot: Any) -> None:
    said: list[object] = []
    plot.pointed.connect(said.append)
    plot.chosen.connect(said.append)
    qtbot.keyClick(plot, Qt.Key.Key_End)
    plot.show_data(chart(num_rows=0))
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    qtbot.mouseClick(plot.area, Qt.MouseButton.LeftButton, pos=QPoint(200, 80))
    assert said == []

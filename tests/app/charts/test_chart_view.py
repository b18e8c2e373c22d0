from __future__ import annotations

import math
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester

from quire.charts.chart_data import ChartData, ChartSeries, Figures
from quire.charts.chart_kinds import ChartKind
from quire.charts.chart_source import Axis
from quire.charts.chart_view import REFRESH_MS, ChartTable, ChartTableModel, ChartView
from quire.charts.run_charts import RunCharts
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.charts.simulated_run import simulated_run


@pytest.fixture
def charts() -> RunCharts:
    charts = RunCharts()
    charts.show_run(simulated_run(2_000), 5_000, [800])
    return charts


class Source:
    """Counts how often it was asked."""

    def __init__(self, charts: RunCharts, kind: ChartKind) -> None:
        self.asked = 0
        self._charts, self._kind = charts, kind

    def __call__(self) -> ChartData:
        self.asked += 1
        return self._charts.chart(self._kind)


@pytest.fixture
def source(charts: RunCharts) -> Source:
    return Source(charts, ChartKind.PACE)


@pytest.fixture
def view(source: Source, charts: RunCharts, themes: ThemeSwitch, qtbot: Any) -> ChartView:
    view = ChartView(source, themes)
    qtbot.addWidget(view)
    charts.changed.connect(view.refresh_soon)
    view.resize(900, 240)
    view.show()
    return view


def test_a_thousand_steps_are_one_drawing(
    view: ChartView, source: Source, charts: RunCharts, qtbot: Any
) -> None:
    asked = source.asked
    with qtbot.waitSignal(view.drawn):
        for step in simulated_run(1_000):
            charts.add(step)
    assert source.asked == asked + 1
    assert len(view.data.x) == 3_001


def test_it_is_drawn_ten_times_a_second_at_most(view: ChartView, charts: RunCharts) -> None:
    charts.begin()
    assert view.timer.isSingleShot()
    assert view.timer.interval() >= REFRESH_MS == 500


def test_nothing_is_computed_while_it_is_hidden(view: ChartView, source: Source, charts: RunCharts) -> None:
    view.hide()
    asked = source.asked
    charts.begin(70)
    view.refresh()
    assert source.asked == asked
    assert not view.timer.isActive()
    view.show()
    assert source.asked == asked + 1
    assert view.data.x_range[0] == 70


def test_the_legend_tells_the_last_value_and_the_one_below_the_pointer(view: ChartView) -> None:
    pace = view.data.series[0]
    last = pace.value_text(len(view.data.x) - 1)
    assert view.legend.texts()[0] == f"Speed  {last}"
    assert view.title_label.text() == "Speed"
    view.plot.pointed.emit(700)
    assert view.legend.texts()[0] == f"Speed  {pace.value_text(700)}"
    assert view.title_label.text() == view.data.x_text(700)
    view.plot.left.emit()
    assert view.legend.texts()[0] == f"Speed  {last}"


def test_a_mark_below_the_pointer_is_named(view: ChartView) -> None:
    mark = view.data.marks[0]
    row = view.data.nearest_row(mark.x)
    assert row is not None
    view.plot.pointed.emit(row)
    assert view.title_label.text() == f"{mark.x:,.0f} words, Paused"
    view.plot.pointed.emit(row - 200)
    assert "Paused" not in view.title_label.text()


def test_a_row_that_is_gone_is_not_pointed_at(view: ChartView, charts: RunCharts, qtbot: Any) -> None:
    view.plot.pointed.emit(1_500)
    with qtbot.waitSignal(view.drawn):
        charts.show_run(simulated_run(40), 5_000)
    assert view.title_label.text() == "Speed"


@pytest.mark.parametrize("axis", Axis)
def test_a_click_goes_to_the_place_in_the_manuscript(
    view: ChartView, charts: RunCharts, axis: Axis, qtbot: Any
) -> None:
    view.set_source(partial(charts.chart, ChartKind.PACE, axis))
    with qtbot.waitSignal(view.place_chosen) as chosen:
        qtbot.mouseClick(view.plot.area, Qt.MouseButton.LeftButton, pos=QPoint(58, 60))
    assert chosen.args[0] == pytest.approx(5_000, abs=20)
    with qtbot.waitSignal(view.place_chosen) as chosen:
        qtbot.keyClick(view.plot, Qt.Key.Key_End)
        qtbot.keyClick(view.plot, Qt.Key.Key_Return)
    assert chosen.args == [round(view.data.places[-1])]


def test_a_bar_is_no_place_to_go_to(charts: RunCharts, themes: ThemeSwitch, qtbot: Any) -> None:
    view = ChartView(partial(charts.chart, ChartKind.DEPTHS), themes)
    qtbot.addWidget(view)
    view.show()
    chosen: list[int] = []
    view.place_chosen.connect(chosen.append)
    view.plot.chosen.emit(1)
    assert chosen == []
    assert view.legend.texts() == ["Accepted"]
    view.plot.pointed.emit(0)
    assert view.legend.texts() == [f"Accepted  {view.data.series[0].value_text(0)}"]


def test_it_says_in_a_sentence_what_it_shows(view: ChartView) -> None:
    for twin in (view, view.plot):
        assert twin.accessibleName() == "Speed"
        assert twin.accessibleDescription() == view.data.summary
        assert "words per minute now" in twin.accessibleDescription()


def test_the_table_has_the_same_numbers(view: ChartView, charts: RunCharts, qtbot: Any) -> None:
    view.show_table(on=True)
    assert view.table.isVisible()
    assert not view.plot.isVisible()
    assert view.table.model().rowCount() == len(view.data.x) == 2_001
    with qtbot.waitSignal(view.drawn):
        charts.add(simulated_run(1)[0])
    assert view.table.model().rowCount() == 2_002
    assert len(view.csv_text().splitlines()) == 2_003
    view.show_table(on=False)
    assert view.plot.isVisible()


def test_a_long_run_is_drawn_less_often_instead_of_holding_the_window_up(
    view: ChartView, charts: RunCharts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quire.charts.chart_view.QElapsedTimer.elapsed", lambda _: 50)
    view.refresh()
    assert view.timer.interval() == 1_000
    monkeypatch.setattr("quire.charts.chart_view.QElapsedTimer.elapsed", lambda _: 2)
    view.refresh()
    assert view.timer.interval() == REFRESH_MS


def test_a_change_of_theme_is_drawn_at_once(view: ChartView, themes: ThemeSwitch) -> None:
    themes.choose(ThemeChoice.DARK)
    image = view.plot.grab().toImage()
    assert image.pixelColor(2, 2).name() == themes.tokens.paper


def test_it_never_makes_the_window_wider(charts: RunCharts, themes: ThemeSwitch, qtbot: Any) -> None:
    view = ChartView(partial(charts.chart, ChartKind.GUESSES), themes)
    qtbot.addWidget(view)
    assert view.minimumSizeHint().width() < 600


def chart(*rows: tuple[float, float], column: str = "pace", has_places: bool = True) -> ChartData:
    x, y = [at for at, _ in rows], [value for _, value in rows]
    series = ChartSeries("Speed", column, y, figures=Figures.COUNT, unit="w/min", hint="Words per minute")
    places = [10 * at for at in x] if has_places else []
    return ChartData("Speed", "It is fast.", "Words written", "words", x, (0, 9), (series,), places=places)


@pytest.fixture
def rows(qtbot: Any) -> ChartTableModel:
    rows = ChartTableModel()
    QAbstractItemModelTester(rows, QAbstractItemModelTester.FailureReportingMode.Fatal, rows)
    return rows


def cells(rows: ChartTableModel) -> list[list[str]]:
    return [
        [rows.data(rows.index(row, column)) for column in range(rows.columnCount())]
        for row in range(rows.rowCount())
    ]


def test_a_row_for_each_x_and_a_dash_for_a_gap(rows: ChartTableModel) -> None:
    assert (rows.rowCount(), rows.columnCount()) == (0, 0)
    rows.show_data(chart((1, 1530), (2, math.nan)))
    assert cells(rows) == [["1", "1,530 w/min"], ["2", "–"]]
    across = Qt.Orientation.Horizontal
    assert [rows.headerData(section, across) for section in (0, 1)] == ["Words written", "Speed"]
    assert rows.headerData(1, across, Qt.ItemDataRole.ToolTipRole) == "Words per minute"


def test_rows_are_added_without_moving_what_is_read(rows: ChartTableModel, qtbot: Any) -> None:
    rows.show_data(chart((1, 5)))
    resets: list[None] = []
    rows.modelReset.connect(lambda: resets.append(None))
    with qtbot.waitSignals([rows.rowsInserted, rows.dataChanged]):
        rows.show_data(chart((1, 6), (2, 7)))
    assert resets == []
    assert cells(rows) == [["1", "6 w/min"], ["2", "7 w/min"]]


@pytest.mark.parametrize("other", [chart((1, 5)), chart((1, 5), (2, 6), column="other")])
def test_another_chart_begins_anew(rows: ChartTableModel, other: ChartData, qtbot: Any) -> None:
    rows.show_data(chart((1, 5), (2, 6)))
    with qtbot.waitSignal(rows.modelReset):
        rows.show_data(other)
    assert rows.rowCount() == len(other.x)


def test_a_row_can_be_gone_to(qtbot: Any) -> None:
    table = ChartTable()
    qtbot.addWidget(table)
    table.show_data(chart((1, 5), (2, 6)))
    with qtbot.waitSignal(table.place_chosen) as chosen:
        table.activated.emit(table.model().index(1, 0))
    assert chosen.args == [20]
    assert table.accessibleName() == "Speed as a table"
    assert table.accessibleDescription() == "It is fast."


def test_a_row_without_a_place_cannot(qtbot: Any) -> None:
    table = ChartTable()
    qtbot.addWidget(table)
    table.show_data(chart((1, 5), has_places=False))
    chosen: list[int] = []
    table.place_chosen.connect(chosen.append)
    table.activated.emit(table.model().index(0, 0))
    assert chosen == []


def test_the_newest_row_stays_in_sight_unless_the_writer_reads_farther_up(qtbot: Any) -> None:
    table = ChartTable()
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show()
    table.show_data(chart(*[(row, row) for row in range(100)]))
    assert table.verticalScrollBar().value() == table.verticalScrollBar().maximum()
    table.show_data(chart(*[(row, row) for row in range(110)]))
    assert table.verticalScrollBar().value() == table.verticalScrollBar().maximum()
    table.verticalScrollBar().setValue(3)
    table.show_data(chart(*[(row, row) for row in range(120)]))
    assert table.verticalScrollBar().value() == 3


def test_rows_have_none_below_them(rows: ChartTableModel) -> None:
    rows.show_data(chart((1, 5)))
    below = rows.index(0, 0)
    assert rows.rowCount(below) == rows.columnCount(below) == 0
    assert rows.data(QModelIndex()) is None

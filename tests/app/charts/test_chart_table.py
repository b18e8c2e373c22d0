from __future__ import annotations

import math
from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from quire.charts.chart_data import ChartData, ChartSeries, Figures
from quire.charts.chart_table import ChartTable, ChartTableModel


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

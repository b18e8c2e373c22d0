from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPalette

from quire.charts.chart_data import MarkKind
from quire.charts.pace_sparkline import HEIGHT_PX, REFRESH_MS, PaceSparkline
from quire.charts.run_charts import RunCharts
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.charts.simulated_run import simulated_run


@pytest.fixture
def charts() -> RunCharts:
    return RunCharts()


@pytest.fixture
def spark(charts: RunCharts, themes: ThemeSwitch, qtbot: Any) -> PaceSparkline:
    spark = PaceSparkline(charts, themes)
    qtbot.addWidget(spark)
    spark.resize(400, HEIGHT_PX)
    spark.show()
    return spark


def looks(spark: PaceSparkline, colour: str, x: int) -> bool:
    """Whether a column of pixels has a colour in it."""
    image: QImage = spark.grab().toImage()
    return any(image.pixelColor(x, y) == QColor(colour) for y in range(image.height()))


def distance(one: QColor, other: QColor) -> int:
    channels = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return sum(abs(a - b) for a, b in channels)


def inked_columns(spark: PaceSparkline) -> list[int]:
    """Return the columns in which something lies above the base line, within the ring of the focus."""
    image = spark.grab().toImage()
    ground = spark.palette().color(QPalette.ColorRole.Window)
    return [
        x
        for x in range(1, image.width() - 1)
        if any(distance(image.pixelColor(x, y), ground) > 60 for y in range(2, image.height() - 6))
    ]


def test_it_is_a_line_of_28_pixels_that_never_stands_in_the_way(spark: PaceSparkline) -> None:
    assert spark.height() == HEIGHT_PX == 28
    assert spark.minimumSizeHint().width() <= 100
    assert inked_columns(spark) == []


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_the_course_of_the_pace_is_drawn(
    spark: PaceSparkline, charts: RunCharts, themes: ThemeSwitch, theme: ThemeChoice, qtbot: Any
) -> None:
    themes.choose(theme)
    charts.show_run(simulated_run(1_500))
    qtbot.waitUntil(lambda: len(spark.data.x) == 1_500)
    inked = inked_columns(spark)
    assert len(inked) > 380
    assert inked[-1] >= 396


def test_a_pause_leaves_a_gap_around_its_mark(
    spark: PaceSparkline, charts: RunCharts, themes: ThemeSwitch, qtbot: Any
) -> None:
    steps = simulated_run(1_000)
    charts.show_run(steps, paused_at=[sum(step.num_tokens for step in steps[:500])])
    qtbot.waitUntil(lambda: len(spark.data.x) == 1_001)
    at = round(400 * steps[499].num_words / steps[-1].num_words)
    inked = inked_columns(spark)
    assert not {at - 1, at + 1} <= set(inked)
    assert any(looks(spark, themes.tokens.rest, x) for x in range(at - 1, at + 2))


def test_steps_are_drawn_together(spark: PaceSparkline, charts: RunCharts) -> None:
    assert spark.timer.interval() == REFRESH_MS == 250
    for step in simulated_run(50):
        charts.add(step)
    assert spark.timer.isActive()
    assert len(spark.data.x) == 0


def test_nothing_is_done_while_it_is_hidden(spark: PaceSparkline, charts: RunCharts) -> None:
    spark.hide()
    charts.show_run(simulated_run(50))
    assert not spark.timer.isActive()
    assert len(spark.data.x) == 0
    spark.show()
    assert len(spark.data.x) == 50


def test_a_click_goes_to_the_place(spark: PaceSparkline, charts: RunCharts, qtbot: Any) -> None:
    charts.show_run(simulated_run(1_000), 5_000)
    qtbot.waitUntil(lambda: len(spark.data.x) == 1_000)
    with qtbot.waitSignal(spark.place_chosen) as chosen:
        qtbot.mouseClick(spark, Qt.MouseButton.LeftButton, pos=QPoint(200, 14))
    words = spark.data.x_range[1] - 5_000
    assert chosen.args[0] == pytest.approx(5_000 + words / 2, rel=0.01)


def test_the_pace_below_the_pointer_is_told(spark: PaceSparkline, charts: RunCharts, qtbot: Any) -> None:
    qtbot.mouseMove(spark, QPoint(100, 10))
    assert spark.toolTip() == ""
    charts.show_run(simulated_run(1_000), 5_000)
    qtbot.waitUntil(lambda: len(spark.data.x) == 1_000)
    qtbot.mouseMove(spark, QPoint(399, 12))
    row = len(spark.data.x) - 1
    assert spark.toolTip().endswith("w/min")
    assert spark.toolTip().startswith(f"{spark.data.x_text(row)[:3]}")


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_charts_can_be_asked_for(spark: PaceSparkline, key: Qt.Key, qtbot: Any) -> None:
    with qtbot.waitSignal(spark.deck_asked):
        qtbot.keyClick(spark, key)
    with qtbot.waitSignal(spark.deck_asked):
        qtbot.mouseDClick(spark, Qt.MouseButton.LeftButton)


def test_it_says_what_it_shows(spark: PaceSparkline, charts: RunCharts, qtbot: Any) -> None:
    assert spark.accessibleDescription() == "No speed measured yet."
    charts.show_run(simulated_run(1_000))
    charts.mark(MarkKind.ALARM)
    qtbot.waitUntil(lambda: len(spark.data.marks) == 1)
    assert spark.accessibleName() == "Speed"
    assert "words per minute now" in spark.accessibleDescription()

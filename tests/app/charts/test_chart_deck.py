from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from quire.charts.chart_deck import DECK_HEIGHT_PX, ChartDeck, ChartPage
from quire.charts.chart_source import Axis
from quire.charts.chart_style import strokes_of
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.live_run_metrics import ComparedRun, DistinctPoint
from quire.theme.colour_tokens import LIGHT
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.charts.simulated_run import simulated_run

VARIETY = (
    DistinctPoint(4_000, 1_200, (0.35, 0.8, 0.96, 0.99)),
    DistinctPoint(5_000, 2_000, (0.32, 0.78, 0.95, 0.98)),
)
CLOSED_DECK = """
import sys
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
app = QApplication([])
from quire.charts.run_charts import RunCharts
from quire.theme.theme_switch import ThemeSwitch
from quire.charts.chart_deck import ChartDeck
from tests.app.charts.simulated_run import simulated_run
charts, themes = RunCharts(), ThemeSwitch(app)
deck = ChartDeck(charts, themes)
charts.show_run(simulated_run(500))
assert not {"pyqtgraph", "numpy"} & set(sys.modules), "loaded before the deck is opened"
deck.show()
assert "pyqtgraph" in sys.modules
"""


@pytest.fixture
def charts() -> RunCharts:
    return RunCharts()


@pytest.fixture
def deck(charts: RunCharts, themes: ThemeSwitch, qtbot: Any) -> Iterator[ChartDeck]:
    deck = ChartDeck(charts, themes)
    qtbot.addWidget(deck)
    deck.resize(1024, 320)
    deck.show()
    yield deck
    QApplication.clipboard().clear()  # the offscreen platform would free a copy after Python has ended


def drafted(charts: RunCharts, num_steps: int = 1_500) -> None:
    charts.show_run(simulated_run(num_steps), 3_000, [500])
    charts.show_distinct(VARIETY)


def titles(deck: ChartDeck) -> list[str]:
    return [view.data.title for view in deck.views]


def test_the_drawing_library_waits_for_the_first_opening() -> None:
    paths = os.pathsep.join([*sys.path, os.getcwd()])
    subprocess.run(
        [sys.executable, "-c", CLOSED_DECK], check=True, timeout=150, env={**os.environ, "PYTHONPATH": paths}
    )


def test_before_a_draft_there_is_a_sentence(deck: ChartDeck, charts: RunCharts) -> None:
    assert deck.empty_label.isVisible()
    assert deck.views == ()
    assert not deck.copy_button.isEnabled()
    drafted(charts)
    assert not deck.empty_label.isVisible()
    assert titles(deck) == ["Speed", "Acceptance", "Distinct-n"]
    assert deck.copy_button.isEnabled()
    charts.begin()
    assert deck.empty_label.isVisible()
    assert deck.summary_label.whole_text == ""


def test_speed_acceptance_and_variety_are_side_by_side_without_the_research_view(
    deck: ChartDeck, charts: RunCharts
) -> None:
    drafted(charts)
    assert all(button.isHidden() for button in deck.page_buttons.values())
    assert titles(deck) == ["Speed", "Acceptance", "Distinct-n"]
    for one, other in pairwise(deck.views):
        assert one.isVisible()
        assert one.geometry().right() < other.geometry().left()
        assert one.geometry().top() == other.geometry().top()
    assert deck.summary_label.whole_text == " ".join(view.data.summary for view in reversed(deck.views))


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (ChartPage.GUESSES, ["Tokens per step", "Distinct-n"]),
        (ChartPage.DEPTH, ["Acceptance by depth", "Accepted per step"]),
        (ChartPage.WHOLE, ["Variety of the whole text"]),
        (ChartPage.STEP_TIME, ["Time per step"]),
    ],
)
def test_the_research_view_has_pages_of_its_own(
    deck: ChartDeck, charts: RunCharts, page: ChartPage, shown: list[str], qtbot: Any
) -> None:
    drafted(charts)
    deck.set_research(on=True)
    qtbot.mouseClick(deck.page_buttons[page], Qt.MouseButton.LeftButton)
    assert deck.page is page
    assert titles(deck) == shown
    assert all(view.isVisible() for view in deck.views)
    deck.set_research(on=False)
    assert deck.page is ChartPage.DRAFT
    assert deck.page_buttons[page].isHidden()


def test_tokens_by_drafter_are_never_shown_without_variety_below_on_the_same_axis(
    deck: ChartDeck, charts: RunCharts
) -> None:
    drafted(charts)
    deck.show_page(ChartPage.GUESSES)
    for axis in Axis:
        deck.show_axis(axis)
        guesses, variety = deck.views
        assert guesses.data.x_range == variety.data.x_range
        assert guesses.geometry().bottom() < variety.geometry().top()
        assert guesses.geometry().left() == variety.geometry().left()
        assert guesses.width() == variety.width()


def test_the_axis_is_that_of_every_page(deck: ChartDeck, charts: RunCharts, qtbot: Any) -> None:
    drafted(charts)
    deck.show_page(ChartPage.GUESSES)
    qtbot.mouseClick(deck.axis_buttons[Axis.TIME], Qt.MouseButton.LeftButton)
    assert {view.data.x_column for view in deck.views} == {"drafting_s"}
    deck.show_page(ChartPage.DRAFT)
    assert deck.views[0].data.x_column == "drafting_s"
    deck.show_page(ChartPage.DEPTH)
    assert not deck.axis_buttons[Axis.WORDS].isEnabled()


def test_charts_on_an_axis_follow_one_pointer(deck: ChartDeck, charts: RunCharts) -> None:
    drafted(charts)
    for view in deck.views:
        view.refresh()
    pace, _, variety = deck.views
    assert variety.legend.texts()[:4] == ["1  0.32", "2  0.78", "3  0.95", "4  0.98"]
    row = pace.data.nearest_row(4_100)
    assert row is not None
    pace.plot.pointed.emit(row)
    assert variety.legend.texts()[1] == "2  0.80"
    assert variety.title_label.text() == "Distinct-n"
    pace.plot.left.emit()
    assert variety.legend.texts()[1] == "2  0.78"


def test_the_words_of_a_place_are_shown_while_it_is_pointed_at(
    deck: ChartDeck, charts: RunCharts, qtbot: Any
) -> None:
    drafted(charts)
    pace = deck.views[0]
    summary = deck.summary_label.whole_text
    with qtbot.waitSignal(deck.place_pointed) as pointed:
        pace.plot.pointed.emit(7)
    assert pointed.args == [round(pace.data.places[7])]
    deck.show_words(3_010, "…and nobody was on it.")
    pace.drawn.emit()  # a draft goes on meanwhile
    assert deck.summary_label.whole_text == "3,010 words: …and nobody was on it."
    pace.plot.left.emit()
    assert deck.summary_label.whole_text == summary


def test_charts_side_by_side_are_drawn_one_after_the_other(
    deck: ChartDeck, charts: RunCharts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quire.charts.chart_view.QElapsedTimer.elapsed", lambda _: 2)
    drafted(charts)
    assert len({view.timer.interval() for view in deck.views}) == len(deck.views) == 3


def test_a_page_that_is_not_seen_is_not_drawn(deck: ChartDeck, charts: RunCharts) -> None:
    drafted(charts)
    pace = deck.views[0]
    deck.show_page(ChartPage.DEPTH)
    charts.add(simulated_run(1)[0])
    assert not pace.timer.isActive()
    assert all(view.timer.isActive() for view in deck.views)


def test_the_numbers_can_be_read_and_copied(deck: ChartDeck, charts: RunCharts, qtbot: Any) -> None:
    drafted(charts)
    deck.show_page(ChartPage.GUESSES)
    qtbot.mouseClick(deck.table_button, Qt.MouseButton.LeftButton)
    assert all(view.table.isVisible() for view in deck.views)
    guesses, variety = deck.views
    assert guesses.geometry().right() < variety.geometry().left()
    deck.show_page(ChartPage.DRAFT)
    assert all(view.table.isVisible() for view in deck.views)
    qtbot.mouseClick(deck.copy_button, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert copied.startswith("words,words_per_min")
    assert "\n\nwords,accepted_per_pass,alpha\n" in copied
    assert copied.endswith(
        "\n\nwords,distinct_1,distinct_2,distinct_3,distinct_4\n4000,0.35,0.8,0.96,0.99\n5000,0.32,0.78,0.95,0.98\n"
    )
    qtbot.mouseClick(deck.table_button, Qt.MouseButton.LeftButton)
    assert all(view.plot.isVisible() for view in deck.views)


def test_a_place_is_passed_on(deck: ChartDeck, charts: RunCharts, qtbot: Any) -> None:
    drafted(charts)
    with qtbot.waitSignal(deck.place_chosen) as chosen:
        deck.views[0].plot.chosen.emit(0)
    assert chosen.args == [round(deck.views[0].data.places[0])]


def test_it_can_be_closed(deck: ChartDeck, qtbot: Any) -> None:
    with qtbot.waitSignal(deck.close_clicked):
        qtbot.mouseClick(deck.close_button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
@pytest.mark.parametrize("width", [1024, 1920])
def test_it_fits_small_and_large_windows(
    deck: ChartDeck, charts: RunCharts, themes: ThemeSwitch, theme: ThemeChoice, width: int
) -> None:
    themes.choose(theme)
    drafted(charts)
    deck.set_research(on=True)
    for page in ChartPage:
        deck.resize(width, 300)
        deck.show_page(page)
        assert deck.minimumSizeHint().width() <= 1024
        assert deck.width() == width
        buttons = [*deck.page_buttons.values(), *deck.axis_buttons.values(), deck.table_button]
        assert all(
            one.geometry().right() < other.geometry().left()
            for one, other in pairwise([*buttons, deck.copy_button, deck.close_button])
        )
        assert all(view.plot.height() > 40 for view in deck.views)


def test_everything_has_a_name(deck: ChartDeck, charts: RunCharts) -> None:
    drafted(charts)
    assert deck.accessibleName() == "Charts"
    for page in ChartPage:
        deck.show_page(page)
        for view in deck.views:
            assert view.plot.accessibleName()
            assert view.plot.accessibleDescription().endswith(".")
            assert view.legend.accessibleName()


def test_another_run_has_a_line_and_a_name_of_its_own(deck: ChartDeck, charts: RunCharts) -> None:
    drafted(charts)
    charts.compare(ComparedRun("Take 2", simulated_run(900, seed=3), 3_000, VARIETY[:1]))
    for page in (ChartPage.DRAFT, ChartPage.GUESSES, ChartPage.DEPTH):
        deck.show_page(page)
        for view in deck.views:
            view.refresh()
            names = [text.split("  ")[0] for text in view.legend.texts()]
            assert "Take 2" in names
            pens = [stroke.pen for stroke in strokes_of(view.data.series, LIGHT)]
            assert len(
                {(pen.color().name(), pen.style()) for pen in pens if pen.style() != Qt.PenStyle.NoPen}
            ) == sum(pen.style() != Qt.PenStyle.NoPen for pen in pens)


def test_the_deck_is_dragged_taller_and_back(charts: RunCharts, themes: ThemeSwitch, qtbot: Any) -> None:
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    page, deck = QWidget(column), ChartDeck(charts, themes, column)
    page.setMinimumHeight(200)
    layout.addWidget(page, 1)
    layout.addWidget(deck)
    qtbot.addWidget(column)
    column.resize(1024, 700)
    column.show()
    qtbot.waitUntil(lambda: deck.height() == DECK_HEIGHT_PX)

    def drag(up: int) -> None:
        qtbot.mousePress(deck.grip, Qt.MouseButton.LeftButton, pos=QPoint(300, 3))
        to = QPointF(300, 3 - up)
        moved = QMouseEvent(
            QEvent.Type.MouseMove, to, QPointF(deck.grip.mapToGlobal(to)),
            Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        QApplication.sendEvent(deck.grip, moved)
        deck.set_height(250)  # as another change of the settings may
        qtbot.mouseRelease(deck.grip, Qt.MouseButton.LeftButton)

    kept: list[int] = []
    deck.height_chosen.connect(kept.append)
    qtbot.mouseClick(deck.grip, Qt.MouseButton.LeftButton)
    drag(100)
    deck.set_height(0)  # what it was set to before
    qtbot.waitUntil(lambda: deck.height() == DECK_HEIGHT_PX + 100)
    drag(400)  # further than the page gives way
    qtbot.waitUntil(lambda: (page.height(), deck.height()) == (200, 500))
    drag(-60)  # from where it is, not from where it was wanted
    qtbot.waitUntil(lambda: deck.height() == 440)
    qtbot.mouseDClick(deck.grip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: deck.height() == DECK_HEIGHT_PX)
    assert kept == [DECK_HEIGHT_PX + 100, 500, 440, 0]  # 0: the usual one, whichever that will be
    deck.set_height(400)
    qtbot.waitUntil(lambda: deck.height() == 400)

"""The worst echoes, one below the other."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.domain.text_quality.echo_report import EchoReport
from quire.overlays.echo_list import EchoList, EchoScope
from quire.theme.theme_switch import ThemeSwitch
from tests.app.overlays.test_echo_models import LINES, REPORT

LEFT = Qt.MouseButton.LeftButton
TITLES = {1: "One", 3: "Three"}


@pytest.fixture
def dialog(themes: ThemeSwitch, qtbot: Any) -> Iterator[EchoList]:
    dialog = EchoList(themes)
    qtbot.addWidget(dialog)
    dialog.show()
    yield dialog
    QApplication.clipboard().clear()


def test_nothing_can_be_done_before_echoes_are_found(dialog: EchoList) -> None:
    assert dialog.summary_label.text() == "Looking for echoes…"
    dialog.show_report(EchoScope.TEXT, EchoReport((), 0.0, 12), {})
    assert not dialog.next_button.isEnabled()
    assert not dialog.copy_button.isEnabled()
    dialog.show_next()
    assert dialog.place_label.text() == ""


def test_the_places_of_a_passage_are_shown_one_after_another(dialog: EchoList, qtbot: Any) -> None:
    places = list[tuple[int, int, int]]()
    dialog.place_chosen.connect(lambda *place: places.append(place))
    dialog.show_report(EchoScope.TEXT, REPORT, TITLES)
    for _ in range(3):
        qtbot.mouseClick(dialog.next_button, LEFT)
    assert places == [(1, 0, 17), (1, 40, 57), (3, 5, 22)]
    assert dialog.place_label.text() == "3 of 3 · Three"
    dialog.table.setFocus()
    qtbot.keyClick(dialog.table, Qt.Key.Key_Down)
    assert dialog.place_label.text() == ""
    qtbot.keyClick(dialog.table, Qt.Key.Key_Return)
    assert places[-1] == (3, 50, 61)


def test_another_scope_is_asked_for_and_an_answer_to_the_first_comes_too_late(
    dialog: EchoList, qtbot: Any
) -> None:
    with qtbot.waitSignal(dialog.wanted) as wanted:
        qtbot.mouseClick(dialog.scope_buttons[EchoScope.BOOK], LEFT)
    assert wanted.args == [EchoScope.BOOK]
    dialog.show_report(EchoScope.TEXT, REPORT, TITLES)
    assert dialog.rows.rowCount() == 0
    dialog.show_report(EchoScope.BOOK, REPORT, TITLES)
    assert dialog.rows.rowCount() == 2
    assert dialog.summary_label.text().startswith("1.23% of 4,000")


def test_looking_again_stays_with_the_passage(dialog: EchoList, qtbot: Any) -> None:
    dialog.show_report(EchoScope.TEXT, REPORT, TITLES)
    dialog.table.setCurrentIndex(dialog.rows.index(1, 0))
    with qtbot.waitSignal(dialog.wanted):
        qtbot.mouseClick(dialog.refresh_button, LEFT)
    dialog.show_report(EchoScope.TEXT, EchoReport(LINES[::-1], 0.01, 4_000), TITLES)
    assert dialog.table.currentIndex().data() == "nobody sang"


def test_the_list_is_copied_as_csv(dialog: EchoList, qtbot: Any) -> None:
    dialog.show_report(EchoScope.TEXT, REPORT, TITLES)
    qtbot.mouseClick(dialog.copy_button, LEFT)
    rows = list(csv.reader(StringIO(QApplication.clipboard().text())))
    assert rows[1] == ["the lamp went out", "3", "1200", "One: 0; One: 40; Three: 5"]
    assert len(rows) == 3

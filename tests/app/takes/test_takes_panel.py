"""The list of takes: what it shows, and what can be asked of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox

from quire.domain.drafting.take_metrics import DraftFigures, TakeFigures, TextFigures
from quire.domain.manuscript.takes import TakeSummary
from quire.takes.take_groups import groups_of, trashed_lines
from quire.takes.takes_panel import TakesPanel
from quire.theme.theme_switch import ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
TAKES = (
    TakeSummary(3, 5, False, 1_234, "A lamp", (5,), after="Once", run_ids=(1,)),
    TakeSummary(6, 9, False, 2, "It burned", (), 3, 1, "A lamp", "Darker"),
    TakeSummary(4, 5, True, 1, "The ferry", after="Once"),
    TakeSummary(8, 5, False, 7, "Nobody", after="Once", trashed=datetime.now(UTC)),
)


@pytest.fixture
def takes(themes: ThemeSwitch, qtbot: Any) -> TakesPanel:
    panel = TakesPanel()
    qtbot.addWidget(panel)
    panel.resize(300, 500)
    panel.show()
    panel.show_takes(groups_of(TAKES), trashed_lines(TAKES))
    return panel


def rows(panel: TakesPanel) -> list[str]:
    return [panel.list.item(row).text() for row in range(panel.list.count())]


def test_takes_are_listed_by_place_with_those_inside_them_and_the_trash(takes: TakesPanel) -> None:
    assert rows(takes) == [
        "After … Once",
        "Take 1 · 1,234 words\nA lamp",
        "After … A lamp",
        "Darker · 2 words\nIt burned",
        "Take 2 · 1 word · in the text\nThe ferry",
        "In the trash",
        "Take 3 · 7 words · 30 days left\nNobody",
    ]
    assert takes.list.currentRow() == 4
    assert not takes.choose_button.isEnabled()  # it is in the text already
    assert not takes.compare_button.isEnabled()


def test_a_take_inside_another_one_is_drawn_further_in(takes: TakesPanel) -> None:
    option_left = [takes.list.visualItemRect(takes.list.item(row)).left() for row in (1, 3)]
    assert (
        option_left[0] == option_left[1]
    )  # the row itself is as wide as the list, so a click anywhere counts
    inner, outer = (takes.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in (3, 1))
    assert "inside another take" in inner
    assert "inside another take" not in outer
    images = [
        takes.list.viewport().grab(takes.list.visualItemRect(takes.list.item(row))).toImage()
        for row in (1, 3)
    ]
    first_ink = []
    for image in images:
        paper = image.pixel(image.width() - 1, 1)
        first_ink.append(
            min(x for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) != paper)
        )
    assert first_ink[1] > first_ink[0] + 8


def test_another_take_is_chosen_and_compared(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(1)
    with qtbot.waitSignal(takes.take_chosen) as chosen:
        qtbot.mouseClick(takes.choose_button, LEFT)
    with qtbot.waitSignal(takes.compare_asked) as compared:
        qtbot.mouseClick(takes.compare_button, LEFT)
    assert (chosen.args, compared.args) == ([3], [(3,)])


def test_two_takes_are_compared_with_each_other(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(1)
    takes.list.item(4).setSelected(True)
    with qtbot.waitSignal(takes.compare_asked) as compared:
        qtbot.mouseClick(takes.compare_button, LEFT)
    assert compared.args == [(3, 4)]
    takes.list.item(3).setSelected(True)
    assert not takes.compare_button.isEnabled()


def test_nothing_is_changed_while_the_text_cannot_change(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(1)
    takes.set_locked(locked=True)
    assert not takes.choose_button.isEnabled()
    assert takes.compare_button.isEnabled()
    with qtbot.assertNotEmitted(takes.take_chosen), qtbot.assertNotEmitted(takes.trash_asked):
        takes.list.itemActivated.emit(takes.list.currentItem())
        qtbot.keyClick(takes.list, Qt.Key.Key_Delete)


def test_keys_put_a_take_away_and_give_it_a_name(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setFocus()
    takes.list.setCurrentRow(1)
    with qtbot.waitSignal(takes.trash_asked) as trashed:
        qtbot.keyClick(takes.list, Qt.Key.Key_Delete)
    assert trashed.args == [3]
    qtbot.keyClick(takes.list, Qt.Key.Key_F2)
    dialog = takes.findChild(QInputDialog)
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue("With the lamp")
    with qtbot.waitSignal(takes.rename_asked) as renamed:
        dialog.accept()
    assert renamed.args == [3, "With the lamp"]


def test_what_stands_in_the_text_is_not_put_away(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(4)
    assert not takes.commands.trash.isEnabled()
    assert not takes.commands.again.isEnabled()  # no model wrote in it
    with qtbot.assertNotEmitted(takes.trash_asked):
        qtbot.keyClick(takes.list, Qt.Key.Key_Delete)


def test_a_take_in_the_trash_can_only_be_looked_at_and_taken_back(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(6)
    do = takes.commands
    assert do.restore.isEnabled()
    assert do.compare.isEnabled()
    assert not any(one.isEnabled() for one in (do.choose, do.trash, do.rename, do.again))
    with qtbot.waitSignal(takes.restore_asked) as restored:
        do.restore.trigger()
    assert restored.args == [8]


@pytest.mark.parametrize(
    ("wish", "button", "expected"),
    [
        ("delete", "Delete Permanently", [(8,)]),
        ("empty", "Delete Permanently", [None]),
        ("delete", "Cancel", []),
    ],
)
def test_takes_in_the_trash_are_deleted_for_good_when_the_writer_says_so(
    takes: TakesPanel, qtbot: Any, wish: str, button: str, expected: list[object]
) -> None:
    asked: list[object] = []
    takes.delete_asked.connect(asked.append)
    takes.list.setFocus()
    takes.list.setCurrentRow(6)
    if wish == "delete":
        qtbot.keyClick(takes.list, Qt.Key.Key_Delete)
    else:
        takes.commands.empty.trigger()
    box = takes.findChild(QMessageBox)
    assert isinstance(box, QMessageBox)
    assert asked == []
    next(one for one in box.buttons() if one.text() == button).click()
    assert asked == expected


def test_nothing_is_deleted_while_the_text_cannot_change(takes: TakesPanel) -> None:
    takes.list.setCurrentRow(6)
    takes.set_locked(locked=True)
    assert not takes.commands.delete.isEnabled()
    assert not takes.commands.empty.isEnabled()
    takes.set_locked(locked=False)
    takes.list.setCurrentRow(1)
    assert not takes.commands.delete.isEnabled()


@pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)
def test_the_menu_has_what_can_be_done(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(1)
    takes.list.customContextMenuRequested.emit(QPoint(5, 5))
    menu = takes.findChild(QMenu)
    assert isinstance(menu, QMenu)
    assert takes.commands.again in menu.actions()
    menu.close()
    with qtbot.waitSignal(takes.again_asked) as again:
        takes.commands.again.trigger()
    with qtbot.waitSignal(takes.charts_asked) as charts:
        takes.commands.charts.trigger()
    assert (again.args, charts.args) == ([3], [3, True])
    takes.show_over_charts(3)
    with qtbot.waitSignal(takes.charts_asked) as charts:
        takes.commands.charts.trigger()
    assert charts.args == [3, False]


def test_figures_are_asked_for_and_shown_for_the_chosen_take_only(takes: TakesPanel, qtbot: Any) -> None:
    with qtbot.waitSignal(takes.figures_wanted) as wanted:
        takes.list.setCurrentRow(1)
    assert wanted.args == [3]
    draft = DraftFigures(900, 125.0, 4.4, 0.84, ("Balanced", ""), (5,), ("a model",), None)
    figures = TakeFigures(TextFigures(1_234, 0.8123, 0.0071), draft)
    takes.show_figures(4, figures)
    assert {value.whole_text for value in takes.rows.values} == {"–"}
    takes.show_figures(3, figures)
    assert [value.whole_text for value in takes.rows.values] == [
        "1,234", "2 min 5 s", "4.4", "0.81", "0.7%", "Balanced, custom", "5"
    ]  # fmt: skip
    assert takes.rows.values[1].accessibleName() == "Drafting time: 2 min 5 s"
    takes.list.setCurrentRow(4)
    assert {value.whole_text for value in takes.rows.values} == {"–"}


def test_the_chosen_take_stays_chosen_when_the_list_is_shown_anew(takes: TakesPanel) -> None:
    takes.list.setCurrentRow(3)
    takes.show_takes(groups_of(TAKES), trashed_lines(TAKES))
    assert takes.list.currentRow() == 3


def test_a_note_says_where_retry_begins(takes: TakesPanel) -> None:
    assert not takes.note.isVisible()
    takes.show_note("This draft began in an earlier chapter.")
    assert takes.note.isVisible()
    takes.show_note("")
    assert not takes.note.isVisible()


def test_without_takes_there_is_a_hint(takes: TakesPanel, qtbot: Any) -> None:
    takes.show_takes(())
    takes.show_note("This draft began in an earlier chapter.")
    assert takes.hint.isVisible()
    assert not takes.list.isVisible()
    # together, at the top
    qtbot.waitUntil(lambda: takes.hint.y() < takes.note.y() < takes.height() / 2, timeout=100_000)

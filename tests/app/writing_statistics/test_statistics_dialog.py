from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.domain.manuscript.writing_statistics import WritingStatistics, statistics_of
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from quire.writing_statistics.book_goal_form import MAX_BOOK_WORDS, words_meant
from quire.writing_statistics.statistics_dialog import SessionsFileDialog, WritingDialog

TODAY = date(2026, 1, 7)
MORNING = datetime(2026, 1, 7, 9, 30, tzinfo=UTC)
SESSIONS = (
    WritingSession(1, MORNING - timedelta(days=1), MORNING - timedelta(hours=23), 90.0, 1_204, 0),
    WritingSession(2, MORNING, MORNING + timedelta(minutes=50), 2_520.0, -17, 12_412),
)
EMPTY = WritingStatistics(TODAY)


def statistics(*goals: tuple[WritingGoal, int]) -> WritingStatistics:
    return statistics_of(SESSIONS, goals, TODAY, UTC)


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeSwitch) -> WritingDialog:
    dialog = WritingDialog(statistics(), themes, "The Ferry", UTC)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


# ---------------------------------------------------------------- what it says
def test_it_tells_today_the_week_and_the_streak(dialog: WritingDialog) -> None:
    assert dialog.today_card.figure.text() == "\u221217 written"
    assert dialog.today_card.lines.text() == "+12,412 drafted\n0:42 hours"
    assert dialog.week_card.figure.text() == "+1,187 written"
    assert dialog.week_card.lines.text() == "+12,412 drafted\n0:44 hours"
    assert dialog.streak_card.figure.text() == "2 days"


def test_every_session_stands_in_the_table(dialog: WritingDialog) -> None:
    model = dialog.view.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
        "Wed 7 Jan 2026",
        "Tue 6 Jan 2026",
    ]


def test_a_project_without_work_says_so(qtbot: Any, themes: ThemeSwitch) -> None:
    dialog = WritingDialog(EMPTY, themes)
    qtbot.addWidget(dialog)
    dialog.open()
    assert (dialog.today_card.figure.text(), dialog.streak_card.figure.text()) == ("0 written", "0 days")
    assert dialog.nothing_label.isVisible()
    assert not dialog.view.isVisible()
    assert not dialog.export_button.isEnabled()
    dialog.show_statistics(statistics())
    assert not dialog.nothing_label.isVisible()
    assert dialog.view.isVisible()
    assert dialog.export_button.isEnabled()


def test_a_streak_of_one_day(qtbot: Any, themes: ThemeSwitch) -> None:
    dialog = WritingDialog(WritingStatistics(TODAY, streak_days=1), themes)
    qtbot.addWidget(dialog)
    assert dialog.streak_card.figure.text() == "1 day"


# ---------------------------------------------------------------- the goal
@pytest.mark.parametrize(
    ("goal", "num_words", "sentence"),
    [
        (WritingGoal(1, 80_000), 52_300, "52,300 of 80,000 words. 27,700 to go."),
        (
            WritingGoal(1, 80_000, due=date(2026, 1, 31)),
            52_300,
            "52,300 of 80,000 words. 27,700 to go: 1,108 a day until 31 January 2026.",
        ),
        (
            WritingGoal(1, 500, due=TODAY),
            499,
            "499 of 500 words. 1 to go, due today.",
        ),
        (
            WritingGoal(1, 500, due=date(2026, 1, 6)),
            100,
            "100 of 500 words. 400 to go, but 6 January 2026 has passed. Choose another date.",
        ),
        (WritingGoal(1, 500, due=date(2025, 1, 1)), 600, "600 of 500 words. Goal reached."),
    ],
)
def test_it_tells_the_way_to_the_goal(
    dialog: WritingDialog, goal: WritingGoal, num_words: int, sentence: str
) -> None:
    form = dialog.goal_form
    assert form.sentence.text() == "No book goal set."
    assert not form.bar.isVisible()
    assert not form.remove_button.isVisible()
    dialog.show_statistics(statistics((WritingGoal(7, 10, node_id=3), 5), (goal, num_words)))
    assert form.sentence.text() == sentence
    assert form.words_edit.text() == f"{goal.words:,}"
    assert form.due_box.isChecked() is (goal.due is not None)
    assert form.bar.isVisible()
    assert form.bar.value() == min(1000, 1000 * num_words // goal.words)


def test_a_goal_is_set_with_and_without_a_day(dialog: WritingDialog, qtbot: Any) -> None:
    form = dialog.goal_form
    assert not form.set_button.isEnabled()
    qtbot.keyClicks(form.words_edit, "90k")
    with qtbot.waitSignal(dialog.goal_wanted) as wanted:
        qtbot.mouseClick(form.set_button, Qt.MouseButton.LeftButton)
    assert wanted.args == [90_000, None]
    assert not form.due_edit.isEnabled()
    form.due_box.setChecked(True)
    assert form.due_edit.isEnabled()
    form.due_edit.setDate(QDate(2026, 11, 30))
    with qtbot.waitSignal(dialog.goal_wanted) as wanted:
        form.set_button.click()
    assert wanted.args == [90_000, date(2026, 11, 30)]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_return_sets_the_goal_and_does_not_close(dialog: WritingDialog, qtbot: Any, key: Qt.Key) -> None:
    form = dialog.goal_form
    form.words_edit.setText("250,000")
    form.due_box.setChecked(True)
    form.due_edit.setDate(QDate(2026, 11, 30))
    for widget in (form.words_edit, form.due_box, form.due_edit, form.set_button):
        widget.setFocus()
        with qtbot.waitSignal(dialog.goal_wanted) as wanted:
            qtbot.keyClick(widget, key)
        assert wanted.args == [250_000, date(2026, 11, 30)]
        assert dialog.isVisible()


def test_return_on_a_button_presses_that_one(dialog: WritingDialog, qtbot: Any) -> None:
    dialog.show_statistics(statistics((WritingGoal(4, 100), 5)))
    dialog.goal_form.remove_button.setFocus()
    with qtbot.assertNotEmitted(dialog.goal_wanted), qtbot.waitSignal(dialog.removal_wanted):
        qtbot.keyClick(dialog.goal_form.remove_button, Qt.Key.Key_Return)
    dialog.close_button.setFocus()
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Return)
    assert not dialog.isVisible()


def test_what_is_no_goal_is_told_and_not_set(dialog: WritingDialog, qtbot: Any) -> None:
    form = dialog.goal_form
    qtbot.keyClicks(form.words_edit, "many")
    assert form.sentence.text() == "Enter a goal of 10 to 2,000,000 words."
    assert not form.set_button.isEnabled()
    with qtbot.assertNotEmitted(dialog.goal_wanted):
        qtbot.keyClick(form.words_edit, Qt.Key.Key_Return)
    form.words_edit.setText("500")
    assert form.sentence.text() == "No book goal set."


def test_a_goal_is_removed(dialog: WritingDialog, qtbot: Any) -> None:
    dialog.show_statistics(statistics((WritingGoal(4, 100), 5)))
    with qtbot.waitSignal(dialog.removal_wanted) as wanted:
        qtbot.mouseClick(dialog.goal_form.remove_button, Qt.MouseButton.LeftButton)
    assert wanted.args == [4]
    dialog.show_statistics(statistics())
    assert dialog.goal_form.words_edit.text() == ""
    assert not dialog.goal_form.remove_button.isVisible()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("80000", 80_000),
        (" 80,000 ", 80_000),
        ("80 000 words", 80_000),
        ("80k", 80_000),
        ("1.5k", 1_500),
        ("1,500,000", 1_500_000),
        (str(MAX_BOOK_WORDS), MAX_BOOK_WORDS),
        (str(MAX_BOOK_WORDS + 1), None),
        ("9", None),
        ("-500", None),
        ("9" * 40, None),
        ("", None),
        ("a novel", None),
    ],
)
def test_a_goal_may_be_typed_as_writers_do(text: str, words: int | None) -> None:
    assert words_meant(text) == words


# ---------------------------------------------------------------- the table for other programs
def test_the_table_goes_where_the_writer_wants(dialog: WritingDialog, qtbot: Any, tmp_path: Path) -> None:
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    (chooser,) = dialog.findChildren(SessionsFileDialog)
    assert chooser.windowTitle() == "Export Writing Sessions"
    assert chooser.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    assert [Path(name).name for name in chooser.selectedFiles()] == ["The Ferry sessions.csv"]
    with qtbot.waitSignal(dialog.export_wanted) as wanted:
        chooser.fileSelected.emit(str(tmp_path / "a.csv"))
    assert wanted.args == [tmp_path / "a.csv"]
    chooser.reject()


# ---------------------------------------------------------------- as a window
def test_escape_closes_and_asks_for_nothing(dialog: WritingDialog, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(dialog.goal_wanted), qtbot.assertNotEmitted(dialog.export_wanted):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_everything_has_a_name_and_a_place(dialog: WritingDialog) -> None:
    dialog.show_statistics(statistics((WritingGoal(1, 500), 5)))
    dialog.resize(dialog.minimumSize())
    form = dialog.goal_form
    for widget in (form.words_edit, form.due_box, form.due_edit, form.bar, dialog.view):
        assert widget.accessibleName()
    row: list[QWidget] = [form.words_edit, form.due_box, form.due_edit, form.remove_button, form.set_button]
    for left, right in pairwise(row):
        assert left.geometry().right() < right.geometry().left()
    assert row[-1].geometry().right() <= form.width()
    assert dialog.minimumWidth() <= 1024
    assert dialog.minimumHeight() <= 640


def test_the_theme_can_change_while_it_is_open(dialog: WritingDialog, themes: ThemeSwitch) -> None:
    dialog.show_statistics(statistics((WritingGoal(1, 500), 250)))
    light = dialog.goal_form.bar.grab().toImage()
    themes.choose(ThemeChoice.DARK)
    assert dialog.goal_form.bar.grab().toImage() != light

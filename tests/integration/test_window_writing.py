"""What was written today, in a real window: noted, shown, kept, with a goal."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.services.project.writing_log import goals_of
from quire.services.transactions.closed_projects import read_project
from quire.services.transactions.writing_records import sessions_of
from quire.storage.project_file import open_project_reader
from quire.system.number_text import number_text
from quire.writing_statistics.statistics_dialog import WritingDialog
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import TEXT, Desktop, ended, press, stored


async def statistics(quire: Application) -> WritingDialog:
    """Ask for the statistics and return the dialog."""
    quire.window.commands.statistics.trigger()
    await turns_until(lambda: quire.window.findChildren(WritingDialog))
    return quire.window.findChildren(WritingDialog)[-1]


async def drafted_and_typed(quire: Application, qtbot: Any) -> None:
    quire.app.controls.bar.goal_box.set_goal(20)
    press(qtbot, quire, "continue")
    await ended(quire)
    quire.window.editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(quire.window.editor, "Three more words. ")
    await stored(quire)
    await until(quire.window.status.counted, lambda: quire.window.status.today.words_written == 3)


def said(quire: Application) -> str:
    notice = quire.window.notice_bar.notice
    return "" if notice is None else notice.text


def today_of(path: Path) -> str:
    drafted = sum(run.num_words for run in read_project(path).runs)
    return f"Today: 3 written, {number_text(drafted)} drafted"


def test_what_was_written_today_is_shown_and_comes_back(desktop: Desktop, qtbot: Any) -> None:
    shown: list[str] = []

    async def first(quire: Application) -> None:
        label = quire.window.status_line.today_label
        assert not label.isVisible()
        await drafted_and_typed(quire, qtbot)
        assert label.isVisible()
        shown.append(label.text())

    async def second(quire: Application) -> None:
        await until(quire.window.status.counted, lambda: quire.window.status.today.words_written)
        shown.append(quire.window.status_line.today_label.text())

    assert desktop.start(ScriptedBackend(), first) == 0
    assert desktop.start(ScriptedBackend(), second) == 0
    assert shown == [today_of(desktop.sample)] * 2
    file = open_project_reader(desktop.sample)
    (session,) = sessions_of(file)  # who only looked left no trace
    file.close()
    assert session.words_written == 3


def test_the_goal_of_the_book_is_set_and_removed(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        await drafted_and_typed(quire, qtbot)
        dialog = await statistics(quire)
        form = dialog.goal_form
        assert dialog.today_card.figure.text() == "+3 written"
        assert dialog.table.rowCount() == 1
        assert form.sentence.text() == "No book goal set."
        qtbot.keyClicks(form.words_edit, "500")
        qtbot.keyClick(form.words_edit, Qt.Key.Key_Return)
        await turns_until(form.bar.isVisible)
        there = len(quire.window.editor.text().replace("\u2014", " ").split())
        assert form.sentence.text() == f"{there} of 500 words. {500 - there} to go."
        form.remove_button.click()
        await turns_until(lambda: not form.bar.isVisible())
        form.words_edit.setText("600")
        form.set_button.click()
        await turns_until(form.bar.isVisible)
        dialog.close_button.click()

    assert desktop.start(ScriptedBackend(), scenario) == 0
    file = open_project_reader(desktop.sample)
    assert [goal.words for goal, _ in goals_of(file)] == [600]
    file.close()


def test_the_sessions_are_written_to_a_table(desktop: Desktop, qtbot: Any, tmp_path: Path) -> None:
    async def scenario(quire: Application) -> None:
        await drafted_and_typed(quire, qtbot)
        dialog = await statistics(quire)
        dialog.export_wanted.emit(tmp_path / "sessions.csv")
        sentence = f"1 session was exported to {tmp_path / 'sessions.csv'}."
        await turns_until(lambda: said(quire) == sentence)
        assert said(quire) == sentence
        dialog.export_wanted.emit(desktop.sample)
        await turns_until(lambda: "is a project" in said(quire))
        assert "is a project" in said(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    with (tmp_path / "sessions.csv").open(encoding="utf-8", newline="") as stream:
        (row,) = csv.DictReader(stream)
    assert row["words_written"] == "3"
    assert read_project(desktop.sample).text.startswith(f"Three more words. {TEXT[:2]}")

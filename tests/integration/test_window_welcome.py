"""The real window where no project is open, and after a start that was cut off."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QPushButton

from quire.application import Application
from quire.diagnostics.crash_reporting import Reporting
from quire.domain.drafting.draft_status import DraftState
from quire.domain.manuscript.manuscript import Project
from quire.domain.manuscript.orphaned_nodes import TITLE
from quire.help import controller as help_controller
from quire.help.crash_report_dialog import ReportDialog
from quire.help.manual import manual_pages
from quire.help.manual_dialog import ManualDialog
from quire.import_export.import_dialog import ImportDialog
from quire.projects import welcome_controller
from quire.projects.new_project import templates
from quire.projects.new_project_dialog import NewProjectDialog, StartFrom
from quire.projects.welcome_page import WelcomePage
from quire.services.transactions.project_creation import create
from quire.settings.settings import Settings, SettingsFile
from quire.shell.notices import NoticeAction, NoticeKind
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press, stored
from tests.integration.test_window_trouble import stored_words
from tests.stored_rows import digested


@pytest.fixture
def reporting(tmp_path: Path, qapp: object) -> Reporting:
    """What the next start knows of the last one; nothing is hooked into this process."""
    return Reporting(tmp_path / "state")


def page_of(quire: Application) -> WelcomePage:
    page = quire.window.findChild(WelcomePage)
    assert isinstance(page, WelcomePage)
    return page


async def opened(quire: Application) -> None:
    """Wait until a project is open and can be worked on."""
    status = quire.window.status
    await until(status.changed, lambda: status.is_open and not status.switching)


def enabled_commands(quire: Application) -> set[str]:
    """Return the stored names of the commands that can be given."""
    actions = quire.window.commands.findChildren(QAction)
    return {action.objectName() for action in actions if action.isEnabled()}


def cut_off(reporting: Reporting, *, errors: tuple[str, ...] = (), times: int = 1) -> None:
    """Leave what starts leave that were cut off, and look at it."""
    for number in range(times):
        reporting.folder.mkdir(exist_ok=True)
        lines = ['["start", "2026-11-21 14:02:00"]', *(f'["error", "{error}"]' for error in errors)]
        file = reporting.folder / f"running-2026112114020{number}-1.jsonl"
        file.write_text("\n".join(lines), encoding="utf-8")
    reporting.start()
    reporting.finish()


def test_the_first_start_shows_ways_to_begin_and_opens_nothing(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        assert page.isVisible()
        assert not quire.window.side_panel.isVisible()
        assert not quire.window.status.is_open
        assert not quire.app.controls.bar.continue_button.isEnabled()
        assert page.recent_list.buttons == []
        assert page.try_button.hasFocus()
        qtbot.mouseClick(page.try_button, LEFT)
        await opened(quire)
        assert not page.isVisible()
        assert quire.window.editor.text() == TEXT

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0
    assert desktop.sample.exists()


def test_later_starts_open_the_last_project_and_closing_it_leads_back(desktop: Desktop, qtbot: Any) -> None:
    async def first(quire: Application) -> None:
        quire.window.editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(quire.window.editor, "Once. ")

    async def second(quire: Application) -> None:
        page, window = page_of(quire), quire.window
        assert window.editor.text() == TEXT + "Once. "
        window.editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(window.editor, "More. ")
        quire.window.commands.close_project.trigger()
        await turns_until(page.isVisible)
        assert window.editor.text() == ""
        assert window.editor.isReadOnly()
        assert window.windowTitle() == "Quire"
        assert not window.commands.export.isEnabled()
        await turns_until(lambda: "words" in page.recent_list.buttons[0].about_label.whole_text)
        window.commands.side_panel.setChecked(False)
        window.commands.side_panel.setChecked(True)
        assert not window.side_panel.isVisible()
        qtbot.mouseClick(page.recent_list.buttons[0], LEFT)
        await opened(quire)
        assert window.editor.text() == TEXT + "Once. More. "
        await turns_until(lambda: not window.editor.isReadOnly())
        assert window.side_panel.isVisible()

    reporting = Reporting(desktop.folder / "state")
    desktop.start(ScriptedBackend(), first, reporting=reporting)
    assert desktop.start(ScriptedBackend(), second, tries=False, reporting=reporting) == 0


def test_nothing_of_a_closed_project_stays(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        page, window = page_of(quire), quire.window
        for_no_project = enabled_commands(quire)
        page.try_button.click()
        await opened(quire)
        window.commands.beside.trigger()
        await turns_until(lambda: "spelling.next_doubt" in enabled_commands(quire))
        window.commands.close_project.trigger()
        await turns_until(page.isVisible)
        assert enabled_commands(quire) == for_no_project
        assert quire.app.manuscript.panel.model.rowCount() == 0
        assert quire.app.manuscript.panel.document_id is None
        assert quire.app.beside.shown_id is None
        page.recent_list.buttons[0].click()
        await opened(quire)
        await turns_until(lambda: quire.app.beside.shown_id is not None)  # it is remembered for the project

    desktop.start(ScriptedBackend(), scenario, tries=False)


def test_closing_a_project_pauses_its_draft_first(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        press(qtbot, quire, "continue")
        backend.gate.release(5)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words >= 5)
        quire.window.commands.welcome.trigger()
        backend.gate.release()
        await turns_until(page.isVisible)
        await turns_until(lambda: not (desktop.sample.parent / f".{desktop.sample.name}.lock").exists())
        page.recent_list.buttons[0].click()
        await opened(quire)
        assert quire.window.status.status.state is DraftState.PAUSED
        assert len(quire.window.editor.text()) > len(TEXT)

    assert desktop.start(backend, scenario) == 0


def test_a_project_that_is_gone_is_said_and_can_be_taken_off_the_list(desktop: Desktop, qtbot: Any) -> None:
    gone, here = desktop.folder / "Gone.quire", desktop.folder / "Here.quire"
    create(here, Project("Here", datetime.now(UTC)))
    SettingsFile(desktop.ini).save(Settings(recent=(str(gone), str(here))))

    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.text == welcome_controller.missing("Gone.quire")
        await turns_until(lambda: page.recent_list.remove_buttons)
        page.recent_list.remove_buttons[0].click()
        await turns_until(lambda: len(page.recent_list.buttons) == 1)
        assert [action.data() for action in quire.window.commands.recent_menu.actions()] == [str(here)]

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0
    assert SettingsFile(desktop.ini).load().recent == (str(here),)
    assert here.exists()


def test_just_write_opens_a_page(desktop: Desktop, qtbot: Any) -> None:
    (desktop.projects / "Untitled.quire").parent.mkdir(parents=True, exist_ok=True)
    (desktop.projects / "Untitled.quire").touch()  # the title is taken

    async def scenario(quire: Application) -> None:
        qtbot.mouseClick(page_of(quire).write_button, LEFT)
        await opened(quire)
        assert quire.window.editor.hasFocus()
        qtbot.keyClicks(quire.window.editor, "It began.")
        await stored(quire)

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0
    with closing(sqlite3.connect(desktop.projects / "Untitled 2.quire")) as connection:
        assert connection.execute("SELECT title FROM project").fetchone() == ("Untitled 2",)


def test_an_outline_makes_a_project(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        qtbot.mouseClick(page_of(quire).new_button, LEFT)
        (dialog,) = quire.window.findChildren(NewProjectDialog)
        dialog.start_from(StartFrom.OUTLINE)
        qtbot.keyClicks(dialog.title_edit, "Planned")
        qtbot.keyClicks(dialog.author_edit, "Ann Orrin")
        qtbot.mouseClick(dialog.create_button, LEFT)
        qtbot.keyClicks(quire.window.focusWidget() or quire.window, "At once. ")
        await opened(quire)
        assert quire.window.editor.text().endswith("At once. ")
        entry = templates()[0].entries[1]
        assert quire.window.status.title == f"Planned \u2013 {entry.title}"
        qtbot.keyClicks(quire.window.editor, "It began.")
        await stored(quire)

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0
    with closing(sqlite3.connect(desktop.projects / "Planned.quire")) as connection:
        assert connection.execute("SELECT title, author FROM project").fetchone() == ("Planned", "Ann Orrin")
        assert connection.execute("SELECT count(*) FROM node WHERE synopsis <> ''").fetchone() == (12,)


def test_a_dropped_text_leads_to_the_preview(desktop: Desktop, qtbot: Any) -> None:
    text = desktop.folder / "Novel.md"
    text.write_text("It rained.\n", encoding="utf-8")

    async def scenario(quire: Application) -> None:
        page_of(quire).import_dropped.emit(text)
        (dialog,) = quire.window.findChildren(ImportDialog)
        await turns_until(dialog.import_button.isEnabled)
        dialog.import_button.click()
        await opened(quire)
        assert "It rained." in quire.window.editor.text()

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0


def test_after_an_end_without_a_warning_it_is_said_and_the_report_can_be_seen(
    desktop: Desktop, qtbot: Any, reporting: Reporting
) -> None:
    cut_off(reporting, errors=("ValueError",))

    async def scenario(quire: Application) -> None:
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert (notice.kind, notice.text, notice.action) == (
            NoticeKind.WARNING, welcome_controller.STOPPED, NoticeAction.SHOW_REPORT,
        )  # fmt: skip
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        (dialog,) = quire.window.findChildren(ReportDialog)
        assert "ValueError" in dialog.text_edit.toPlainText()
        dialog.reject()

    assert desktop.start(ScriptedBackend(), scenario, tries=False, reporting=reporting) == 0


def test_after_a_kill_there_is_nothing_to_report_but_it_is_said(
    desktop: Desktop, reporting: Reporting
) -> None:
    cut_off(reporting)

    async def scenario(quire: Application) -> None:
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert (notice.text, notice.actions) == (welcome_controller.STOPPED, ())

    assert desktop.start(ScriptedBackend(), scenario, tries=False, reporting=reporting) == 0


def test_after_two_early_ends_nothing_is_opened_and_drafting_is_off_until_it_is_switched_on(
    desktop: Desktop, qtbot: Any, reporting: Reporting
) -> None:
    async def first(quire: Application) -> None:
        pass

    desktop.start(ScriptedBackend(), first)
    cut_off(reporting, times=2)

    async def scenario(quire: Application) -> None:
        window, page = quire.window, page_of(quire)
        assert page.isVisible()
        assert window.notice_bar.notice is not None
        assert window.notice_bar.notice.text == welcome_controller.STOPPED_TWICE
        page.recent_list.buttons[0].click()
        await opened(quire)
        assert quire.window.status.status.state is DraftState.NO_MODEL
        assert not quire.app.controls.bar.continue_button.isEnabled()
        notice = window.notice_bar.notice
        assert notice is not None
        assert notice.action is NoticeAction.SWITCH_ON
        qtbot.mouseClick(window.notice_bar.action_button, LEFT)
        await until(quire.window.status.changed, lambda: quire.app.controls.bar.continue_button.isEnabled())
        press(qtbot, quire, "continue")
        await ended(quire)

    assert desktop.start(ScriptedBackend(), scenario, tries=False, reporting=reporting) == 0


def test_a_draft_that_was_cut_off_can_be_discarded_and_is_kept_as_a_take(
    desktop: Desktop, qtbot: Any, reporting: Reporting
) -> None:
    backend = ScriptedBackend(gated=True)
    cut = desktop.folder / "cut off.quire"

    async def until_killed(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        backend.gate.release(7)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 7)
        await turns_until(lambda: stored_words(desktop.sample, cut))
        quire.window.close()
        backend.gate.release()

    async def after(quire: Application) -> None:
        bar = quire.window.notice_bar
        await turns_until(lambda: bar.notice is not None and len(bar.notice.actions) == 3)
        assert bar.notice is not None
        assert bar.notice.actions == (
            NoticeAction.RESUME,
            NoticeAction.DISCARD_TAKE,
            NoticeAction.SHOW_REPORT,
        )
        assert quire.window.editor.text() != TEXT
        discard = next(
            button for button in quire.window.notice_bar.findChildren(QPushButton)
            if button.text() == "Undo Draft"
        )  # fmt: skip
        qtbot.mouseClick(discard, LEFT)
        await turns_until(lambda: quire.window.editor.text() == TEXT)
        await turns_until(
            lambda: quire.window.notice_bar.notice and "Takes" in quire.window.notice_bar.notice.text
        )
        with closing(sqlite3.connect(f"file:{cut}?mode=ro", uri=True)) as connection:
            assert connection.execute("SELECT count(*) FROM take WHERE NOT stands").fetchone() == (1,)

    desktop.start(backend, until_killed, leave=False)
    cut_off(reporting, errors=("RuntimeError",))
    resumed = ScriptedBackend()
    assert desktop.start(resumed, after, cut, reporting=reporting) == 0
    assert not resumed.begins


def test_texts_that_lost_their_place_are_shown_and_said_once(desktop: Desktop, qtbot: Any) -> None:
    async def first(quire: Application) -> None:
        pass

    desktop.start(ScriptedBackend(), first)
    with closing(sqlite3.connect(desktop.sample)) as connection:
        connection.execute(
            "INSERT INTO node SELECT 9, 77, 5, 'chapter', 'Lost', '', '', 1, created, NULL, x''"
            " FROM node LIMIT 1"
        )
        connection.execute(
            "INSERT INTO document SELECT 9, text, spans, checksum, updated, x'' FROM document LIMIT 1"
        )
        digested(connection)
        connection.commit()

    async def second(quire: Application) -> None:
        bar = quire.window.notice_bar
        await turns_until(lambda: bar.notice is not None)
        assert bar.notice is not None
        assert bar.notice.text == welcome_controller.RECOVERED_ONE
        session = quire.app.current.session
        assert session is not None
        parent = session.tree.node(9).parent_id
        assert parent is not None
        assert session.tree.node(parent).title == TITLE

    async def third(quire: Application) -> None:
        notice = quire.window.notice_bar.notice
        assert notice is None or "Recovered" not in notice.text

    assert desktop.start(ScriptedBackend(), second) == 0
    assert desktop.start(ScriptedBackend(), third) == 0
    backups = desktop.sample.with_name(f"{desktop.sample.stem} backups")
    assert any("before upgrade" in name for name in os.listdir(backups))


def test_f1_opens_the_manual_beside_the_work(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        qtbot.keyClick(quire.window.editor, Qt.Key.Key_F1)
        dialog = quire.window.findChild(ManualDialog)
        assert isinstance(dialog, ManualDialog)
        assert dialog.isVisible()
        assert dialog.page == manual_pages()[0]
        assert dialog.parent() is quire.window
        qtbot.keyClicks(quire.window.editor, "On. ")
        dialog.reject()
        quire.window.commands.manual.trigger()
        assert quire.window.findChildren(ManualDialog) == [dialog]
        assert dialog.isVisible()
        dialog.reject()

    assert desktop.start(ScriptedBackend(), scenario) == 0


def test_what_nobody_dealt_with_is_said_once(desktop: Desktop, reporting: Reporting, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        bar = quire.window.notice_bar
        bar.clear()
        reporting.troubled.emit()
        assert bar.notice is not None
        assert (bar.notice.text, bar.notice.action) == (help_controller.TROUBLE, NoticeAction.SHOW_REPORT)
        bar.clear()
        reporting.troubled.emit()
        assert bar.notice is None

    assert desktop.start(ScriptedBackend(), scenario, reporting=reporting) == 0


def test_nothing_of_a_closed_project_stays_on_the_screen(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        page, window, app = page_of(quire), quire.window, quire.app
        window.commands.charts.setChecked(True)
        window.commands.right_panel.setChecked(True)
        app.steering.dock.set_wanted(wanted=True)
        quire.app.controls.bar.goal_box.set_goal(8)
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)
        steering, deck = app.steering, quire.app.charts.deck
        assert steering.dock.isVisible()
        assert deck.isVisible()
        assert window.progress.num_words > 0
        steering.panel.memory_edit.setPlainText("The lake froze.")
        window.commands.close_project.trigger()
        await turns_until(page.isVisible)
        assert not steering.dock.isVisible()
        assert not window.commands.memory.isEnabled()
        assert not deck.isVisible()
        assert window.progress.num_words == 0
        assert quire.app.controls.bar.continue_button.text() == "Continue"
        qtbot.mouseClick(page.recent_list.buttons[0], LEFT)
        await opened(quire)
        await turns_until(lambda: steering.panel.memory_edit.toPlainText() == "The lake froze.")
        assert deck.isVisible()

    desktop.start(ScriptedBackend(), scenario)

"""What goes wrong is said in the window, and nothing is lost."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.manuscript import digest_of
from quire.launch_options import Options
from quire.projects.new_project_dialog import NewProjectDialog
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import Settings, SettingsFile
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.shell.project_status import SaveState
from quire_engine.api.config import SamplingConfig
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import Disk, ScriptedBackend
from tests.integration.desktop import (
    LEFT,
    TEXT,
    Desktop,
    ended,
    press,
    seed_of,
    state,
    stored,
)


def test_a_run_that_was_cut_off_is_recovered_and_offered(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)
    cut_off = desktop.folder / "cut off.quire"

    async def until_killed(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        backend.gate.release(7)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 7)
        await turns_until(lambda: stored_words(desktop.sample, cut_off))
        quire.window.close()
        backend.gate.release()

    async def after(quire: Application) -> None:
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert (notice.kind, notice.action) == (NoticeKind.WARNING, NoticeAction.RESUME)
        assert "Nothing is missing: every word it saved is in the text." in notice.text
        assert not resumed.begins  # never by itself
        quire.app.controls.bar.goal_box.set_goal(20)
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        await ended(quire)

    desktop.start(backend, until_killed, leave=False)
    resumed = ScriptedBackend()
    desktop.start(resumed, after, cut_off)
    assert read_project(cut_off).text == TEXT + backend.text_of(TEXT, seed_of(cut_off), 20)


def stored_words(source: Path, copy: Path) -> bool:
    """Copy the project as a crash would leave it; tell whether all seven words are in the copy."""
    copy.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as live,
        closing(sqlite3.connect(copy)) as left,
    ):
        live.backup(left)
    return read_project(copy).runs[-1].num_words == 7


def test_a_model_that_does_not_load_leads_to_another_one(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(load_problem="The model's weights are damaged. Choose another model.")

    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        await ended(quire)
        await until(quire.window.status.changed, lambda: quire.window.notice_bar.notice)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert (notice.kind, notice.action) == (NoticeKind.ERROR, NoticeAction.CHOOSE_MODEL)
        assert notice.text == backend.load_problem
        assert quire.app.controls.strip.state_label.text() == "Stopped"
        qtbot.keyClicks(quire.window.editor, "!")  # writing goes on

    assert desktop.start(backend, scenario) == 0
    assert read_project(desktop.sample).text == TEXT + "!"


def test_the_newest_part_of_a_long_text_is_read_and_said_once(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(context_length=10)
    notices: list[Notice | None] = []

    async def scenario(quire: Application) -> None:
        window = quire.window
        for words in (10, 30):  # a new draft, which is then continued
            quire.app.controls.bar.goal_box.set_goal(words)
            press(qtbot, quire, "continue")
            await ended(quire)
            notices.append(window.notice_bar.notice)
        assert quire.app.controls.strip.state_label.text() == "Goal reached"

    desktop.start(backend, scenario)
    assert notices[0] is not None
    assert (notices[0].kind, notices[0].action) == (NoticeKind.NOTE, None)
    assert "most recent part" in notices[0].text
    assert notices[1] is None
    assert read_project(desktop.sample).text.startswith(TEXT + " ")


def test_an_error_in_the_middle_keeps_the_text_and_continue_tries_again(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(fail_at=6)

    async def scenario(quire: Application) -> None:
        window = quire.window
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        await ended(quire)
        notice = window.notice_bar.notice
        assert notice is not None
        assert (notice.kind, notice.action) == (NoticeKind.ERROR, None)
        assert "memory" in notice.text
        assert window.status_line.saved_label.text() == "Saved"
        backend.fail_at = None
        press(qtbot, quire, "continue")
        assert window.notice_bar.notice is None
        await state(quire, DraftState.DRAFTING, DraftState.FINISHED)
        await ended(quire)

    desktop.start(backend, scenario)
    assert read_project(desktop.sample).text == TEXT + backend.text_of(TEXT, seed_of(desktop.sample), 20)


def test_the_end_of_a_text_is_told_without_alarm(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        await ended(quire)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.kind is NoticeKind.NOTE
        assert quire.app.controls.strip.state_label.text() == "Finished"

    desktop.start(ScriptedBackend(end_at=6), scenario)


def test_an_empty_manuscript_is_asked_for_an_opening(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window = quire.window
        dialog = quire.app.dialogs.ask_for_new_project()
        qtbot.keyClicks(dialog.title_edit, "Blank")
        qtbot.mouseClick(dialog.create_button, LEFT)
        await until(quire.window.status.changed, lambda: quire.window.status.title == "Blank")
        assert window.editor.text() == ""
        press(qtbot, quire, "continue")
        await until(quire.window.status.changed, lambda: not quire.window.status.is_busy)
        qtbot.keyClicks(window.editor, "Once")

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(desktop.projects / "Blank.quire").text == "Once"


def test_a_project_that_cannot_be_opened_is_said_in_the_window(desktop: Desktop, qtbot: Any) -> None:
    broken = desktop.folder / "Broken.quire"
    broken.write_bytes(b"this is not a project" * 300)
    SettingsFile(desktop.ini).save(Settings(recent=(str(broken),)))
    before = broken.read_bytes()

    async def run() -> int:
        quire = Application(
            desktop.qapp,
            SettingsFile(desktop.ini),
            Options(model_folder=str(desktop.model)),
            desktop.projects,
            make_backend=ScriptedBackend,
        )
        quire.window.show()
        running = asyncio.ensure_future(quire.run())
        await turns_until(lambda: quire.window.shows_message)
        page = quire.window.message_page
        assert "Broken.quire" in page.sentence.text()
        assert not quire.app.controls.bar.continue_button.isEnabled()
        qtbot.mouseClick(page.new_button, LEFT)
        (dialog,) = quire.window.findChildren(NewProjectDialog)
        qtbot.keyClicks(dialog.title_edit, "New")
        qtbot.mouseClick(dialog.create_button, LEFT)
        await until(quire.window.status.changed, lambda: quire.window.status.is_open)
        assert not quire.window.shows_message
        quire.window.close()
        return await running

    assert desktop.run_async(run()) == 0
    assert broken.read_bytes() == before


def test_a_full_disk_is_said_and_leaving_asks_twice(desktop: Desktop, qtbot: Any, disk: Disk) -> None:
    async def scenario(quire: Application) -> None:
        window = quire.window
        disk.fill()
        window.editor.insertPlainText("More than fits. " * 2000)
        await until(
            quire.window.status.saved,
            lambda: quire.window.status.save_state is SaveState.NOT_SAVED,
        )
        window.close()
        await until(quire.window.status.changed, lambda: not quire.window.status.leaving)
        notice = window.notice_bar.notice
        assert notice is not None
        assert notice.action is NoticeAction.SAVE_AGAIN
        assert window.isVisible()
        disk.make_room()
        qtbot.mouseClick(window.notice_bar.action_button, LEFT)
        await stored(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(desktop.sample).text.endswith("More than fits. ")


def test_leaving_twice_on_a_full_disk_leaves(desktop: Desktop, qtbot: Any, disk: Disk) -> None:
    async def scenario(quire: Application) -> None:
        disk.fill()
        quire.window.editor.insertPlainText("More than fits. " * 2000)
        quire.window.close()
        await until(quire.window.status.changed, lambda: not quire.window.status.leaving)

    assert desktop.start(ScriptedBackend(), scenario) == 1
    disk.repair()
    assert read_project(desktop.sample).text == TEXT


def test_a_full_disk_while_drafting_keeps_the_words_until_there_is_room(
    desktop: Desktop, qtbot: Any, disk: Disk
) -> None:
    backend = ScriptedBackend(padding=4000)

    async def scenario(quire: Application) -> None:
        window = quire.window
        disk.fill()
        quire.app.controls.bar.goal_box.set_goal(40)
        press(qtbot, quire, "continue")
        await ended(quire)
        assert window.status_line.saved_label.text() == "Not saved"
        notice = window.notice_bar.notice
        assert notice is not None
        assert notice.action is NoticeAction.SAVE_AGAIN
        disk.make_room()
        qtbot.mouseClick(window.notice_bar.action_button, LEFT)
        await stored(quire)
        press(qtbot, quire, "continue")
        await state(quire, DraftState.FINISHED)
        await ended(quire)

    assert desktop.start(backend, scenario) == 0
    project = read_project(desktop.sample)
    (run,) = project.runs
    assert project.text == TEXT + backend.text_of(TEXT, run.sampling.seed, run.goal_words)


def test_without_a_model_there_is_still_an_editor(desktop: Desktop, qtbot: Any) -> None:
    shutil.rmtree(desktop.model)

    async def scenario(quire: Application) -> None:
        window = quire.window
        assert quire.app.controls.strip.state_label.text() == "No model"
        assert not quire.app.controls.bar.continue_button.isEnabled()
        notice = window.notice_bar.notice
        assert notice is not None
        assert notice.action is NoticeAction.CHOOSE_MODEL
        qtbot.keyClicks(window.editor, " Typed.")
        desktop.model.mkdir()
        (desktop.model / "config.json").write_text("{}", encoding="utf-8")
        window.model_chosen.emit(str(desktop.model))
        await state(quire, DraftState.IDLE)
        assert quire.app.controls.bar.continue_button.isEnabled()

    desktop.start(ScriptedBackend(), scenario)
    assert read_project(desktop.sample).text == TEXT + " Typed."
    assert SettingsFile(desktop.ini).load().model_folder == str(desktop.model)


def test_a_run_that_was_cut_off_before_its_first_word_is_not_worth_a_notice(desktop: Desktop) -> None:
    cut_off = desktop.folder / "cut off.quire"

    async def cut(quire: Application) -> None:
        session = await ProjectSession.create(cut_off, "Cut off", TEXT)
        digest = digest_of(TEXT)
        await session.save_run(
            Run(1, session.document_id, SamplingConfig(), 20, digest, digest, RunState.RUNNING)
        )
        await session.close()

    async def look(quire: Application) -> None:
        assert quire.window.status.title == "Cut off"
        assert quire.window.notice_bar.notice is None

    desktop.start(ScriptedBackend(), cut)
    desktop.start(ScriptedBackend(), look, cut_off)


def test_resuming_without_a_model_says_that_there_is_none(desktop: Desktop, qtbot: Any) -> None:
    shutil.rmtree(desktop.model)

    async def scenario(quire: Application) -> None:
        bar = quire.window.notice_bar
        bar.show_notice(Notice(NoticeKind.WARNING, "The last run stopped.", NoticeAction.RESUME))
        qtbot.mouseClick(bar.action_button, LEFT)
        assert bar.notice is not None
        assert bar.notice.action is NoticeAction.CHOOSE_MODEL
        assert "There is no model" in bar.notice.text

    desktop.start(ScriptedBackend(), scenario)

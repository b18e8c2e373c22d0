"""Projects that are damaged, newer or of several texts, in a real window."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import docx
import pytest

from quire.application import Application
from quire.domain.manuscript.backup_rotation import Reason
from quire.editor.plain_text import to_manuscript
from quire.import_export.export_dialog import ExportDialog
from quire.import_export.import_dialog import ImportDialog
from quire.launch_options import Options
from quire.projects.restore_dialog import RestoreDialog
from quire.services.drafting.fast_resume import fast_resume_path
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import backed_up, read_project
from quire.settings.settings import SettingsFile
from quire.shell.notices import NoticeAction
from quire.storage.backups import backup_folder
from quire.storage.problems import StorageFailed
from quire.ui.file_dialogs import SaveProjectDialog
from quire_engine.api.messages import ResumeGeneration
from quire_engine.metrics.word_count import count_words
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press, stored

NOVEL = "CHAPTER I\n\n" + "It rained. " * 60 + "\n\nCHAPTER II\n\n" + "It stopped. " * 60 + "\n"


@pytest.fixture
def book(desktop: Desktop) -> Path:
    """A project with a good backup."""

    async def make() -> None:
        session = await ProjectSession.create(desktop.folder / "Book.quire", "Book", TEXT)
        await session.close()

    desktop.run_async(make())
    backed_up(desktop.folder / "Book.quire", Reason.ASKED)
    return desktop.folder / "Book.quire"


def change(path: Path, statement: str) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    return path.read_bytes()


def said(quire: Application) -> str:
    notice = quire.window.notice_bar.notice
    return "" if notice is None else notice.text


async def says(quire: Application, words: str) -> None:
    await turns_until(lambda: words in said(quire))


def restored(folder: Path) -> list[str]:
    return [read_project(path).text for path in folder.glob("Book (restored *.quire")]


def test_a_damaged_project_offers_its_last_good_backup(desktop: Desktop, qtbot: Any, book: Path) -> None:
    damaged = change(book, "UPDATE document SET text = 'Somebody else wrote this.'")

    async def scenario(quire: Application) -> None:
        quire.window.open_asked.emit(book)
        await says(quire, "The last good backup is from")
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.action is NoticeAction.OPEN_BACKUP
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        await says(quire, "was restored from the backup")
        assert quire.window.editor.text() == TEXT

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert book.read_bytes() == damaged
    assert restored(book.parent) == [TEXT]


def test_an_older_backup_is_looked_at_and_restored(desktop: Desktop, qtbot: Any, book: Path) -> None:
    async def scenario(quire: Application) -> None:
        quire.window.open_asked.emit(book)
        await turns_until(lambda: quire.app.current.is_open(book) and not quire.window.status.switching)
        qtbot.keyClicks(quire.window.editor, " Then it snowed.")
        quire.window.commands.restore_backup.trigger()
        await turns_until(lambda: bool(quire.window.findChildren(RestoreDialog)))
        (dialog,) = quire.window.findChildren(RestoreDialog)
        await turns_until(lambda: dialog.text.toPlainText() != "")
        assert to_manuscript(dialog.text.document().toRawText()) == TEXT
        await turns_until(lambda: "counting" not in dialog.list.item(0).text())
        assert dialog.list.item(0).text().endswith(f"Made by you · {count_words(TEXT)} words")
        qtbot.mouseClick(dialog.restore_button, LEFT)
        await says(quire, "was restored from the backup")
        assert quire.window.editor.text() == TEXT

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(book).text == f"{TEXT} Then it snowed."
    assert restored(book.parent) == [TEXT]


def test_a_backup_that_is_opened_says_that_it_is_one_and_is_only_read(
    desktop: Desktop, qtbot: Any, book: Path
) -> None:
    backup = max(backup_folder(book).glob("*.quire"))
    backup.chmod(0o644)
    before = backup.read_bytes()

    async def scenario(quire: Application) -> None:
        quire.window.open_asked.emit(backup)
        await says(quire, "This is a backup of Book.quire")
        assert quire.window.editor.isReadOnly()
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        await says(quire, "was restored from the backup")
        assert not quire.window.editor.isReadOnly()

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert backup.read_bytes() == before
    assert restored(book.parent) == [TEXT]


def test_a_copy_is_saved_and_the_project_stays_open(desktop: Desktop, qtbot: Any, book: Path) -> None:
    copy = book.with_name("For Anne.quire")

    async def scenario(quire: Application) -> None:
        quire.window.open_asked.emit(book)
        await turns_until(lambda: quire.app.current.is_open(book) and not quire.window.status.switching)
        qtbot.keyClicks(quire.window.editor, " One.")
        quire.window.commands.save_copy.trigger()
        (dialog,) = quire.window.findChildren(SaveProjectDialog)
        dialog.fileSelected.emit(str(copy))
        dialog.close()
        await says(quire, "A copy was saved as For Anne.quire")
        qtbot.keyClicks(quire.window.editor, " Two.")

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(copy).text == f"{TEXT} One."
    assert read_project(book).text == f"{TEXT} One. Two."


def test_damage_that_leaves_the_text_sound_is_named_once_with_the_backup(
    desktop: Desktop, qtbot: Any, book: Path
) -> None:
    change(book, "UPDATE node SET synopsis = 'Not mine.' WHERE kind = 'chapter'")
    words = "Damaged in this project: The title, the synopsis, the status or the place of “Book”."

    async def scenario(quire: Application) -> None:
        quire.window.open_asked.emit(book)
        await says(quire, words)
        assert quire.window.editor.text() == TEXT
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        await says(quire, "was restored from the backup")
        assert quire.window.editor.text() == TEXT

    async def again(quire: Application) -> None:
        quire.window.open_asked.emit(book)
        await turns_until(lambda: quire.window.status.is_open)
        assert words not in said(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert restored(book.parent) == [TEXT]
    assert desktop.start(ScriptedBackend(), again) == 0


def test_a_damaged_project_at_the_start_offers_it_too(desktop: Desktop, qtbot: Any, book: Path) -> None:
    change(book, "DELETE FROM document")

    async def run() -> int:
        options = Options(book, str(desktop.model))
        quire = Application(
            desktop.qapp, SettingsFile(desktop.ini), options, desktop.projects, ScriptedBackend
        )
        quire.window.show()
        running = asyncio.ensure_future(quire.run())
        page = quire.window.message_page
        await turns_until(lambda: quire.window.shows_message)
        assert page.headline.text() == "This project is damaged"
        qtbot.mouseClick(page.backup_button, LEFT)
        await until(quire.window.status.changed, lambda: quire.window.status.is_open)
        quire.window.close()
        return await running

    assert desktop.run_async(run()) == 0
    assert restored(book.parent) == [TEXT]


def test_a_newer_project_can_be_read_and_nothing_else(desktop: Desktop, qtbot: Any, book: Path) -> None:
    before = change(book, "PRAGMA user_version = 99")

    async def scenario(quire: Application) -> None:
        window = quire.window
        assert window.editor.text() == TEXT
        assert "made by a newer version of Quire" in said(quire)
        assert quire.app.controls.strip.state_label.text() == "Read-only"
        qtbot.keyClicks(window.editor, "!")
        assert window.editor.text() == TEXT
        assert not quire.app.controls.bar.continue_button.isEnabled()
        assert not window.commands.back_up.isEnabled()

    assert desktop.start(ScriptedBackend(), scenario, book) == 0
    assert book.read_bytes() == before


async def import_novel(quire: Application, desktop: Desktop) -> None:
    """Import the novel that lies in the folder as a writer does: look at the preview, press Import."""
    quire.window.import_asked.emit(desktop.folder / "novel.txt", desktop.projects)
    dialog = quire.window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    await turns_until(lambda: dialog.import_button.isEnabled())
    assert dialog.pieces_view.topLevelItemCount() == 2
    dialog.import_button.click()
    await says(quire, "novel.txt was imported as 2 texts")
    quire.window.activateWindow()  # as window managers do when a dialog closes
    await turns_until(lambda: quire.window.isActiveWindow() and not quire.window.status.switching)


def imported(desktop: Desktop, then: Callable[[Application], Any]) -> Path:
    (desktop.folder / "novel.txt").write_text(NOVEL, encoding="utf-8")
    project = desktop.projects / "novel.quire"

    async def scenario(quire: Application) -> None:
        await import_novel(quire, desktop)
        await then(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    return project


def test_a_text_is_imported_and_each_chapter_is_a_page(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        window, view = quire.window, quire.app.manuscript.panel.view
        assert quire.app.manuscript.panel.isVisible()
        assert window.editor.text().startswith("CHAPTER I\n")
        assert window.status_line.words_label.text() == "122 words in this text"
        index = quire.app.manuscript.panel.model.index_of(3)
        qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
        await turns_until(lambda: window.editor.text().startswith("CHAPTER II\n"))
        await turns_until(lambda: not window.editor.isReadOnly())
        qtbot.keyClicks(window.editor, "?")
        await stored(quire)
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        await ended(quire)

    text = read_project(imported(desktop, then)).text
    assert text.startswith(NOVEL + "\n?")
    assert len(text) > len(NOVEL) + 30


def test_what_is_open_is_remembered(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        quire.window.document_asked.emit(read_later)
        await turns_until(lambda: quire.window.editor.text().startswith("CHAPTER II\n"))

    async def again(quire: Application) -> None:
        assert quire.window.editor.text().startswith("CHAPTER II\n")

    read_later = 3
    project = imported(desktop, then)
    assert desktop.start(ScriptedBackend(), again, project) == 0


def test_backups_and_run_data_are_made_while_it_drafts(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)
    table = desktop.folder / "runs.csv"

    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        backend.gate.release(30)
        await turns_until(lambda: quire.window.editor.text() != TEXT)
        quire.window.commands.back_up.trigger()
        await says(quire, "Backup made and verified")
        quire.window.run_data_asked.emit(desktop.sample)
        await says(quire, "is a project")
        quire.app.controls.bar.pause_asked.emit()
        backend.gate.release(1_000)
        await ended(quire)
        quire.window.run_data_asked.emit(table)
        await says(quire, "The data of 1 run")

    assert desktop.start(backend, scenario) == 0
    (backup, *_) = sorted((desktop.projects / "Low Water backups").glob("*on request*"))
    assert read_project(backup).text.startswith(TEXT)
    num_tokens = read_project(desktop.sample).runs[-1].num_tokens
    assert num_tokens >= 30
    with table.open(newline="", encoding="utf-8") as stream:
        assert sum(int(row["num_tokens"]) for row in csv.DictReader(stream)) == num_tokens


def test_a_fast_resume_file_is_kept_from_the_menu_and_used_by_the_next_continue(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(gated=True, cache_bytes_per_token=50_000)

    async def scenario(quire: Application) -> None:
        action = quire.window.commands.fast_resume
        assert not action.isEnabled()
        press(qtbot, quire, "continue")
        for _ in range(3):
            await asyncio.to_thread(backend.asked.acquire)
            backend.gate.release()
        await asyncio.to_thread(backend.asked.acquire)
        assert not action.isEnabled()
        quire.app.controls.bar.ask_to_pause()
        backend.gate.release()
        await ended(quire)
        assert "(about 2 MB)" in action.text()
        action.trigger()
        await says(quire, "was saved next to the project")
        assert fast_resume_path(desktop.sample).exists()
        backend.gate.release(1_000)
        press(qtbot, quire, "continue")
        await turns_until(lambda: not fast_resume_path(desktop.sample).exists())
        await ended(quire)

    assert desktop.start(backend, scenario) == 0
    assert isinstance(backend.begins[-1], ResumeGeneration)
    assert backend.begins[-1].cache_file == str(fast_resume_path(desktop.sample))


def test_the_manuscript_is_exported_while_it_is_open(desktop: Desktop) -> None:
    target = desktop.folder / "out.docx"

    async def scenario(quire: Application) -> None:
        quire.window.editor.insertPlainText(" *Never* again.")
        quire.window.commands.export.trigger()
        await turns_until(lambda: quire.window.findChild(ExportDialog) is not None)
        dialog = quire.window.findChild(ExportDialog)
        assert isinstance(dialog, ExportDialog)
        dialog.export_wanted.emit(dialog.recipe, desktop.folder / "nowhere" / "out.docx")
        await turns_until(lambda: "nowhere" in dialog.problem_label.text())
        dialog.export_wanted.emit(dialog.recipe, target)
        await says(quire, "The manuscript was exported to")
        await turns_until(lambda: quire.window.findChild(ExportDialog) is None)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    text = "\n".join(paragraph.text for paragraph in docx.Document(str(target)).paragraphs)
    assert "nobody sang. Never again." in text


def test_a_chapter_that_opens_only_half_is_shown_all_the_same(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next key would store the text in the window in its place."""

    async def then(quire: Application) -> None:
        real = project_text.text_before

        def broken(*_arguments: object) -> str:
            monkeypatch.setattr(project_text, "text_before", real)
            raise StorageFailed("The disk could not be read once.")

        monkeypatch.setattr(project_text, "text_before", broken)
        quire.window.document_asked.emit(3)
        await says(quire, "once")
        await turns_until(lambda: not quire.window.editor.isReadOnly())
        assert quire.window.editor.text().startswith("CHAPTER II\n")
        qtbot.keyClicks(quire.window.editor, "?")
        await stored(quire)

    assert read_project(imported(desktop, then)).text == NOVEL + "\n?"


def test_a_text_is_never_stored_in_the_place_of_another(desktop: Desktop) -> None:
    async def then(quire: Application) -> None:
        session = quire.app.current.session
        assert session is not None
        await session.open_document(3)  # behind the window's back
        quire.window.editor.insertPlainText("?")
        await says(quire, "shows another text than the open one")
        quire.app.current.shown_id = 3
        quire.window.editor.show_text(session.text)

    text = read_project(imported(desktop, then)).text
    assert text.count("It rained.") == text.count("It stopped.") == 60

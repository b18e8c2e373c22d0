"""Text files beside a real project, written when they should be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript import tree_requests as wish
from quire.errors import WriterProblem
from quire.import_export.mirror_controller import MirrorController
from quire.services.project import text_mirror
from quire.services.project.tree_editing import change_book
from quire.storage.project_file import open_project_file
from tests.app.project_window import ProjectWindow, Scenario, play
from tests.app.services.books import FERRY, HARBOUR, TEXTS, make_book

Play = Callable[[Scenario], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    make_book(path)
    return path


@pytest.fixture
def folder(path: Path) -> Path:
    return text_mirror.folder_of(path)


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], path: Path) -> Play:
    def make(shown: ProjectWindow) -> None:
        part = MirrorController(
            shown.window,
            shown.actions.mirror_now,
            shown.actions.mirror,
            shown.current,
            shown.tasks,
            every_s=0.0,
        )
        shown.manuscript.panel.edit_asked.connect(part.write_soon)
        shown.opener.followed.append(part.follow)

    return lambda scenario: play(qapp, run_async, path, scenario, make)


def keep(path: Path) -> None:
    file = open_project_file(path)
    text_mirror.set_kept(file, kept=True)
    file.close()


def is_there(folder: Path) -> bool:
    return folder.exists()


def harbour(folder: Path) -> str:
    return (folder / "01 Harbour.md").read_text(encoding="utf-8")


def test_they_are_written_when_asked_for_and_not_otherwise(run: Play, folder: Path) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        QTest.keyClicks(shown.window.editor, " Mara!")
        assert not is_there(folder)
        shown.actions.mirror_now.trigger()
        await shown.settle()
        assert harbour(folder) == f"{TEXTS[1]} Mara!\n"
        assert shown.said == f"5 texts were written to {folder}."
        QTest.keyClicks(shown.window.editor, " Ida!")
        await shown.current.autosave.store()

    run(scenario)
    assert harbour(folder) == f"{TEXTS[1]} Mara!\n"


def test_they_are_kept_up_to_date_once_that_is_switched_on(run: Play, path: Path, folder: Path) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        shown.actions.mirror.trigger()
        await shown.settle()
        assert "From now on" in shown.said
        assert harbour(folder) == f"{TEXTS[1]}\n"
        QTest.keyClicks(shown.window.editor, " Mara!")
        await shown.current.autosave.store()

    run(scenario)
    assert harbour(folder) == f"{TEXTS[1]} Mara!\n"  # before it was closed, at the latest

    async def again(shown: ProjectWindow) -> None:
        assert shown.actions.mirror.isChecked()
        shown.actions.mirror.trigger()
        await shown.settle()
        QTest.keyClicks(shown.window.editor, " Ida!")
        await shown.current.autosave.store()

    run(again)
    assert harbour(folder) == f"{TEXTS[1]} Mara!\n"


def test_what_is_stored_is_written_soon(run: Play, path: Path, folder: Path) -> None:
    keep(path)

    async def scenario(shown: ProjectWindow) -> None:
        await shown.written(folder / "04 Ferry.md")
        (folder / "01 Harbour.md").unlink()
        QTest.keyClicks(shown.window.editor, " Mara!")
        await shown.current.autosave.store()
        await shown.written(folder / "01 Harbour.md")
        assert harbour(folder) == f"{TEXTS[1]} Mara!\n"
        run = await shown.begin_draft(HARBOUR, " A gull cried.")
        (folder / "01 Harbour.md").unlink()
        await shown.end_draft(run)
        await shown.written(folder / "01 Harbour.md")
        assert harbour(folder) == f"{TEXTS[1]} Mara! A gull cried.\n"

    run(scenario)


def test_what_is_arranged_otherwise_is_there_when_the_project_is_closed(
    run: Play, path: Path, folder: Path
) -> None:
    keep(path)

    async def scenario(shown: ProjectWindow) -> None:
        await change_book(shown.session, wish.Trash(FERRY))

    run(scenario)
    assert not (folder / "04 Ferry.md").exists()
    assert harbour(folder) == f"{TEXTS[1]}\n"


def test_a_folder_that_cannot_be_written_to_is_said_and_keeps_nothing_from_closing(
    run: Play, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("a file where the folder should be")

    async def scenario(shown: ProjectWindow) -> None:
        shown.actions.mirror.trigger()
        with pytest.raises(WriterProblem, match="could not be saved in"):
            await shown.settle()

    run(scenario)


def test_who_changed_a_file_is_told_that_it_was_left(run: Play, folder: Path) -> None:
    folder.mkdir()
    (folder / "01 Harbour.md").write_text("mine")

    async def scenario(shown: ProjectWindow) -> None:
        shown.actions.mirror_now.trigger()
        await shown.settle()
        assert "01 Harbour.md was changed outside Quire" in shown.said

    run(scenario)
    assert harbour(folder) == "mine"

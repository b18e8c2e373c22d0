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
from tests.app.desk_window import DeskWindow, Scenario, play
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
    def make(desk: DeskWindow) -> None:
        part = MirrorController(
            desk.window,
            desk.actions.mirror_now,
            desk.actions.mirror,
            desk.models.desk,
            desk.keeper,
            desk.tasks,
            every_s=0.0,
        )
        desk.window.book_panel.edit_asked.connect(part.write_soon)
        desk.opener.followed.append(part.follow)

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
    async def scenario(desk: DeskWindow) -> None:
        QTest.keyClicks(desk.window.editor, " Mara!")
        assert not is_there(folder)
        desk.actions.mirror_now.trigger()
        await desk.settle()
        assert harbour(folder) == f"{TEXTS[1]} Mara!\n"
        assert desk.said == f"5 texts of the project are in {folder}."
        QTest.keyClicks(desk.window.editor, " Ida!")
        await desk.keeper.store_text()

    run(scenario)
    assert harbour(folder) == f"{TEXTS[1]} Mara!\n"


def test_they_are_kept_up_to_date_once_that_is_switched_on(run: Play, path: Path, folder: Path) -> None:
    async def scenario(desk: DeskWindow) -> None:
        desk.actions.mirror.trigger()
        await desk.settle()
        assert "From now on" in desk.said
        assert harbour(folder) == f"{TEXTS[1]}\n"
        QTest.keyClicks(desk.window.editor, " Mara!")
        await desk.keeper.store_text()

    run(scenario)
    assert harbour(folder) == f"{TEXTS[1]} Mara!\n"  # before it was closed, at the latest

    async def again(desk: DeskWindow) -> None:
        assert desk.actions.mirror.isChecked()
        desk.actions.mirror.trigger()
        await desk.settle()
        QTest.keyClicks(desk.window.editor, " Ida!")
        await desk.keeper.store_text()

    run(again)
    assert harbour(folder) == f"{TEXTS[1]} Mara!\n"


def test_what_is_stored_is_written_soon(run: Play, path: Path, folder: Path) -> None:
    keep(path)

    async def scenario(desk: DeskWindow) -> None:
        await desk.written(folder / "04 Ferry.md")
        (folder / "01 Harbour.md").unlink()
        QTest.keyClicks(desk.window.editor, " Mara!")
        await desk.keeper.store_text()
        await desk.written(folder / "01 Harbour.md")
        assert harbour(folder) == f"{TEXTS[1]} Mara!\n"
        run = await desk.begin_draft(HARBOUR, " A gull cried.")
        (folder / "01 Harbour.md").unlink()
        await desk.end_draft(run)
        await desk.written(folder / "01 Harbour.md")
        assert harbour(folder) == f"{TEXTS[1]} Mara! A gull cried.\n"

    run(scenario)


def test_what_is_arranged_otherwise_is_there_when_the_project_is_closed(
    run: Play, path: Path, folder: Path
) -> None:
    keep(path)

    async def scenario(desk: DeskWindow) -> None:
        await change_book(desk.desk, wish.Trash(FERRY))

    run(scenario)
    assert not (folder / "04 Ferry.md").exists()
    assert harbour(folder) == f"{TEXTS[1]}\n"


def test_a_folder_that_cannot_be_written_to_is_said_and_keeps_nothing_from_closing(
    run: Play, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write_text("a file where the folder should be")

    async def scenario(desk: DeskWindow) -> None:
        desk.actions.mirror.trigger()
        with pytest.raises(WriterProblem, match="could not be written to"):
            await desk.settle()

    run(scenario)


def test_who_changed_a_file_is_told_that_it_was_left(run: Play, folder: Path) -> None:
    folder.mkdir()
    (folder / "01 Harbour.md").write_text("mine")

    async def scenario(desk: DeskWindow) -> None:
        desk.actions.mirror_now.trigger()
        await desk.settle()
        assert "Somebody changed 01 Harbour.md outside of Quire" in desk.said

    run(scenario)
    assert harbour(folder) == "mine"

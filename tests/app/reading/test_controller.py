"""The reading view over a real project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.run import Chunk
from quire.reading.controller import ReadingController
from quire.shell.actions import Actions
from tests.app.project_window import ProjectWindow, Scenario, play, reading_in
from tests.app.services.books import FERRY, HARBOUR, LETTERS, STORM, TEXTS, make_book

Play = Callable[[Scenario], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    make_book(path)
    return path


@pytest.fixture
def reading() -> list[ReadingController]:
    return []


@pytest.fixture
def run(
    qapp: QApplication, run_async: Callable[..., Any], path: Path, reading: list[ReadingController]
) -> Play:
    def make(project: ProjectWindow) -> None:
        reading.append(reading_in(project))

    return lambda scenario: play(qapp, run_async, path, scenario, make)


async def read(project: ProjectWindow, actions: Actions) -> None:
    actions.reading_view.trigger()
    await project.settle()


def shown(part: ReadingController) -> list[str]:
    return [passage.text for passage in part.page.view.passages]


def test_the_book_is_read_as_one(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        await read(project, project.actions)
        part = reading[0]
        assert part.page.isVisible()
        assert not project.window.editor.isVisible()
        assert part.page.view.hasFocus()
        harbour = TEXTS[HARBOUR].split("\n\n")
        letters = ["Letters", TEXTS[LETTERS], "* * *", TEXTS[STORM]]
        assert shown(part) == ["The Crossing", "Harbour", *harbour, *letters, "Ferry", TEXTS[FERRY]]
        QTest.keyClick(part.page.view, Qt.Key.Key_Escape)
        assert project.window.editor.isVisible()
        assert project.window.editor.hasFocus()
        assert not project.actions.reading_view.isChecked()
        assert part.page.view.passages == ()

    run(scenario)


def test_what_was_typed_just_now_is_read(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        QTest.keyClicks(project.window.editor, " Mara!")
        await read(project, project.actions)
        assert "Then it rained. Mara!" in shown(reading[0])

    run(scenario)


def test_a_place_in_another_text_is_gone_to(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        await read(project, project.actions)
        part = reading[0]
        assert part.page.view.find_words("began")
        QTest.keyClick(part.page.view, Qt.Key.Key_Return)
        await project.settle()
        assert project.session.document_id == STORM
        assert project.window.editor.isVisible()
        assert project.window.editor.textCursor().position() == TEXTS[STORM].index("began") + len("began")
        assert not project.actions.reading_view.isChecked()

    run(scenario)


def test_a_place_in_the_open_text_is_gone_to(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        await read(project, project.actions)
        reading[0].page.place_chosen.emit(HARBOUR, 4)
        await project.settle()
        assert project.window.editor.isVisible()
        assert project.window.editor.hasFocus()
        assert project.window.editor.textCursor().position() == 4

    run(scenario)


def test_the_tree_shows_which_text_is_read(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        panel = project.manuscript.panel
        await read(project, project.actions)
        project.window.resize(1024, 640)
        view = reading[0].page.view
        view.set_text_px(40)
        for node_id in (LETTERS, FERRY):
            view.text_read.emit(node_id)
            node = panel.model.node_at(panel.view.currentIndex())
            assert node is not None
            assert node.node_id == node_id
        assert project.session.document_id == HARBOUR
        project.actions.reading_view.trigger()
        node = panel.model.node_at(panel.view.currentIndex())
        assert node is not None
        assert node.node_id == HARBOUR

    run(scenario)


def test_a_text_chosen_in_the_tree_is_shown_to_be_written(
    run: Play, reading: list[ReadingController]
) -> None:
    async def scenario(project: ProjectWindow) -> None:
        panel = project.manuscript.panel
        for node_id in (HARBOUR, FERRY):
            await read(project, project.actions)
            panel.view.clicked.emit(panel.model.index_of(node_id))
            await project.settle()
            assert project.session.document_id == node_id
            assert project.window.editor.isVisible()
            assert not project.actions.reading_view.isChecked()

    run(scenario)


def test_what_a_draft_wrote_is_read_when_it_is_over(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        run = await project.begin_draft(HARBOUR, " A gull cried.")
        await read(project, project.actions)
        assert "Then it rained. A gull cried." in shown(reading[0])
        chunk = Chunk((7,), " Another answered.", 2, 1, 1.0)
        await project.session.append(run.run_id, chunk)
        await project.end_draft(run)
        await project.settle()
        assert "Then it rained. A gull cried. Another answered." in shown(reading[0])

    run(scenario)


def test_the_text_is_read_in_the_size_it_is_written_in(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        project.appearance.set_text_px(21)
        await read(project, project.actions)
        wide = reading[0].page.view.column_px
        project.window.commands.zoom_out.trigger()
        assert reading[0].page.view.column_px < wide

    run(scenario)


def test_focus_mode_hides_what_is_around_the_page(run: Play, reading: list[ReadingController]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        project.actions.focus.trigger()
        assert not project.window.side_panel.isVisible()
        await read(project, project.actions)
        QTest.keyClick(reading[0].page.view, Qt.Key.Key_Escape)
        assert project.window.editor.hasFocus()
        assert reading[0].focus.is_on
        QTest.keyClick(project.window.editor, Qt.Key.Key_Escape)
        assert project.window.side_panel.isVisible()

    run(scenario)


def test_without_a_project_nothing_of_it_can_be_asked_for(run: Play) -> None:
    async def scenario(project: ProjectWindow) -> None:
        do = project.actions
        assert do.reading_view.isEnabled()
        project.window.status.close()
        assert not any(action.isEnabled() for action in (do.reading_view, do.outline, do.print_book))

    run(scenario)

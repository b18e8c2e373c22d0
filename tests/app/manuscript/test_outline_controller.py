"""The outline over a real project, beside the reading view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript.project_records import WritingGoal
from quire.domain.manuscript.tree import Status
from quire.manuscript.cards_view import CardsView
from quire.manuscript.outline_controller import OutlineController
from quire.manuscript.outline_model import OutlineColumn
from quire.manuscript.outline_view import OutlineView
from quire.reading.controller import ReadingController
from quire.storage.project_file import ProjectFile, open_project_file
from tests.app.project_window import ProjectWindow, Scenario, play, reading_in
from tests.app.services.books import FERRY, HARBOUR, make_book

Play = Callable[[Scenario], None]


@dataclass
class Shown:
    """What can be shown in the manuscript's place."""

    outline: OutlineView
    cards: CardsView
    reading: ReadingController


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    make_book(path)
    return path


@pytest.fixture
def shown() -> list[Shown]:
    return []


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], path: Path, shown: list[Shown]) -> Play:
    def make(project: ProjectWindow) -> None:
        reading, outline = reading_in(project), OutlineController(project.app)
        project.parts.append(outline)
        shown.append(Shown(outline.view, outline.cards, reading))

    return lambda scenario: play(qapp, run_async, path, scenario, make)


def test_the_outline_changes_synopsis_and_status_as_the_tree_does(run: Play, shown: list[Shown]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        asked = list[object]()
        project.manuscript.panel.edit_asked.connect(asked.append)
        project.actions.outline.trigger()
        outline = shown[0].outline
        assert outline.isVisible()
        assert project.actions.outline.isChecked()
        row = outline.table.row_of(FERRY)
        assert row is not None
        outline.table.setData(outline.table.index(row, OutlineColumn.STATUS), Status.DONE.value)
        assert len(asked) == 1
        project.actions.reading_view.trigger()
        await project.settle()
        assert shown[0].reading.page.isVisible()
        assert not project.actions.outline.isChecked()
        project.actions.outline.trigger()
        assert not project.actions.reading_view.isChecked()
        QTest.keyClick(outline.view, Qt.Key.Key_Escape)
        assert project.window.editor.hasFocus()
        assert not project.actions.outline.isChecked()

    run(scenario)


def test_a_text_of_the_outline_is_opened(run: Play, shown: list[Shown]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        for node_id in (HARBOUR, FERRY):
            project.actions.outline.trigger()
            shown[0].outline.document_chosen.emit(node_id)
            await project.settle()
            assert project.session.document_id == node_id
            assert project.window.editor.isVisible()

    run(scenario)


def test_the_cards_show_the_same_book(run: Play, shown: list[Shown]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        project.actions.outline.trigger()
        project.actions.cards.trigger()
        cards, panel = shown[0].cards, project.manuscript.panel
        assert cards.isVisible()
        assert not project.actions.outline.isChecked()
        cards.go_to(FERRY)
        assert panel.view.currentIndex() == panel.model.index_of(FERRY)
        cards.document_chosen.emit(HARBOUR)
        await project.settle()
        assert project.session.document_id == HARBOUR
        assert project.window.editor.isVisible()
        assert not project.actions.cards.isChecked()

    run(scenario)


def test_nothing_is_undone_in_a_text_that_the_cards_hide(run: Play, shown: list[Shown]) -> None:
    async def scenario(project: ProjectWindow) -> None:
        editor, undo = project.window.editor, project.window.commands.undo
        QTest.keyClicks(editor, "Mine. ")
        typed = editor.text()
        assert undo.isEnabled()
        project.actions.cards.trigger()
        cards = shown[0].cards
        cards.go_to(FERRY)
        cards.shift_asked.emit(-1)
        await project.settle()
        moved = project.session.tree
        assert undo.text() == "&Undo Move"
        for _ in range(2):
            QTest.keyClick(cards.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            project.window.undo_chain.undo()
            await project.settle()
        assert project.session.tree.reading_order() != moved.reading_order()
        assert editor.text() == typed
        assert not undo.isEnabled()
        project.actions.cards.trigger()
        assert undo.isEnabled()
        undo.trigger()
        assert editor.text() != typed

    run(scenario)


def test_goals_of_texts_are_shown(run: Play, shown: list[Shown], path: Path) -> None:
    def set_goals(file: ProjectFile) -> None:
        with file.unit() as unit:
            unit.records.save_goal(WritingGoal(1, 5000))
            unit.records.save_goal(WritingGoal(2, 1500, FERRY))
            unit.commit()

    file = open_project_file(path)
    set_goals(file)
    file.close()

    async def scenario(project: ProjectWindow) -> None:
        table = shown[0].outline.table
        goals = [table.index(row, OutlineColumn.GOAL).data() for row in range(table.rowCount())]
        assert goals == ["", "", "", "1,500"]

    run(scenario)

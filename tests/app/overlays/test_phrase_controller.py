"""Inspect > Frequent Phrases over a real project: the list, its places, and the words to avoid."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript.chapter_splitting import TextSection
from quire.domain.manuscript.tree import NodeKind
from quire.overlays.phrase_controller import PhraseController, novel_phrases
from quire.overlays.phrase_list import PhraseList
from quire.overlays.phrase_rows import PhraseColumn
from quire.services.project.project_session import ProjectSession
from quire.shell.main_window import MainWindow
from tests.app.bare_app import bare_app

ONE = "She laughed out loud at him. The lamp went out."
TWO = "He laughed out loud at him, and the lamp went out. "
CHAPTERS = [TextSection(NodeKind.CHAPTER, name, "", text) for name, text in (("One", ONE), ("Two", TWO * 2))]
Scenario = Callable[["Stage"], Awaitable[None]]


class Avoided:
    """The words to avoid."""

    def __init__(self) -> None:
        self.avoided_phrases: tuple[str, ...] = ()

    def avoid(self, phrase: str) -> None:
        self.avoided_phrases += (phrase,)


class Stage:
    """A window over a project of two chapters."""

    def __init__(self, window: MainWindow, session: ProjectSession) -> None:
        self.window, self.session, self.to_avoid = window, session, Avoided()
        self.tasks: list[asyncio.Future[None]] = []
        app = bare_app(
            window, session.path.parent, do=self._begin, opener=SimpleNamespace(open_document=self._open),
            steering=SimpleNamespace(panel=self.to_avoid),
        )  # fmt: skip
        self.current = app.current
        self.current.session = session
        self.part = PhraseController(app)
        self.show()

    def show(self) -> None:
        self.current.shown_id = self.session.document_id
        self.window.show_project(self.session.text)

    async def settle(self) -> None:
        while self.tasks:
            tasks, self.tasks = self.tasks, []
            await asyncio.gather(*tasks)

    async def opened(self) -> PhraseList:
        self.part.action.trigger()
        await self.settle()
        dialog = self.window.findChild(PhraseList)
        assert isinstance(dialog, PhraseList)
        return dialog

    def _begin(self, action: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.tasks.append(asyncio.ensure_future(action()))

    async def _open(self, document_id: int) -> None:
        await self.session.open_document(document_id)
        self.show()


@pytest.fixture
def play(window: MainWindow, tmp_path: Path, run_async: Callable[..., Any]) -> Callable[[Scenario], None]:
    async def run(scenario: Scenario) -> None:
        session = await ProjectSession.create_cut(tmp_path / "night.quire", "Night", CHAPTERS)
        try:
            await scenario(Stage(window, session))
        finally:
            await session.close()

    return lambda scenario: run_async(run(scenario))


Play = Callable[[Scenario], None]
pytestmark = pytest.mark.qt_log_ignore("raise", extend=True)  # the offscreen platform says it about dialogs


def test_the_list_is_of_the_book_as_it_is_on_the_screen_and_leads_to_every_place(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        dialog = await stage.opened()
        assert [phrase.text for phrase in dialog.rows.report.phrases] == [
            "laughed out loud at him",
            "the lamp went out",
        ]
        assert [dialog.rows.index(0, column).data() for column in PhraseColumn][1::2] == ["3", "under 0.5"]
        for expected in ("1 of 3 · One", "2 of 3 · Two"):
            dialog.next_button.click()
            await stage.settle()
            assert dialog.place_label.text() == expected
            assert stage.window.editor.textCursor().selectedText() == "laughed out loud at him"
        stage.window.editor.setPlainText("Nothing of it is left.")
        dialog.refresh_button.click()
        await stage.settle()
        assert dialog.rows.rowCount() == 0
        assert not dialog.next_button.isEnabled()
        assert "No phrase" in dialog.summary_label.text()
        dialog.close()

    play(scenario)


def test_a_phrase_is_avoided_once(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        dialog = await stage.opened()
        dialog.avoid_button.click()
        assert stage.to_avoid.avoided_phrases == ("laughed out loud at him",)
        assert (dialog.avoid_button.isEnabled(), dialog.avoid_button.text()) == (False, "Avoided")
        dialog.table.setCurrentIndex(dialog.rows.index(1, 0))
        assert dialog.avoid_button.isEnabled()
        dialog.copy_button.click()
        assert QApplication.clipboard().text().startswith("phrase,times")
        QApplication.clipboard().clear()
        dialog.close()

    play(scenario)


def test_in_other_languages_nothing_is_compared(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.part.set_language("de_DE")
        dialog = await stage.opened()
        novels = dialog.rows.index(0, PhraseColumn.NOVELS)
        assert novels.data() == "\u2013"
        assert novels.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
        assert "occur at least 3 times" in dialog.summary_label.text()
        dialog.close()

    play(scenario)


def test_the_figures_of_novels_are_of_common_phrases() -> None:
    novels = novel_phrases()
    assert novels["one of the"] > novels["at the end of the"] > 1
    assert all(3 <= len(phrase.split()) <= 8 for phrase in novels)
    assert min(novels.values()) >= 0.5

"""Overlays in a real window over a real project: what is marked, the list, alternatives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.text_quality.overlays import Overlay
from quire.editor.search_matches import select_place
from quire.overlays.alternatives_popover import AlternativesPopover
from quire.overlays.controller import OverlaysController
from quire.overlays.echo_list import EchoList, EchoScope
from quire.services.project.project_session import ProjectSession
from quire.shell.main_window import MainWindow
from quire_engine.api.config import SamplingConfig, Source
from quire_engine.api.messages import GenerationStarted
from quire_engine.api.queries import Alternative, TokenScore
from tests.app.bare_app import bare_app
from tests.benchmarks.app.latency_probes import turns_until

REFRAIN = "The lamp went out on the far bank."
OPENING = f"It rained all night. {REFRAIN} Nobody sang; {REFRAIN}"
DRAFTED = " The ferry came home."
Scenario = Callable[["Stage"], Awaitable[None]]


class FixedScorer:
    """Finds every word after the first one improbable."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def score(
        self, prompt_text: str, text: str, progressed: Callable[[float], None]
    ) -> Sequence[TokenScore]:
        self.asked.append((prompt_text, text))
        progressed(0.5)
        await self.gate.wait()
        other = (Alternative(" boat", 0.4),)
        half = max(text.find(" ", 1), 1)
        return (
            TokenScore(text[:half], 0, half, 0.9, 1, other),
            TokenScore(text[half:], half, len(text), 0.002, 90, other),
        )


class Stage:
    """A window that shows a project, and what is done in it."""

    def __init__(self, window: MainWindow, session: ProjectSession) -> None:
        self.window, self.session = window, session
        self.scorer = FixedScorer()
        self.tasks: list[asyncio.Future[None]] = []
        self.redrafts: list[tuple[int, str]] = []
        app = bare_app(
            window, session.path.parent, "page_overlays", do=self._begin,
            opener=SimpleNamespace(open_document=self._open),
            takes=SimpleNamespace(redraft_with=lambda place, text: self.redrafts.append((place, text))),
            drafts=SimpleNamespace(is_writing=False, questions=self._questions),
        )  # fmt: skip
        self.current, self.on_page = app.current, app.page_overlays
        self.current.session = session
        self.part = OverlaysController(app)
        self.show()

    def show(self) -> None:
        self.current.shown_id = self.session.document_id
        self.window.show_project(self.session.text)

    async def settle(self) -> None:
        """Let the timer of the part end at once, as often as it asks for that, and everything it began."""
        while self.part.timer.isActive() or self.tasks:
            if self.part.timer.isActive():
                self.part.timer.stop()
                self.part.timer.timeout.emit()
            tasks, self.tasks = self.tasks, []
            await asyncio.gather(*tasks)

    def has_asked(self, times: int) -> bool:
        return len(self.scorer.asked) == times

    def texts(self) -> list[str]:
        return self.on_page.legend.texts()

    def _begin(self, action: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.tasks.append(asyncio.ensure_future(action()))

    async def _questions(self) -> FixedScorer:
        return self.scorer

    async def _open(self, document_id: int) -> None:
        await self.session.open_document(document_id)
        self.show()


def popover_of(stage: Stage) -> AlternativesPopover:
    popover = stage.part._popover
    assert popover is not None
    return popover


def step(num_tokens: int, num_words: int, *kept: Source) -> StepRecord:
    return StepRecord(num_tokens, num_words, 3, 6, len(kept), 5.0, 1.0, 3.0, 0.5, kept)


async def draft(session: ProjectSession) -> None:
    """Let a run write its words at the end of the open text."""
    run = Run(1, session.document_id, SamplingConfig(seed=5), 10, "a" * 64, "a" * 64)
    await session.begin_run(run.moved_to(RunState.RUNNING))
    await session.save_prompt(GenerationStarted(1, (), 0))
    steps = (step(2, 1, "ngrams"), step(3, 4))
    chunk = Chunk((1, 2, 3, 4, 5), DRAFTED, 4, 2, 10.0, steps)
    await session.append(1, chunk)
    await session.end_run(1, RunState.PAUSED)


@pytest.fixture
def play(window: MainWindow, tmp_path: Path, run_async: Callable[..., Any]) -> Callable[[Scenario], None]:
    """Run a scenario on a project with an opening and a draft behind it."""

    async def run(scenario: Scenario) -> None:
        session = await ProjectSession.create(tmp_path / "night.quire", "Night", OPENING)
        try:
            await draft(session)
            stage = Stage(window, session)
            await stage.part.follow(session)
            await stage.settle()
            await scenario(stage)
        finally:
            await session.close()

    return lambda scenario: run_async(run(scenario))


Play = Callable[[Scenario], None]


def test_the_text_stands_alone_until_an_overlay_is_asked_for(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        page = stage.on_page
        assert page.picker.overlay is Overlay.NONE
        assert stage.part.layer.num_spans == 0

    play(scenario)


def test_the_key_shows_one_overlay_after_another(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        seen = dict[Overlay, int]()
        action = stage.part.actions.next_overlay
        assert action.shortcut().toString() == "F7"
        for _ in Overlay:
            action.trigger()
            await stage.settle()
            seen[stage.on_page.picker.overlay] = stage.part.layer.num_spans
        assert seen == {
            Overlay.SOURCE: 2,
            Overlay.GUESSES: 2,
            Overlay.ECHOES: 2,
            Overlay.SURPRISE: 0,
            Overlay.NONE: 0,
        }
        assert not stage.window.editor.document().isModified()

    play(scenario)


def test_the_source_follows_what_the_writer_changes(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.part.show_overlay(Overlay.SOURCE)
        await stage.settle()
        select_place(stage.window.editor, len(OPENING) + 4, len(OPENING) + 4)
        stage.window.editor.insertPlainText(" old")
        await stage.current.autosave.store()
        await stage.settle()
        assert stage.part.layer.num_spans == 4
        assert stage.texts() == ["You wrote", "Drafted", "Drafted, then edited", "Pasted"]

    play(scenario)


def test_what_is_not_stored_yet_is_marked_once_it_is(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        editor = stage.window.editor
        select_place(editor, 0, 0)
        editor.insertPlainText("Yes. ")
        stage.part.show_overlay(Overlay.SOURCE)
        stage.part.timer.stop()
        stage.part.timer.timeout.emit()
        await asyncio.gather(*stage.tasks)
        stage.tasks.clear()
        assert stage.part.layer.num_spans == 0  # the stored text is another one
        assert stage.part.timer.isActive()
        await stage.current.autosave.store()
        await stage.settle()
        assert stage.part.layer.num_spans == 2

    play(scenario)


def test_guesses_of_an_earlier_version_say_that_they_are_of_whole_steps(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.part.show_overlay(Overlay.GUESSES)
        await stage.settle()
        assert stage.texts()[-1] == "Drafted with an older version of Quire: only whole steps are known."

    play(scenario)


@pytest.mark.qt_log_ignore("raise", "grabbing", extend=True)  # the offscreen platform, about every menu
def test_an_echo_leads_to_its_twin(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.part.show_overlay(Overlay.ECHOES)
        await stage.settle()
        editor, actions = stage.window.editor, stage.part.actions
        second = OPENING.rindex(REFRAIN)
        select_place(editor, second + 1, second + 1)
        stage.window.commands.inspect_menu.aboutToShow.emit()
        assert actions.go_to_twin.isEnabled()
        actions.go_to_twin.trigger()
        assert editor.textCursor().selectedText() == REFRAIN
        assert editor.textCursor().selectionStart() == OPENING.index(REFRAIN)
        select_place(editor, second + 1, second + 1)
        at = editor.cursorRect().center() + QPoint(2, 0)
        for point in (at, QPoint(at.x(), editor.viewport().height() - 4)):  # on the echo, and on nothing
            event = QContextMenuEvent(
                QContextMenuEvent.Reason.Mouse, point, editor.viewport().mapToGlobal(point)
            )
            QApplication.sendEvent(editor.viewport(), event)
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu)
            has_twin = menu.actions()[0].text() == "Go to &Matching Repeat"
            assert has_twin == (point == at)
            if has_twin:
                menu.actions()[0].trigger()
            menu.close()
        assert editor.textCursor().selectionStart() == OPENING.index(REFRAIN)

    play(scenario)


@pytest.mark.qt_log_ignore("raise", extend=True)  # the offscreen platform says it about every dialog
def test_the_list_shows_the_echoes_of_the_text_and_of_the_book(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.part.actions.echo_list.trigger()
        await stage.settle()
        dialog = stage.window.findChild(EchoList)
        assert isinstance(dialog, EchoList)
        assert dialog.rows.rowCount() == 1
        dialog.show_next()
        assert stage.window.editor.textCursor().selectedText() == REFRAIN
        dialog.scope_buttons[EchoScope.BOOK].click()
        await stage.settle()
        assert dialog.rows.rowCount() == 1
        assert "Night" in dialog.csv_text()
        dialog.close()

    play(scenario)


def test_an_alternative_just_replaces_the_word_and_undo_restores_it(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.window.status.show_status(DraftStatus(DraftState.PAUSED))
        text, start = stage.session.text, len(OPENING) + 1
        select_place(stage.window.editor, start, start + 9)
        stage.part.actions.alternatives.trigger()
        await stage.settle()
        popover = popover_of(stage)
        popover.choose(1)
        popover.replace_button.click()
        assert stage.window.editor.text() == text[: start + 3] + " boat" + text[start + 9 :]
        assert not stage.redrafts
        stage.window.editor.undo()
        assert stage.window.editor.text() == text

    play(scenario)


def test_alternatives_are_asked_for_with_everything_before_them(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        part = stage.part
        stage.window.status.show_status(DraftStatus(DraftState.PAUSED))
        assert not part.actions.alternatives.isEnabled()  # the caret is at no word
        start = len(OPENING) + 1
        select_place(stage.window.editor, start, start + 9)
        assert part.actions.alternatives.isEnabled()
        assert "for Selection" in part.actions.alternatives.text()
        part.actions.alternatives.trigger()
        await stage.settle()
        assert stage.scorer.asked == [(OPENING, " The ferry")]  # a word begins with the space before it
        assert stage.on_page.picker.overlay is Overlay.NONE  # the highlight stays as the writer chose it
        popover = popover_of(stage)
        popover.choose(1)
        popover.redraft_button.click()
        assert stage.redrafts == [(start + 3, " boat")]

    play(scenario)


def test_surprises_go_when_what_stands_before_them_changes(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        part, editor = stage.part, stage.window.editor
        stage.window.status.show_status(DraftStatus(DraftState.PAUSED))
        select_place(editor, len(OPENING) + 1, len(OPENING) + 10)
        part.show_overlay(Overlay.SURPRISE)
        part.actions.alternatives.trigger()
        await stage.settle()
        assert part.layer.num_spans == 2
        select_place(editor, len(editor.text()), len(editor.text()))
        editor.insertPlainText(" More.")
        await stage.settle()
        assert part.layer.num_spans == 2
        select_place(editor, 0, 0)
        editor.insertPlainText("Yes. ")
        await stage.settle()
        assert part.layer.num_spans == 0
        assert stage.texts() == ["Select words and choose Inspect > Alternatives for Selection."]

    play(scenario)


def test_the_popover_is_there_at_once_and_closed_by_a_draft_or_an_edit(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        status, editor = stage.window.status, stage.window.editor
        changes: tuple[Callable[[], object], ...] = (
            lambda: status.show_status(DraftStatus(DraftState.LOADING)),
            lambda: editor.insertPlainText("!"),
            lambda: popover_of(stage).reject(),
        )
        for number, change in enumerate(changes, 1):
            status.show_status(DraftStatus(DraftState.PAUSED))
            select_place(editor, len(OPENING) + 1, len(OPENING) + 10)
            stage.scorer.gate.clear()
            stage.part.actions.alternatives.trigger()
            popover = popover_of(stage)
            assert popover.isVisible()
            assert popover.bar.isVisible()
            await turns_until(partial(stage.has_asked, number))
            change()
            assert stage.part._popover is None
            assert stage.tasks
            asked, *_ = stage.tasks
            await asyncio.wait([asked])
            assert asked.cancelled()
            stage.tasks.clear()
        assert stage.part._surprise is None

    play(scenario)


def test_nothing_is_asked_without_a_selection(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.window.status.show_status(DraftStatus(DraftState.PAUSED))
        stage.part._ask_for_alternatives()
        assert stage.part._popover is None
        assert not stage.scorer.asked

    play(scenario)


def test_a_project_that_is_closed_is_read_no_more(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.part.show_overlay(Overlay.GUESSES)
        await stage.session.close()
        await stage.settle()
        assert stage.part.layer.num_spans == 0

    play(scenario)


def test_without_a_selection_alternatives_are_those_of_the_word_at_the_caret(play: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.window.status.show_status(DraftStatus(DraftState.PAUSED))
        place = len(OPENING) + 1 + len("The fer")
        select_place(stage.window.editor, place, place)
        stage.window.commands.inspect_menu.aboutToShow.emit()
        assert "for This Word" in stage.part.actions.alternatives.text()
        stage.part.actions.alternatives.trigger()
        await stage.settle()
        assert stage.scorer.asked == [(f"{OPENING} The", " ferry")]

    play(scenario)

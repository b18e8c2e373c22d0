"""The queue, wired to a real window and a real project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.draft_queue import QueuedDraft, QueuedDraftState
from quire.domain.drafting.presets import LIVELY
from quire.domain.drafting.prompt_composition import PromptReader
from quire.domain.drafting.run import Run, RunState
from quire_engine.api.messages import GenerationStarted
from tests.app.steering_room import Room, RunAsync, open_room, project, run_of


@pytest.fixture
def room(qapp: QApplication, tmp_path: Path) -> Iterator[Room]:
    with open_room(qapp, tmp_path) as room:
        yield room


def test_the_queue_drafts_each_wish_in_its_text_with_its_preset_and_direction(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    drafted: list[tuple[int, int, str, str]] = []

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:

            async def draft(goal_words: int) -> Run:
                composed = (await room.steering.next_prompt(session, PromptReader())).composed
                drafted.append(
                    (session.document_id, goal_words, room.steering.preset.name, composed.note_text)
                )
                await room.steering.run_started(session, 10 + len(drafted), composed)
                return run_of(session, RunState.FINISHED, run_id=10 + len(drafted))

            panel = room.steering.panel
            panel.beats_edit.setPlainText("She waits\nHe comes")
            room.steering.actions.queue.trigger()
            dialog = room.queue._dialog
            assert dialog is not None
            dialog.beats_button.click()
            await room.done()
            panel.direction_edit.setPlainText("Storm")
            room.steering.choose(LIVELY)
            dialog.add_button.click()
            await room.done()
            panel.direction_edit.setPlainText("Calm")  # of the book; the last draft has its own
            assert dialog.list.count() == 3
            room.draft = draft
            goal = room.controls.bar.goal_words
            dialog.start_button.click()
            await room.done()
            assert drafted == [
                (1, goal, "Balanced", "[She waits] [Calm]"),
                (1, goal, "Balanced", "[He comes] [Calm]"),
                (1, goal, "Lively", "[Storm]"),
            ]
            assert panel.direction_edit.toPlainText() == "Calm"
            assert dialog.said.text() == "The queue is finished: 3 drafts written."
            assert room.opened == [1, 1, 1]
            dialog.clear_button.click()
            await room.done()
            assert dialog.list.count() == 0
            dialog.close_button.click()

    run_async(scenario())


def test_an_alarm_stops_the_queue_and_it_goes_on_with_the_same_run(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    notes: list[str] = []

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:

            async def draft(goal_words: int) -> Run:
                composed = (await room.steering.next_prompt(session, PromptReader())).composed
                notes.append(composed.note_text)
                if len(notes) > 1:
                    return run_of(session, RunState.FINISHED, composed.steering_digest)
                run = run_of(session, RunState.PAUSED, composed.steering_digest)
                await session.begin_run(replace(run, state=RunState.RUNNING, num_prompt=0))
                await session.save_prompt(GenerationStarted(run.run_id, (1, 2, 3), 0))
                await session.save_run(run)
                await room.steering.run_started(session, run.run_id, composed)
                room.app.events.alarm_pauses("The last 3 passages are the same.")
                return run

            room.steering.actions.queue.trigger()
            room.steering.panel.direction_edit.setPlainText("Storm")
            dialog = room.queue._dialog
            assert dialog is not None
            dialog.add_button.click()
            await room.done()
            room.draft = draft
            dialog.start_button.click()
            await room.done()
            assert dialog.said.text() == "The queue stopped. The last 3 passages are the same."
            assert room.queue._queue is not None
            (queued,) = room.queue._queue.queue.drafts
            assert queued.state is QueuedDraftState.STOPPED
            assert not room.queue.is_working
            dialog.start_button.click()
            await room.done()
            assert notes == ["[Storm]", "[Storm]"]
            assert room.queue._queue.queue.num_due == 0
            dialog.close_button.click()

    run_async(scenario())


def test_a_text_that_is_gone_stops_the_queue_with_a_sentence(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):

            async def draft(goal_words: int) -> Run:
                raise AssertionError

            room.draft = draft
            room.steering.actions.queue.trigger()
            assert room.queue._queue is not None
            await room.queue._queue.change(lambda queue: queue.added(QueuedDraft(0, 99, 100)))
            dialog = room.queue._dialog
            assert dialog is not None
            dialog.start_button.click()
            await room.done()
            assert "The chapter of this draft is no" in dialog.said.text()
            dialog.close_button.click()

    run_async(scenario())

"""Steering, wired to a real window and a real project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.prompt_composition import NextPrompt, PartOrigin, PromptReader
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_requests import AddText
from quire.services.drafting.steering_service import read_steering
from quire.services.project.project_session import ProjectSession
from quire.services.project.tree_editing import change_book
from quire.steering.card_dialog import CardDialog
from quire.steering.memory_history_dialog import MemoryVersionsDialog
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import GenerationStarted
from quire_engine.api.queries import PromptSegment, PromptSource, PromptViewed
from tests.app.steering_room import Room, RunAsync, open_room, project, run_of
from tests.benchmarks.app.latency_probes import turns_until


@pytest.fixture
def room(qapp: QApplication, tmp_path: Path) -> Iterator[Room]:
    with open_room(qapp, tmp_path) as room:
        yield room


def test_what_is_typed_beside_the_text_is_in_the_file_and_in_the_next_start(
    run_async: RunAsync, room: Room, tmp_path: Path, qtbot: Any
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:
            panel = room.steering.panel
            assert room.steering.dock.isVisible()
            panel.memory_edit.setPlainText("October 1871.")
            panel.direction_edit.setPlainText("Storm")
            panel.opening_edit.setPlainText("It had rained.")
            panel.beats_edit.setPlainText("She waits\nHe comes")
            composed = (await room.steering.next_prompt(session, PromptReader())).composed
            assert "October 1871." in composed.front_text
            assert "It had rained." in composed.front_text
            assert composed.note_text == "[She waits] [Storm]"
            await room.steering.run_started(session, 5, composed)
            assert panel.direction_edit.toPlainText() == "Storm"  # until the writer changes it
            assert not panel.used_hint.isVisibleTo(panel)
            assert panel.beats.figure.text() == "1 of 2 used"
            assert (await session.read(read_steering)).steering.starts[0].note_text == "[She waits] [Storm]"
            paused = run_of(session, RunState.PAUSED, composed.steering_digest)
            assert await room.steering.restart_reason(session, paused) == ""
            panel.depth_chosen.emit(2)
            assert (await room.steering.next_prompt(session, PromptReader())).composed.note_depth == 2
            assert "author's note" in await room.steering.restart_reason(session, paused)
            panel.depth_chosen.emit(0)
            assert await room.steering.restart_reason(session, paused) == ""
            panel.direction_edit.setPlainText("")
            assert panel.used_hint.text() == "Last used: Storm"
            panel.again_button.click()
            assert panel.direction_edit.toPlainText() == "Storm"
            await room.steering.run_cancelled(session, 5)
            assert panel.beats.figure.text() == "0 of 2 used"

    run_async(scenario())


def test_another_project_brings_its_own_and_the_last_words_of_the_first_are_stored(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        panel = room.steering.panel
        first = await ProjectSession.create(tmp_path / "a.quire", "A", "Mara came.")
        await room.show(first)
        panel.memory_edit.setPlainText("Of the first.")
        async with project(room, tmp_path / "b.quire"):
            assert panel.memory_edit.toPlainText() == ""
            assert (await first.read(read_steering)).steering.memory.text == "Of the first."
            await first.close()
            panel.memory_edit.setPlainText("Of the second.")
        again = await ProjectSession.open(tmp_path / "b.quire")
        assert (await again.read(read_steering)).steering.memory.text == "Of the second."
        await again.close()

    run_async(scenario())


def test_entries_are_made_from_the_dialog_and_from_notes(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:
            edited = await change_book(session, AddText(NodeKind.PLACE, "The river"))
            await session.open_document(1)
            assert edited.new_id is not None
            await session.save_other(edited.new_id, "It runs thin.")
            await room.steering.follow(session)
            panel, notes = room.steering.panel, room.steering.notes
            panel.entry_asked.emit(0)
            dialog = room.window.findChild(CardDialog)
            assert dialog is not None
            dialog.name_edit.setText("Mara")
            dialog.text_edit.setPlainText("A ferrywoman.")
            dialog.save_button.click()
            await room.done()
            assert [notes.list.item(row).text() for row in range(2)] == ["Mara", "The river"]
            notes.list.setCurrentRow(1)
            notes.lorebook_box.click()
            assert panel.lore_list.list.count() == 2
            assert notes.lorebook_box.isChecked()
            room.steering._change(
                lambda now: replace(now, lorebook=tuple(replace(e, pinned=True) for e in now.lorebook))
            )
            composed = (await room.steering.next_prompt(session, PromptReader())).composed
            titles = [part.title for part in composed.front_parts if part.origin is PartOrigin.LOREBOOK]
            assert titles == ["Mara", "The river"]
            assert "The river. It runs thin." in composed.front_text
            panel.entry_asked.emit(1)
            again = room.window.findChildren(CardDialog)[-1]
            assert again.name_edit.text() == "Mara"
            again.reject()
            notes.lorebook_box.click()
            book = room.steering._book
            assert book is not None
            read = book.steering
            assert [entry.on for entry in read.lorebook] == [True, False]
            panel.lore_list.choose(1)
            panel.lore_list.remove_button.click()
            assert panel.lore_list.list.count() == 1

    run_async(scenario())


def test_room_and_cost_are_measured_and_counted_by_the_model(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def view(prompt: NextPrompt) -> PromptViewed:
        story = PromptSegment(PromptSource.STORY, prompt.story, len(prompt.story))
        return PromptViewed(1, (story,), 0, prompt.context)

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            bar, cost = room.steering.panel.space_bar, room.steering.panel.cost
            room.steering.set_reader(PromptReader(1_000), None)
            await turns_until(lambda: "about" in bar.total.text())
            assert bar.total.text().endswith("of 750 words")
            assert cost.text() == "The model will read 2 words first."
            room.steering.set_reader(PromptReader(1_000), view)
            room.steering.set_reading_pace(0.5)
            await turns_until(lambda: bar.total.text() == "8 of 750 words")
            await turns_until(lambda: cost.text().endswith("2 words (about 20 s) first."))

    run_async(scenario())


def test_while_a_draft_goes_on_nothing_is_said_of_a_first_start(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:
            cost = room.steering.panel.cost
            await room.steering._measure(session)
            assert not cost.text()  # it is not known yet which model will read
            room.steering.set_reader(PromptReader(), None)
            await turns_until(lambda: cost.text().startswith("The model will read"))
            run = Run(1, session.document_id, SamplingConfig(), 50, "", "", state=RunState.RUNNING)
            await session.begin_run(run)
            await session.save_prompt(GenerationStarted(1, (1,), 0))
            room.status.show_status(DraftStatus(DraftState.DRAFTING))
            await turns_until(lambda: cost.text().startswith("Edits here"))
            await session.end_run(1, RunState.PAUSED)

    run_async(scenario())


def test_nothing_is_measured_in_a_project_that_is_closed(
    run_async: RunAsync, room: Room, tmp_path: Path, qtbot: Any
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            room.steering.panel.memory_edit.setPlainText("October.")
        room.steering.set_reader(PromptReader(2_000), None)

    run_async(scenario())
    room.tasks.clear()  # what was measured before it was closed
    with qtbot.waitSignal(room.steering._measure_soon.timeout):
        pass
    assert room.tasks == []


def test_what_the_model_sees_is_shown_as_the_engine_reads_it(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def view(prompt: NextPrompt) -> PromptViewed:
        front = PromptSegment(PromptSource.FRONT, prompt.composed.front_text, 9)
        return PromptViewed(1, (front, PromptSegment(PromptSource.STORY, prompt.story, 3)), 0, 1_000)

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            room.steering.panel.memory_edit.setPlainText("October.")
            room.steering.actions.prompt_preview.trigger()
            await room.done()
            dialog = room.steering._view_dialog
            assert dialog is not None
            assert dialog.text.toPlainText().endswith("Mara came.")
            assert "estimated" in dialog.said.text()
            room.steering.set_reader(PromptReader(), view)
            dialog.refresh_button.click()
            await room.done()
            assert "estimated" not in dialog.said.text()
            assert [part.origin for part in dialog.text.parts] == [PartOrigin.MEMORY, PartOrigin.MANUSCRIPT]
            dialog.close_button.click()
            assert room.steering._view_dialog is None

    run_async(scenario())


def test_the_menu_leads_to_every_field(run_async: RunAsync, room: Room, tmp_path: Path) -> None:
    async def scenario() -> None:
        do, panel = room.steering.actions, room.steering.panel
        assert not do.memory.isEnabled()
        async with project(room, tmp_path / "a.quire"):
            do.right_panel.trigger()
            assert not room.steering.dock.isVisible()
            for action, target in (
                (do.memory, panel.memory_edit),
                (do.direction, panel.direction_edit),
                (do.opening, panel.opening_edit),
                (do.beats, panel.beats_edit),
                (do.avoided, panel.avoided_edit),
                (do.lorebook, panel.add_button),
            ):
                action.trigger()
                assert room.window.focusWidget() is target
            assert room.steering.dock.isVisible()
            assert do.prompt_preview.shortcut().toString() == "Ctrl+Shift+M"

    run_async(scenario())


def test_an_earlier_version_of_memory_comes_back(run_async: RunAsync, room: Room, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:
            panel = room.steering.panel
            panel.memory_edit.setPlainText("October.")
            await room.steering.run_started(
                session, 5, (await room.steering.next_prompt(session, PromptReader())).composed
            )
            panel.memory_edit.setPlainText("May.")
            panel.versions_button.click()
            dialog = room.window.findChild(MemoryVersionsDialog)
            assert dialog is not None
            dialog.take_button.click()
            assert panel.memory_edit.toPlainText() == "October."

    run_async(scenario())


def test_the_chat_form_is_offered_only_by_models_that_have_one(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as session:
            box = room.steering.panel.chat_box
            assert not box.isVisible()
            chat = PromptReader(has_chat=True)
            room.steering.set_reader(chat, None)
            assert box.isVisible()
            box.click()
            composed = (await room.steering.next_prompt(session, chat)).composed
            assert composed.chat
            assert composed.steering_digest
            room.steering.set_reader(PromptReader(), None)
            assert not box.isVisible()
            assert not (await room.steering.next_prompt(session, PromptReader())).composed.chat

    run_async(scenario())

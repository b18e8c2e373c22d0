"""Steering, presets and the queue, wired to a real window and a real project."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication

from quire.domain.book_edits import AddText
from quire.domain.composing import Composed, PartOrigin
from quire.domain.presets import BUILT_IN, FAITHFUL, LIVELY, Preset, dumped
from quire.domain.queue import Wish, WishState
from quire.domain.run import Run, RunState
from quire.domain.tree import NodeKind
from quire.errors import WriterProblem
from quire.files import Doing
from quire.keeper import ManuscriptKeeper
from quire.models.desk import DeskModel
from quire.models.pace import PaceModel
from quire.models.progress import ProgressModel
from quire.models.run_charts import RunCharts
from quire.queue_desk import QueueDesk
from quire.services.book_editing import change_book
from quire.services.projects import ProjectDesk
from quire.services.steering import read_steering
from quire.steering_desk import SteeringDesk
from quire.theme.keeper import ThemeChoice, ThemeKeeper
from quire.widgets.lore_dialog import LoreDialog
from quire.widgets.main_window import MainWindow
from quire.widgets.memory_versions_dialog import MemoryVersionsDialog
from quire.widgets.window_models import WindowModels
from quire_engine.config import SamplingConfig
from quire_engine.questions import Origin, PromptSegment, PromptViewed
from tests.fakes import IDENTITY
from tests.integration.desktop import turns_until

LEFT = Qt.MouseButton.LeftButton
Action = Callable[[], Coroutine[Any, Any, None]]
RunAsync = Callable[[Any], Any]


@dataclass
class Room:
    """A window with the parts that steer, and what they had done and said."""

    window: MainWindow
    keeper: ManuscriptKeeper
    steering: SteeringDesk
    queue: QueueDesk
    presets_path: Path
    tasks: list[asyncio.Task[None]]
    opened: list[int] = field(default_factory=list)

    async def show(self, desk: ProjectDesk) -> None:
        self.keeper.desk = desk
        await self.steering.follow(desk)
        await self.queue.follow(desk)

    async def done(self) -> None:
        """Wait until everything that was asked for is done."""
        while waiting := [task for task in self.tasks if not task.done()]:
            await asyncio.wait(waiting)
        for task in self.tasks:
            task.result()
        self.tasks.clear()


@pytest.fixture
def room(qapp: QApplication, tmp_path: Path) -> Iterator[Room]:
    palette = qapp.palette()
    themes = ThemeKeeper(qapp, ThemeChoice.LIGHT)
    models = WindowModels(DeskModel(), ProgressModel(), PaceModel(), themes, RunCharts())
    window = MainWindow(models, tmp_path)
    window.show()
    tasks: list[asyncio.Task[None]] = []
    opened: list[int] = []

    def do(action: Action) -> None:
        tasks.append(asyncio.ensure_future(action()))

    doing = Doing(do, do, do)
    keeper = ManuscriptKeeper(window, models.desk)
    path = tmp_path / "presets.json"
    steering = SteeringDesk(window, models, keeper, doing, path)

    async def open_document(document_id: int) -> None:
        opened.append(document_id)
        if keeper.desk is not None:
            await keeper.desk.open_document(document_id)
            await steering.follow(keeper.desk)

    queue = QueueDesk(window, keeper, doing, steering, open_document)
    models.desk.open("Night")
    yield Room(window, keeper, steering, queue, path, tasks, opened=opened)
    window.leave()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


@asynccontextmanager
async def project(room: Room, path: Path, text: str = "Mara came.") -> AsyncIterator[ProjectDesk]:
    desk = await ProjectDesk.create(path, "Night", text)
    try:
        await room.show(desk)
        yield desk
        await room.done()
    finally:
        await desk.close()


def run_of(desk: ProjectDesk, state: RunState, steering: str = "", run_id: int = 5) -> Run:
    return Run(
        run_id,
        desk.document_id,
        SamplingConfig(),
        50,
        "",
        "",
        state,
        model=IDENTITY,
        num_prompt=3,
        steering=steering,
    )


# ------------------------------------------------------------ steering
def test_what_is_typed_beside_the_text_is_in_the_file_and_in_the_next_start(
    run_async: RunAsync, room: Room, tmp_path: Path, qtbot: Any
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as desk:
            panel = room.steering.dock.steer
            assert room.steering.dock.isVisible()
            panel.memory_edit.setPlainText("October 1871.")
            panel.direction_edit.setPlainText("Storm")
            panel.opening_edit.setPlainText("It had rained.")
            panel.beats_edit.setPlainText("She waits\nHe comes")
            composed = await room.steering.composed(desk)
            assert "October 1871." in composed.front_text
            assert "It had rained." in composed.front_text
            assert composed.note_text == "[She waits] [Storm]"
            await room.steering.begun(desk, 5, composed)
            assert panel.direction_edit.toPlainText() == ""
            assert panel.used_hint.text() == "Run 5 was told: Storm"
            assert panel.beats.figure.text() == "1 of 2 told"
            assert (await desk.read(read_steering)).steering.starts[0].note_text == "[She waits] [Storm]"
            paused = run_of(desk, RunState.PAUSED, composed.steering_digest)
            assert await room.steering.why_anew(desk, paused) == ""
            panel.again_button.click()
            assert "stage direction" in await room.steering.why_anew(desk, paused)
            await room.steering.given_back(desk, 5)
            assert panel.beats.figure.text() == "0 of 2 told"

    run_async(scenario())


def test_another_project_brings_its_own_and_the_last_words_of_the_first_are_stored(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        panel = room.steering.dock.steer
        first = await ProjectDesk.create(tmp_path / "a.quire", "A", "Mara came.")
        await room.show(first)
        panel.memory_edit.setPlainText("Of the first.")
        async with project(room, tmp_path / "b.quire"):
            assert panel.memory_edit.toPlainText() == ""
            assert (await first.read(read_steering)).steering.memory.text == "Of the first."
            await first.close()
            panel.memory_edit.setPlainText("Of the second.")
        again = await ProjectDesk.open(tmp_path / "b.quire")
        assert (await again.read(read_steering)).steering.memory.text == "Of the second."
        await again.close()

    run_async(scenario())


def test_entries_are_made_from_the_dialog_and_from_notes(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as desk:
            edited = await change_book(desk, AddText(NodeKind.PLACE, "The river"))
            await desk.open_document(1)
            assert edited.new_id is not None
            await desk.save_other(edited.new_id, "It runs thin.")
            await room.steering.follow(desk)
            panel, notes = room.steering.dock.steer, room.steering.dock.notes
            panel.entry_asked.emit(0)
            dialog = room.window.findChild(LoreDialog)
            assert dialog is not None
            dialog.name_edit.setText("Mara")
            dialog.text_edit.setPlainText("A ferrywoman.")
            dialog.save_button.click()
            notes.told_box.click()
            assert panel.lore_list.list.count() == 2
            assert notes.told_box.isChecked()
            room.steering._change(
                lambda now: replace(now, lorebook=tuple(replace(e, pinned=True) for e in now.lorebook))
            )
            composed = await room.steering.composed(desk)
            titles = [part.title for part in composed.front_parts if part.origin is PartOrigin.LOREBOOK]
            assert titles == ["Mara", "The river"]
            assert "The river. It runs thin." in composed.front_text
            panel.entry_asked.emit(1)
            again = room.window.findChildren(LoreDialog)[-1]
            assert again.name_edit.text() == "Mara"
            again.reject()
            notes.told_box.click()
            assert panel.lore_list.list.count() == 1
            panel.lore_list.choose(1)
            panel.lore_list.remove_button.click()
            assert panel.lore_list.list.count() == 0

    run_async(scenario())


def test_room_and_cost_are_measured_and_counted_by_the_model(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def count(texts: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(len(text) for text in texts)

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            bar, cost = room.steering.dock.steer.space_bar, room.steering.dock.steer.cost
            room.steering.set_context(1_000)
            await turns_until(lambda: "about" in bar.total.text())
            assert bar.total.text().endswith("of 1K")
            assert cost.text() == "The first start reads everything: 2 words."
            room.steering.set_engine(count, None)
            room.steering.set_reading_pace(0.5)
            await turns_until(lambda: bar.total.text() == "10 of 1K")
            await turns_until(lambda: cost.text().endswith("2 words, about 20 s."))

    run_async(scenario())


def test_nothing_is_measured_in_a_project_that_is_closed(
    run_async: RunAsync, room: Room, tmp_path: Path, qtbot: Any
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            room.steering.dock.steer.memory_edit.setPlainText("October.")
        room.steering.set_context(2_000)

    run_async(scenario())
    with qtbot.waitSignal(room.steering._measure_soon.timeout):
        pass
    assert room.tasks == []


def test_what_the_model_sees_is_shown_as_the_engine_reads_it(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def view(story: str, composed: Composed) -> PromptViewed:
        front = PromptSegment(Origin.FRONT, composed.front_text, 9)
        return PromptViewed(1, (front, PromptSegment(Origin.STORY, story, 3)), 0, 1_000)

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            room.steering.dock.steer.memory_edit.setPlainText("October.")
            room.steering.actions.view.trigger()
            await room.done()
            dialog = room.steering._view_dialog
            assert dialog is not None
            assert dialog.text.toPlainText().endswith("Mara came.")
            assert "estimated" in dialog.said.text()
            room.steering.set_engine(None, view)
            dialog.refresh_button.click()
            await room.done()
            assert "estimated" not in dialog.said.text()
            assert [part.origin for part in dialog.text.parts] == [PartOrigin.MEMORY, PartOrigin.MANUSCRIPT]
            dialog.close_button.click()
            assert room.steering._view_dialog is None

    run_async(scenario())


def test_the_menu_leads_to_every_field(run_async: RunAsync, room: Room, tmp_path: Path) -> None:
    async def scenario() -> None:
        do, panel = room.steering.actions, room.steering.dock.steer
        assert not do.memory.isEnabled()
        async with project(room, tmp_path / "a.quire"):
            do.panel.trigger()
            assert not room.steering.dock.isVisible()
            for action, target in (
                (do.memory, panel.memory_edit),
                (do.direction, panel.direction_edit),
                (do.opening, panel.opening_edit),
                (do.beats, panel.beats_edit),
                (do.lorebook, panel.add_button),
            ):
                action.trigger()
                assert room.window.focusWidget() is target
            assert room.steering.dock.isVisible()
            titles = [action.text() for action in room.window.commands.steering_menu.actions()]
            assert "&Presets..." in titles
            assert do.view.shortcut().toString() == "Ctrl+Shift+M"

    run_async(scenario())


def test_an_earlier_version_of_memory_comes_back(run_async: RunAsync, room: Room, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as desk:
            panel = room.steering.dock.steer
            panel.memory_edit.setPlainText("October.")
            await room.steering.begun(desk, 5, await room.steering.composed(desk))
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
        async with project(room, tmp_path / "a.quire") as desk:
            box = room.steering.dock.steer.chat_box
            assert not box.isVisible()
            room.steering.set_chat_template(has_one=True)
            assert box.isVisible()
            box.click()
            composed = await room.steering.composed(desk)
            assert composed.chat
            assert composed.steering_digest
            room.steering.set_chat_template(has_one=False)
            assert not (await room.steering.composed(desk)).chat

    run_async(scenario())


# ------------------------------------------------------------ presets
def test_a_preset_belongs_to_its_project(run_async: RunAsync, room: Room, tmp_path: Path) -> None:
    chosen: list[str] = []

    async def scenario() -> None:
        room.steering.set_usual_preset("faithful")
        room.steering.preset_chosen = chosen.append
        async with project(room, tmp_path / "a.quire"):
            assert room.steering.preset == FAITHFUL
            assert room.steering.sampling == FAITHFUL.sampling
            box = room.steering.presets.box
            box.activated.emit(box.findText("Lively"))
            assert room.steering.preset == LIVELY
            assert chosen == ["Lively"]
        again = await ProjectDesk.open(tmp_path / "a.quire")
        await room.show(again)
        assert room.steering.preset == LIVELY
        await again.close()

    run_async(scenario())


def test_presets_are_saved_imported_exported_and_deleted(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire"):
            room.steering.actions.presets.trigger()
            dialog = room.steering.presets._dialog
            assert dialog is not None
            dialog.form.boxes["temperature"].setValue(1.4)
            dialog.name_edit.setText("Gothic")
            dialog.save_button.click()
            await room.done()
            kept = json.loads(room.presets_path.read_text())
            assert kept["presets"][0]["name"] == "Gothic"
            assert dialog.name_edit.text() == "Gothic"
            dialog.use_button.click()
            assert room.steering.sampling.temperature == 1.4
            dialog.export_asked.emit(tmp_path / "out.json", [room.steering.preset])
            await room.done()
            assert "was written" in dialog.problem.text()
            dialog.import_asked.emit(tmp_path / "out.json")
            await room.done()
            assert dialog.name_edit.text() == "Gothic 2"
            (tmp_path / "bad.json").write_text("{}")
            dialog.import_asked.emit(tmp_path / "bad.json")
            await room.done()
            assert "not a file of presets" in dialog.problem.text()
            dialog.deleted.emit("Gothic")
            await room.done()
            assert room.steering.preset.name == "Gothic"  # the project keeps what it is drafted with
            assert room.steering.sampling.temperature == 1.4
            dialog.close_button.click()

    run_async(scenario())


def test_a_preset_of_ones_own_is_there_at_the_next_start(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    room.presets_path.write_text(dumped((Preset("Gothic", SamplingConfig(temperature=1.4)),)))

    async def scenario() -> None:
        room.steering.set_usual_preset("Gothic")
        async with project(room, tmp_path / "a.quire"):
            assert room.steering.sampling.temperature == 1.4
            assert room.steering.presets.box.count() == len(BUILT_IN) + 3

    run_async(scenario())


# ------------------------------------------------------------ the queue
def test_the_queue_drafts_each_wish_in_its_text_with_its_preset_and_direction(
    run_async: RunAsync, room: Room, tmp_path: Path
) -> None:
    drafted: list[tuple[int, int, str, str]] = []

    async def scenario() -> None:
        async with project(room, tmp_path / "a.quire") as desk:

            async def draft(goal_words: int) -> Run:
                composed = await room.steering.composed(desk)
                drafted.append((desk.document_id, goal_words, room.steering.preset.name, composed.note_text))
                await room.steering.begun(desk, 10 + len(drafted), composed)
                return run_of(desk, RunState.FINISHED, run_id=10 + len(drafted))

            panel = room.steering.dock.steer
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
            assert panel.direction_edit.toPlainText() == ""  # it waits in the queue now
            assert dialog.list.count() == 3
            dialog.start_button.click()
            with pytest.raises(WriterProblem, match="no model"):
                await room.done()
            room.tasks.clear()
            room.queue.set_drafter(draft)
            goal = room.window.goal_words
            dialog.start_button.click()
            await room.done()
            assert drafted == [
                (1, goal, "Balanced", "[She waits]"),
                (1, goal, "Balanced", "[He comes]"),
                (1, goal, "Lively", "[Storm]"),
            ]
            assert dialog.said.text() == "The queue is done: 3 drafts were written."
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
        async with project(room, tmp_path / "a.quire") as desk:

            async def draft(goal_words: int) -> Run:
                composed = await room.steering.composed(desk)
                notes.append(composed.note_text)
                if len(notes) > 1:
                    return run_of(desk, RunState.FINISHED, composed.steering_digest)
                run = run_of(desk, RunState.PAUSED, composed.steering_digest)
                await desk.begin_run(replace(run, state=RunState.RUNNING, num_prompt=0))
                await desk.save_prompt(replace(run, state=RunState.RUNNING), (1, 2, 3))
                await desk.save_run(run)
                await room.steering.begun(desk, run.run_id, composed)
                room.queue.raise_alarm("The last three passages are the same.")
                return run

            room.steering.actions.queue.trigger()
            room.steering.dock.steer.direction_edit.setPlainText("Storm")
            dialog = room.queue._dialog
            assert dialog is not None
            dialog.add_button.click()
            await room.done()
            room.queue.set_drafter(draft)
            dialog.start_button.click()
            await room.done()
            assert dialog.said.text() == "The queue stopped. The last three passages are the same."
            assert room.queue._queue is not None
            (wish,) = room.queue._queue.queue.wishes
            assert wish.state is WishState.STOPPED
            assert not room.queue.is_working
            dialog.start_button.click()
            await room.done()
            assert notes == ["[Storm]", ""]  # a run that goes on was told it already
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

            room.queue.set_drafter(draft)
            room.steering.actions.queue.trigger()
            assert room.queue._queue is not None
            await room.queue._queue.change(lambda queue: queue.added(Wish(0, 99, 100)))
            dialog = room.queue._dialog
            assert dialog is not None
            dialog.start_button.click()
            await room.done()
            assert "not in the book any more" in dialog.said.text()
            dialog.close_button.click()

    run_async(scenario())

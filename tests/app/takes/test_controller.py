"""Takes in a real window over a real project: taking back, comparing, copying, making again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.charts.chart_kinds import ChartKind
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.chapter_advance_rules import Turn
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.provenance import Origin
from quire.services.project.text_history import TextHistory
from quire.storage.project_file import create_project_file
from quire.takes.compare_dialog import CompareDialog
from quire.takes.controller import TakesController
from quire.takes.snapshots_panel import SnapshotsPanel
from quire.takes.take_groups import TakeLine
from quire.takes.takes_panel import TakesPanel
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import GenerationStarted
from tests.app.project_window import ProjectWindow, Scenario, play
from tests.benchmarks.app.latency_probes import turns_until

OPENING = "It was a dark night.\n\nNobody sang on board that night."
DRAFTED = "\n\nThe ferry crossed."
WHOLE = OPENING + DRAFTED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "Night.quire"
    create_project_file(path, Project("Night", datetime.now(UTC)), Document(1, "Night", OPENING))
    return path


class Made:
    """The part, and what it asked to have drafted."""

    def __init__(self) -> None:
        self.again: list[Run] = []
        self.charts = RunCharts()
        self.part: TakesController | None = None

    def make(self, shown: ProjectWindow) -> None:
        shown.app.run_charts = self.charts
        drafts: Any = shown.app.drafts
        drafts.draft_again, drafts.draft_like = lambda careful: None, self.again.append
        shown.app.takes = self.part = TakesController(shown.app)

    @property
    def actions(self) -> tuple[Any, Any]:
        assert self.part is not None
        return self.part.actions.take_back, self.part.actions.bring_back


@pytest.fixture
def act(
    qapp: QApplication, run_async: Callable[..., Any], path: Path, made: Made
) -> Callable[[Scenario], None]:
    def act(scenario: Scenario) -> None:
        play(qapp, run_async, path, scenario, made.make)

    return act


@pytest.fixture
def made() -> Made:
    return Made()


async def drafted(shown: ProjectWindow) -> None:
    run = await shown.begin_draft(1, DRAFTED)
    await shown.end_draft(run)
    await shown.opener.show_text(shown.session)


async def with_two_takes(shown: ProjectWindow) -> None:
    """Take the draft back and write something else in its place."""
    await drafted(shown)
    shown.window.commands.retry.trigger()
    await shown.settle()
    shown.window.editor.moveCursor(shown.window.editor.textCursor().MoveOperation.End)
    shown.window.editor.insertPlainText("\n\nNobody spoke on board that night, and it rained.")
    await shown.current.autosave.store()
    await shown.opener.show_text(shown.session)


def takes_panel(shown: ProjectWindow) -> TakesPanel:
    (panel,) = shown.window.findChildren(TakesPanel)
    return panel


def snapshots_panel(shown: ProjectWindow) -> SnapshotsPanel:
    (panel,) = shown.window.findChildren(SnapshotsPanel)
    return panel


def lines(shown: ProjectWindow) -> list[TakeLine]:
    found = takes_panel(shown).list
    data = [found.item(row).data(0x0100) for row in range(found.count())]
    return [line for line in data if isinstance(line, TakeLine)]


def choose(shown: ProjectWindow, take_id: int) -> None:
    found = takes_panel(shown).list
    for row in range(found.count()):
        line = found.item(row).data(0x0100)
        if isinstance(line, TakeLine) and line.take_id == take_id:
            found.setCurrentRow(row)


def dialog_of(shown: ProjectWindow) -> CompareDialog:
    found = shown.window.findChild(CompareDialog)
    assert isinstance(found, CompareDialog)
    return found


def test_the_last_draft_is_taken_back_and_brought_back(act: Callable[[Scenario], None], made: Made) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        back, again = made.actions
        assert not back.isEnabled()
        await drafted(shown)
        assert (back.isEnabled(), again.isEnabled()) == (True, False)
        back.trigger()
        await shown.settle()
        assert shown.window.editor.text() == OPENING
        assert "Redo Draft brings it back" in shown.said
        assert (back.isEnabled(), again.isEnabled()) == (False, True)
        shown.window.editor.insertPlainText(" And mine.")
        await shown.current.autosave.store()
        await turns_until(lambda: not again.isEnabled())
        shown.window.editor.undo()
        await shown.current.autosave.store()
        await turns_until(again.isEnabled)
        again.trigger()
        await shown.settle()
        assert shown.window.editor.text() == WHOLE

    act(scenario)


def test_a_take_is_named_put_away_and_taken_back(act: Callable[[Scenario], None], made: Made) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await with_two_takes(shown)
        panel = takes_panel(shown)
        first = next(line for line in lines(shown) if not line.stands)
        panel.rename_asked.emit(first.take_id, "  The  ferry ")
        await shown.settle()
        assert [line.title for line in lines(shown)] == ["The ferry", ""]
        panel.trash_asked.emit(first.take_id)
        await shown.settle()
        assert [line.days_left for line in lines(shown)] == [None, 30]
        panel.restore_asked.emit(first.take_id)
        await shown.settle()
        assert [line.days_left for line in lines(shown)] == [None, None]

    act(scenario)


def test_takes_in_the_trash_are_deleted_for_good(act: Callable[[Scenario], None], made: Made) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await TextHistory(shown.session).begin_take(len(OPENING))
        begun = await shown.session.begin_run(Run(1, 1, SamplingConfig(), 50, "", "", state=RunState.RUNNING))
        await shown.session.save_prompt(GenerationStarted(begun.run_id, (1,), 0))
        chunk = Chunk((5, 6), DRAFTED, 2, 2, 2.0)
        await shown.session.append(begun.run_id, chunk)
        await shown.end_draft(begun)
        await TextHistory(shown.session).begin_take(len(OPENING))
        await shown.session.save_text(f"{OPENING}\n\nIt rained.")
        await shown.opener.show_text(shown.session)
        panel, text = takes_panel(shown), shown.session.text
        aside = next(line for line in lines(shown) if line.has_run)
        panel.trash_asked.emit(aside.take_id)
        await shown.settle()
        assert [line.take_id for line in lines(shown) if line.days_left is not None] == [aside.take_id]
        assert [run.run_id for run in shown.session.runs] == [1]
        panel.delete_asked.emit(None)
        await shown.settle()
        assert aside.take_id not in [line.take_id for line in lines(shown)]
        assert shown.session.runs == ()  # nothing knows of a draft that is not there any more
        assert shown.session.text == text

    act(scenario)


def test_a_draft_that_went_on_in_another_chapter_is_retried_with_it(
    act: Callable[[Scenario], None], made: Made
) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        run = await shown.begin_draft(1, f"{DRAFTED}\n\nIt rained all day.")
        turned = await shown.session.advance_chapter(Turn(len(WHOLE) + 2, "Rain"), lambda: True)
        assert turned is not None
        await shown.end_draft(turned.run)
        await shown.opener.open_document(turned.rest.document_id)
        assert "2 chapters" in takes_panel(shown).note.text()
        shown.window.commands.retry.trigger()
        await shown.settle()
        assert (shown.session.document_id, shown.session.text) == (1, OPENING)
        assert [node.node_id for node in shown.session.tree.reading_order()] == [1]
        choose(shown, lines(shown)[0].take_id)
        takes_panel(shown).compare_button.click()
        await shown.settle()
        dialog = dialog_of(shown)
        assert dialog.left.toPlainText() == OPENING
        assert dialog.right.toPlainText() == f"{WHOLE}\n\nIt rained all day."
        dialog.keep_buttons[1].click()
        await shown.settle()
        assert shown.session.tree.reading_order()[-1].title == "Rain"
        assert turned.run.run_id == run.run_id

    act(scenario)


def test_figures_of_the_chosen_take_are_shown(act: Callable[[Scenario], None], made: Made) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await with_two_takes(shown)
        panel = takes_panel(shown)
        shown.window.side_panel.show_panel(panel)
        choose(shown, next(line.take_id for line in lines(shown) if not line.stands))
        await shown.settle()
        values = [value.whole_text for value in panel.rows.values]
        assert (values[0], values[5], values[6]) == ("3", "Balanced", "0")

    act(scenario)


def test_a_paragraph_of_a_take_is_copied_as_one_step_and_stays_the_models(
    act: Callable[[Scenario], None], made: Made
) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await with_two_takes(shown)
        before = shown.window.editor.text()
        choose(shown, next(line.take_id for line in lines(shown) if not line.stands))
        takes_panel(shown).compare_button.click()
        await shown.settle()
        dialog = dialog_of(shown)
        dialog.texts.show_place(1, WHOLE.index("The ferry"))
        dialog.copy_button.click()
        await shown.settle()
        text = shown.window.editor.text()
        assert text != before
        assert "The ferry crossed." in text
        assert shown.session.text == text
        provenance = shown.session.document.provenance
        start = text.index("The ferry")
        assert provenance.part(start, start + 18).spans[0].kind == (Origin.DRAFTED, 1)
        assert not dialog.copy_button.isEnabled() or dialog.left.toPlainText().count("The ferry") == 1
        shown.window.editor.undo()
        assert shown.window.editor.text() == before
        dialog.close()

    act(scenario)


def test_the_right_one_is_kept_and_the_other_stays_a_take(
    act: Callable[[Scenario], None], made: Made
) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await with_two_takes(shown)
        before = shown.window.editor.text()
        first, second = (line.take_id for line in lines(shown))
        takes_panel(shown).compare_asked.emit((first, second))
        await shown.settle()
        dialog = dialog_of(shown)
        assert (dialog.left.toPlainText(), dialog.right.toPlainText()) == (WHOLE, before)
        assert [button.isEnabled() for button in dialog.keep_buttons] == [True, False]
        dialog.keep_buttons[0].click()
        await shown.settle()
        assert shown.window.editor.text() == WHOLE
        assert [line.stands for line in lines(shown)] == [True, False]

    act(scenario)


def test_a_snapshot_is_compared_and_kept(act: Callable[[Scenario], None], made: Made) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        shown.window.commands.snapshot.trigger()
        await shown.settle()
        shown.window.editor.selectAll()
        shown.window.editor.insertPlainText("All gone.")
        snapshots_panel(shown).compare_asked.emit(1)
        await shown.settle()
        dialog = dialog_of(shown)
        assert dialog.left.toPlainText() == OPENING
        assert dialog.right.toPlainText() == "All gone."
        dialog.keep_buttons[0].click()
        await shown.settle()
        assert shown.window.editor.text() == OPENING

    act(scenario)


def test_the_run_of_a_take_lies_over_the_charts_until_it_is_switched_off(
    act: Callable[[Scenario], None], made: Made
) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await with_two_takes(shown)
        window, charts = shown.window, made.charts
        take_id = next(line.take_id for line in lines(shown) if not line.stands)
        takes_panel(shown).charts_asked.emit(take_id, True)
        await shown.settle()
        assert window.commands.charts.isChecked()
        assert "Take 1" in [series.name for series in charts.chart(ChartKind.PACE).series]
        choose(shown, take_id)
        assert takes_panel(shown).commands.charts.isChecked()
        takes_panel(shown).charts_asked.emit(take_id, False)
        assert "Take 1" not in [series.name for series in charts.chart(ChartKind.PACE).series]

    act(scenario)


def test_a_take_is_made_again_from_where_its_draft_began(act: Callable[[Scenario], None], made: Made) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await with_two_takes(shown)
        first, second = (line.take_id for line in lines(shown))
        assert not next(line for line in lines(shown) if line.take_id == second).has_run
        takes_panel(shown).again_asked.emit(first)
        await shown.settle()
        assert [run.run_id for run in made.again] == [1]
        assert shown.window.editor.text() == OPENING
        assert [line.stands for line in lines(shown)] == [False, False, True]

    act(scenario)

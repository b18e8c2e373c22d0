"""Synopses by the model in a real window: on request, never over the writer's, and told when out of view."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from quire.application import Application
from quire.domain.drafting.prompt_composition import PartOrigin, PromptReader
from quire.services.drafting.chapter_summaries import chapters_to_sum_up, keep_summary
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.tree_changes import set_synopsis
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from tests.benchmarks.app.latency_probes import turns_until
from tests.integration.desktop import Desktop, ended, press
from tests.integration.test_window_rewriting import Rewriting

LEFT = Qt.MouseButton.LeftButton


def test_a_chapter_is_summed_up_and_the_writers_synopsis_is_not_touched(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting()

    async def scenario(quire: Application) -> None:
        details, session = quire.app.manuscript.panel.details, quire.app.current.require_session()
        qtbot.mouseClick(details.sum_up_button, LEFT)
        await turns_until(lambda: bool(session.tree.node(session.document_id).synopsis))
        first = session.tree.node(session.document_id).synopsis
        await turns_until(lambda: details.synopsis.toPlainText() == first)
        await turns_until(lambda: "Stop" not in details.sum_up_button.text())
        qtbot.mouseClick(details.sum_up_button, LEFT)  # the model's own may be written again
        await turns_until(lambda: len(backend.queries) == 2)
        await turns_until(lambda: "Stop" not in details.sum_up_button.text())
        assert session.tree.node(session.document_id).synopsis == first  # the likeliest words
        details.synopsis.setPlainText("Mine.")
        details.flush()
        await turns_until(lambda: session.tree.node(session.document_id).synopsis == "Mine.")
        qtbot.mouseClick(details.sum_up_button, LEFT)
        await turns_until(lambda: "your own" in details.said.text())
        assert session.tree.node(session.document_id).synopsis == "Mine."
        assert len(backend.queries) == 2

    assert desktop.start(backend, scenario) == 0


def test_a_synopsis_that_comes_while_its_field_has_the_focus_stays(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        details, session = quire.app.manuscript.panel.details, quire.app.current.require_session()
        number = session.document_id
        qtbot.mouseClick(details.sum_up_button, LEFT)
        details.synopsis.setFocus()
        await turns_until(lambda: bool(session.tree.node(number).synopsis))
        kept = session.tree.node(number).synopsis
        await turns_until(lambda: details.synopsis.toPlainText() == kept)
        quire.window.editor.setFocus()
        await quire.app.current.autosave.store()
        assert session.tree.node(number).synopsis == kept

    assert desktop.start(Rewriting(), scenario) == 0


def test_a_plan_that_was_added_starts_a_new_draft(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting()

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(5)
        press(qtbot, quire, "continue")
        await ended(quire)
        press(qtbot, quire, "continue")
        await turns_until(lambda: len(backend.begins) == 2)
        await ended(quire)
        assert isinstance(backend.begins[-1], ResumeGeneration)
        details = quire.app.manuscript.panel.details
        details.synopsis.setPlainText("The ferry sinks.")
        details.flush()
        session = quire.app.current.require_session()
        await turns_until(lambda: bool(session.tree.node(session.document_id).synopsis))
        press(qtbot, quire, "continue")
        await turns_until(lambda: len(backend.begins) == 3)
        await ended(quire)

    assert desktop.start(backend, scenario) == 0
    started = backend.begins[-1]
    assert isinstance(started, StartGeneration)
    assert "The ferry sinks." in started.front_text


def test_a_summary_can_be_stopped(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting(gated=True)

    async def scenario(quire: Application) -> None:
        details, session = quire.app.manuscript.panel.details, quire.app.current.require_session()
        qtbot.mouseClick(details.sum_up_button, LEFT)
        await turns_until(lambda: len(backend.queries) == 1)
        assert details.sum_up_button.text() == "Stop"
        qtbot.mouseClick(details.sum_up_button, LEFT)
        await turns_until(lambda: details.sum_up_button.text() != "Stop")
        assert not session.tree.node(session.document_id).synopsis

    assert desktop.start(backend, scenario) == 0


def test_the_story_so_far_is_part_of_what_the_next_draft_sends(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        session: ProjectSession = quire.app.current.require_session()
        number = session.document_id
        edited = await session.write(set_synopsis, number, "Nobody sings.")
        session.arranged(edited)
        assert await session.read(chapters_to_sum_up, session.tree.book.node_id) == ()
        assert await session.write(keep_summary, number, "Somebody sings.") is None
        prompt = await quire.app.steering.next_prompt(session, PromptReader(4096))
        assert [part.origin for part in prompt.composed.front_parts] == [PartOrigin.PLAN]
        assert "Nobody sings." in prompt.composed.front_text
        view = await quire.app.steering.preview(session)
        assert view is not None
        assert "Nobody sings." in "".join(part.text for part in view[1].parts)

    assert desktop.start(Rewriting(), scenario) == 0

"""Where Continue writes: the end of the book unless the writer chooses the open chapter, and never a note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quire.application import Application
from quire.domain.manuscript.tree import NodeKind
from quire.manuscript.tree_model import TreeRole
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.tree_changes import add_text
from quire.storage.project_file import open_project_file
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, Desktop, Scenario, ended, press

GOAL = 12
BOOK = "CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.\n\n"


def made(desktop: Desktop, text: str = BOOK) -> Path:
    """Create a book of two chapters and a blank one, with a character."""

    async def create() -> None:
        session = await ProjectSession.create_cut(path, "Night", text)
        await session.close()

    path = desktop.folder / "night.quire"
    desktop.run_async(create())
    file = open_project_file(path)
    add_text(file, NodeKind.CHAPTER, "Blank", None)
    add_text(file, NodeKind.CHARACTER, "Anne", None)
    file.close()
    return path


async def go_to(quire: Application, title: str) -> None:
    """Open a text by its row in the tree."""
    session = quire.app.current.session
    assert session is not None
    node = next(node for node in session.tree.nodes if node.title == title and node.kind is not NodeKind.BOOK)
    quire.window.document_asked.emit(node.node_id)
    status = quire.window.status
    await turns_until(lambda: quire.app.current.shown_id == node.node_id and not status.switching)
    await quire.app.target.follow(session)


def marked(quire: Application) -> list[str]:
    """Return the titles of the rows that are marked as the place where Continue writes."""
    model, session = quire.app.manuscript.panel.model, quire.app.current.session
    assert session is not None
    rows = [model.index_of(node.node_id) for node in session.tree.nodes]
    return [str(row.data()) for row in rows if row.data(TreeRole.IS_TARGET)]


def texts(desktop: Desktop, path: Path) -> dict[str, str]:
    file = open_project_file(path)
    try:
        with file.reading() as unit:
            nodes = [node for node in unit.manuscript.tree().nodes if node.kind is not NodeKind.BOOK]
            return {node.title: unit.manuscript.document(node.node_id).text for node in nodes}
    finally:
        file.close()


def played(desktop: Desktop, scenario: Scenario) -> tuple[dict[str, str], dict[str, str]]:
    """Return every text before and after a scenario in the book."""
    path = made(desktop)
    before = texts(desktop, path)
    desktop.start(ScriptedBackend(), scenario, path)
    return before, texts(desktop, path)


def test_continue_in_an_earlier_chapter_goes_on_at_the_end_of_the_book(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        bar, status = quire.app.controls.bar, quire.window.status
        await go_to(quire, "CHAPTER I")
        bar.goal_box.set_goal(GOAL)
        assert "“CHAPTER II”" in bar.continue_button.toolTip()
        assert (
            quire.app.controls.strip.hint_label.whole_text == "Continue will write at the end of “CHAPTER II”"
        )
        assert bar.place_button.isVisible()
        assert marked(quire) == ["CHAPTER II"]
        assert not quire.window.editor.text_end.is_target
        press(qtbot, quire, "continue")
        await turns_until(lambda: status.is_busy)
        await ended(quire)
        assert status.title == "Night – CHAPTER II"
        assert quire.window.editor.text_end.is_target
        assert not bar.place_button.isVisible()  # what follows is blank: there is nothing to choose

    before, after = played(desktop, scenario)
    assert after.pop("CHAPTER II").startswith(f"{before.pop('CHAPTER II')}")
    assert after == before


def test_the_open_chapter_can_be_chosen_for_as_long_as_it_is_open(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        bar = quire.app.controls.bar
        await go_to(quire, "CHAPTER I")
        bar.goal_box.set_goal(GOAL)
        bar.here_action.trigger()
        assert "“CHAPTER I”" in bar.continue_button.toolTip()
        assert marked(quire) == ["CHAPTER I"]
        press(qtbot, quire, "continue")
        await ended(quire)
        await go_to(quire, "CHAPTER II")
        await go_to(quire, "CHAPTER I")
        assert "“CHAPTER II”" in bar.continue_button.toolTip()

    before, after = played(desktop, scenario)
    assert len(after["CHAPTER I"]) > len(before["CHAPTER I"])
    assert after.pop("CHAPTER I").startswith(before.pop("CHAPTER I"))
    assert after == before


def test_a_note_is_never_drafted_into(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        bar, window = quire.app.controls.bar, quire.window
        await go_to(quire, "Anne")
        assert not bar.continue_button.isEnabled()
        assert not window.commands.go_on.isEnabled()
        assert window.commands.snapshot.isEnabled()
        assert marked(quire) == []
        press(qtbot, quire, "continue")
        bar.continue_asked.emit(GOAL)
        quire.app.drafts.start(quire.app.drafts.request(GOAL))
        assert not window.status.is_busy
        await go_to(quire, "Blank")
        assert bar.continue_button.isEnabled()
        assert "“Blank”" in bar.continue_button.toolTip()

    before, after = played(desktop, scenario)
    assert after == before


def test_pause_stays_under_the_pointer_when_a_draft_turns_to_a_new_chapter(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)

    async def scenario(quire: Application) -> None:
        bar, strip = quire.app.controls.bar, quire.app.controls.strip
        await go_to(quire, "CHAPTER II")
        bar.goal_box.set_goal(300)
        places = [bar.pause_button.geometry(), bar.continue_button.geometry()]
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        backend.gate.release(250)
        session = quire.app.current.session
        assert session is not None
        await turns_until(lambda: len(session.tree.reading_order()) > 3)
        target = session.draft_target
        assert target is not None
        await turns_until(lambda: strip.hint_label.whole_text.startswith(f"in “{target.document.title}”"))
        assert [bar.pause_button.geometry(), bar.continue_button.geometry()] == places
        await go_to(quire, "CHAPTER I")
        assert bar.place_button.isVisible()
        assert [bar.pause_button.geometry(), bar.continue_button.geometry()] == places
        qtbot.mouseClick(bar.pause_button, LEFT)
        backend.gate.release(1000)
        await ended(quire)

    desktop.start(backend, scenario, made(desktop))

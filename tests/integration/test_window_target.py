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
from tests.integration.desktop import Desktop, Scenario, ended, press

GOAL = 12
BOOK = "CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.\n\n"


def made(desktop: Desktop) -> Path:
    """Create a book of two chapters and a blank one, with a character."""

    async def create() -> None:
        session = await ProjectSession.create_cut(path, "Night", BOOK)
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
    session = quire._current.session
    assert session is not None
    node = next(node for node in session.tree.nodes if node.title == title and node.kind is not NodeKind.BOOK)
    quire.window.document_asked.emit(node.node_id)
    status = quire.window.status
    await turns_until(lambda: quire._current.shown_id == node.node_id and not status.switching)
    await quire.startup.target.follow(session)


def marked(quire: Application) -> list[str]:
    """Return the titles of the rows that are marked as the place where Continue writes."""
    model, session = quire.startup.manuscript.panel.model, quire._current.session
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
        bar, status = quire.controls.bar, quire.window.status
        await go_to(quire, "CHAPTER I")
        bar.goal_box.set_goal(GOAL)
        assert bar.continue_button.text() == "Continue CHAPTER II"
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
        bar = quire.controls.bar
        await go_to(quire, "CHAPTER I")
        bar.goal_box.set_goal(GOAL)
        bar.here_action.trigger()
        assert bar.continue_button.text() == "Continue CHAPTER I"
        assert marked(quire) == ["CHAPTER I"]
        press(qtbot, quire, "continue")
        await ended(quire)
        await go_to(quire, "CHAPTER II")
        await go_to(quire, "CHAPTER I")
        assert bar.continue_button.text() == "Continue CHAPTER II"

    before, after = played(desktop, scenario)
    assert len(after["CHAPTER I"]) > len(before["CHAPTER I"])
    assert after.pop("CHAPTER I").startswith(before.pop("CHAPTER I"))
    assert after == before


def test_a_note_is_never_drafted_into(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        bar, window = quire.controls.bar, quire.window
        await go_to(quire, "Anne")
        assert not bar.continue_button.isEnabled()
        assert not window.commands.go_on.isEnabled()
        assert window.commands.snapshot.isEnabled()
        assert marked(quire) == []
        press(qtbot, quire, "continue")
        bar.continue_asked.emit(GOAL)
        quire.drafts.start(quire.drafts.request(GOAL))
        assert not window.status.is_busy
        await go_to(quire, "Blank")
        assert bar.continue_button.isEnabled()
        assert bar.continue_button.text() == "Continue Blank"

    before, after = played(desktop, scenario)
    assert after == before

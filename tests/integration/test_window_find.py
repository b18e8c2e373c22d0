"""Finding and replacing in a real window over a real project."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.project_records import SnapshotReason
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.domain.manuscript.tree import Node, NodeKind
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire.storage.project_file import create_project_file, open_project_reader
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, Desktop, ended, press, state

SECOND = Document(3, "Two", "", Provenance()).drafted("Mara went. Nobody saw Mara.", 1)


def book(folder: Path) -> Path:
    path = folder / "book.quire"
    first = Document(1, "One", "😀 Mara came.")
    second = (Node(3, NodeKind.CHAPTER, "Two", 2, position=3), SECOND)
    create_project_file(path, Project("Night", datetime.now(UTC)), first, [second])
    return path


def documents(path: Path) -> tuple[Document, Document]:
    file = open_project_reader(path)
    try:
        return project_text.read_document(file, 1), project_text.read_document(file, 3)
    finally:
        file.close()


async def find_in_book(quire: Application, qtbot: Any, text: str) -> None:
    quire.window.commands.find_in_book.trigger()
    panel = quire.app.search.panel
    assert panel.query_field.field.hasFocus()
    panel.query_field.field.clear()
    qtbot.keyClicks(panel.query_field.field, text)
    qtbot.keyClick(panel.query_field.field, Qt.Key.Key_Return)
    await turns_until(lambda: panel.find_button.text() == "Find")


def test_a_match_elsewhere_in_the_book_is_opened_and_selected(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window = quire.window
        qtbot.keyClicks(window.editor, " Mara!")  # not stored yet, and found all the same
        await find_in_book(quire, qtbot, "mara")
        assert quire.app.search.panel.summary_label.text() == "4 matches in 2 texts"
        rows = quire.app.search.panel.rows
        quire.app.search.panel.tree.activated.emit(rows.index(1, 0, rows.index(1, 0)))
        await turns_until(lambda: window.editor.textCursor().hasSelection())
        assert window.editor.text() == SECOND.text
        caret = window.editor.textCursor()
        assert (caret.selectedText(), caret.selectionStart()) == ("Mara", 22)

    desktop.start(ScriptedBackend(), scenario, book(desktop.folder))


def test_the_book_is_replaced_and_the_open_text_shows_it(desktop: Desktop, qtbot: Any) -> None:
    path = book(desktop.folder)

    async def scenario(quire: Application) -> None:
        panel = quire.app.search.panel
        await find_in_book(quire, qtbot, "mara")
        qtbot.mouseClick(panel.replace_switch, LEFT)
        qtbot.keyClicks(panel.replacement_field, "Ida")
        qtbot.mouseClick(panel.replace_button, LEFT)
        await turns_until(lambda: "replaced" in panel.summary_label.text())
        await turns_until(lambda: "Ida" in quire.window.editor.text())
        assert quire.window.editor.text() == "😀 Ida came."
        await turns_until(lambda: not quire.window.editor.isReadOnly())

    desktop.start(ScriptedBackend(), scenario, path)
    first, second = documents(path)
    assert (first.text, second.text) == ("😀 Ida came.", "Ida went. Nobody saw Ida.")
    assert [span.origin for span in second.provenance.spans][1::2] == [Origin.DRAFTED, Origin.DRAFTED]
    file = open_project_reader(path)
    with file.reading() as unit:
        assert [kept.reason for kept in unit.snapshots.all()] == [SnapshotReason.BEFORE_REPLACE]
    file.close()


def test_replacing_all_in_a_drafted_text_leaves_the_rest_drafted(desktop: Desktop, qtbot: Any) -> None:
    path = book(desktop.folder)

    async def scenario(quire: Application) -> None:
        window = quire.window
        window.document_asked.emit(3)
        await turns_until(lambda: window.editor.text() == SECOND.text and not window.editor.isReadOnly())
        window.commands.replace.trigger()
        qtbot.keyClicks(quire.app.search.find_bar.query_field.field, "mara")
        qtbot.keyClicks(quire.app.search.find_bar.replacement_field, "Ida")
        qtbot.mouseClick(quire.app.search.find_bar.replace_all_button, LEFT)
        assert window.editor.text() == "Ida went. Nobody saw Ida."
        qtbot.keyClick(quire.app.search.find_bar.replacement_field, Qt.Key.Key_Escape)
        assert window.editor.hasFocus()
        await asyncio.sleep(0)

    desktop.start(ScriptedBackend(), scenario, path)
    second = documents(path)[1]
    assert second.text == "Ida went. Nobody saw Ida."
    assert [span.origin for span in second.provenance.spans][1::2] == [Origin.DRAFTED, Origin.DRAFTED]


def test_nothing_is_replaced_in_the_book_while_a_draft_runs(desktop: Desktop, qtbot: Any) -> None:
    path = book(desktop.folder)
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        panel = quire.app.search.panel
        await find_in_book(quire, qtbot, "mara")
        qtbot.mouseClick(panel.replace_switch, LEFT)
        qtbot.keyClicks(panel.replacement_field, "Ida")
        assert panel.replace_button.isEnabled()
        press(qtbot, quire, "continue")
        await state(quire, DraftState.READING, DraftState.DRAFTING)
        assert not panel.replace_button.isEnabled()
        await find_in_book(quire, qtbot, "went")  # finding goes on
        assert panel.summary_label.text() == "1 match"
        press(qtbot, quire, "pause")
        backend.gate.release(10)
        await ended(quire)
        assert panel.replace_button.isEnabled()

    desktop.start(backend, scenario, path)
    assert "Mara" in read_project(path).text

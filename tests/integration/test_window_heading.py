"""The title in the tree and the heading in the text are one thing, renamed in either place."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.book_formats.book import book_of
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_requests import Rename, Trash
from quire.services.transactions.book_texts import book_texts
from quire.storage.project_file import open_project_file
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, stored
from tests.integration.test_window_target import go_to, made, texts


def titles(quire: Application) -> list[str]:
    session = quire.app.current.session
    assert session is not None
    return [node.title for node in session.tree.reading_order()]


def test_a_title_is_renamed_in_the_tree_the_text_and_the_export(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        session, editor = quire.app.current.session, quire.window.editor
        assert session is not None
        first, second = session.tree.reading_order()[:2]
        await go_to(quire, "CHAPTER I")
        quire.app.manuscript.panel.edit_asked.emit(Rename(second.node_id, "Chapter Two: Ice"))
        await turns_until(lambda: "Chapter Two: Ice" in titles(quire))
        quire.app.manuscript.panel.edit_asked.emit(Rename(first.node_id, "The wreck"))
        await turns_until(lambda: editor.text().startswith("## The wreck\n\nOne."))
        await stored(quire)
        assert "The wreck" in titles(quire)
        qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await turns_until(lambda: titles(quire)[0] == "CHAPTER I")
        assert editor.text().startswith("CHAPTER I\n\nOne.")
        editor.moveCursor(QTextCursor.MoveOperation.Start)
        editor.moveCursor(QTextCursor.MoveOperation.EndOfBlock)
        qtbot.keyClicks(editor, "V: Fire")
        await turns_until(lambda: titles(quire)[0] == "CHAPTER IV: Fire")
        await stored(quire)

    desktop.start(ScriptedBackend(), scenario, path)
    after = texts(desktop, path)
    assert after["CHAPTER IV: Fire"] == "CHAPTER IV: Fire\n\nOne.\n\n"
    assert after["Chapter Two: Ice"].startswith("Chapter Two: Ice\n\nTwo.")
    file = open_project_file(path)
    found = book_texts(file)
    file.close()
    exported = book_of(found.project, found.tree, found.documents)
    assert [chapter.title for chapter in exported.chapters][:2] == ["CHAPTER IV: Fire", "Chapter Two: Ice"]


def test_what_is_no_heading_of_that_title_is_left_alone(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        session, editor = quire.app.current.session, quire.window.editor
        assert session is not None
        await go_to(quire, "Blank")
        qtbot.keyClicks(editor, "Blank, and no heading.")
        await stored(quire)
        quire.app.manuscript.panel.edit_asked.emit(Rename(session.document_id, "Not blank"))
        await turns_until(lambda: "Not blank" in titles(quire))

    desktop.start(ScriptedBackend(), scenario, path)
    assert texts(desktop, path)["Not blank"] == "Blank, and no heading."


def test_a_new_chapter_is_numbered_on_and_begins_with_its_heading(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        session, editor = quire.app.current.session, quire.window.editor
        assert session is not None
        panel = quire.app.manuscript.panel
        await go_to(quire, "CHAPTER II")
        blank = next(node for node in session.tree.nodes if node.title == "Blank")
        panel.edit_asked.emit(Trash(blank.node_id))
        await turns_until(lambda: titles(quire) == ["CHAPTER I", "CHAPTER II"])
        panel.commands.new_texts[NodeKind.CHAPTER].trigger()
        await turns_until(lambda: titles(quire)[-1] == "CHAPTER III")
        await turns_until(lambda: editor.text() == "CHAPTER III\n\n" and quire.window.status.is_at_rest)
        panel.edit_asked.emit(Rename(session.document_id, "CHAPTER III: Ice"))
        await turns_until(lambda: editor.text() == "CHAPTER III: Ice\n\n")
        await stored(quire)

    desktop.start(ScriptedBackend(), scenario, path)
    assert texts(desktop, path)["CHAPTER III: Ice"] == "CHAPTER III: Ice\n\n"

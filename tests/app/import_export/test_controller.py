"""Export out of a real project: the book, a text, its last take, the selection."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QStandardPaths
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox

from quire.book_formats.export_settings import ExportSettings, Paper
from quire.domain.drafting.run import Chunk
from quire.domain.manuscript.takes import Take
from quire.import_export.controller import ImportExportController
from quire.import_export.export_dialog import ExportDialog
from quire.services.transactions.book_texts import kept_recipe
from quire.storage.project_file import open_project_file
from tests.app.project_window import ProjectWindow, Scenario, play
from tests.app.services.books import HARBOUR, TEXTS, add_run, make_book

Play = Callable[[Scenario], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "novel.quire"
    make_book(path)
    return path


@pytest.fixture
def run(
    qapp: QApplication, run_async: Callable[..., Any], path: Path, monkeypatch: pytest.MonkeyPatch
) -> Play:
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _kind: str(path.parent))

    def make(shown: ProjectWindow) -> None:
        shown.parts.append(ImportExportController(shown.app))

    return lambda scenario: play(qapp, run_async, path, scenario, make)


def draft(path: Path, text: str) -> None:
    """Store what a paused run drafted at the end of Harbour, as a take."""
    file = open_project_file(path)
    with file.unit() as unit:
        unit.takes.save(Take(1, HARBOUR, None, len(TEXTS[HARBOUR]), stands=True))
        unit.commit()
    add_run(file, 1, HARBOUR, text, take_id=1)
    file.close()


async def opened(shown: ProjectWindow) -> ExportDialog:
    shown.window.commands.export.trigger()
    await shown.settle()
    dialog = shown.window.findChildren(ExportDialog)[-1]
    assert dialog.isVisible()
    return dialog


async def written(shown: ProjectWindow, dialog: ExportDialog, scope: str, folder: Path) -> str:
    dialog.format_box.setCurrentIndex(dialog.format_box.findData("txt"))
    dialog.title_page_box.setChecked(False)
    dialog.scope_box.setCurrentIndex(dialog.scope_box.findData(scope))
    dialog.name_edit.setText(scope)
    dialog.do_button.click()
    await shown.settle()
    return said(folder / f"{scope}.txt")


def said(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def scopes(dialog: ExportDialog) -> list[str]:
    return [dialog.scope_box.itemData(row) for row in range(dialog.scope_box.count())]


def test_without_a_draft_or_a_selection_there_are_the_book_and_the_text(run: Play, path: Path) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        QTest.keyClicks(shown.window.editor, " Mara!")
        dialog = await opened(shown)
        assert scopes(dialog) == ["book", "text"]
        assert not dialog.check_label.isVisible()
        book = await written(shown, dialog, "book", path.parent)
        assert "Then it rained. Mara!" in book
        assert "They took the ferry." in book
        text = await written(shown, await opened(shown), "text", path.parent)
        assert text == f"Harbour\n\n{TEXTS[HARBOUR]} Mara!"

    run(scenario)


def test_the_selection_is_exported_as_it_was(run: Play, path: Path) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        caret = shown.window.editor.textCursor()
        caret.insertText(" 😀 Mara!")
        caret.setPosition(len(TEXTS[HARBOUR]) + 1)
        caret.setPosition(len(TEXTS[HARBOUR]) + 8, caret.MoveMode.KeepAnchor)  # the smile counts twice
        shown.window.editor.setTextCursor(caret)
        dialog = await opened(shown)
        assert scopes(dialog) == ["book", "text", "selection"]
        caret.clearSelection()
        shown.window.editor.setTextCursor(caret)
        assert await written(shown, dialog, "selection", path.parent) == "😀 Mara"

    run(scenario)


def test_the_last_take_is_exported_alone_and_said_to_be_unfinished(run: Play, path: Path) -> None:
    draft(path, " A gull cried.")

    async def scenario(shown: ProjectWindow) -> None:
        dialog = await opened(shown)
        assert scopes(dialog) == ["book", "text", "take"]
        assert "paused at 2 of 50 words" in dialog.check_label.text()
        dialog.closing_box.setChecked(True)
        take = await written(shown, dialog, "take", path.parent)
        assert take.startswith("A gull cried.")
        assert "Of the 3 words of this text, 100% were drafted with a language model." in take

    run(scenario)


@pytest.mark.parametrize(("locale", "paper"), [("en_US", "letter"), ("es_MX", "letter"), ("en_GB", "a4")])
def test_the_paper_is_the_usual_one_until_another_is_kept(
    run: Play, path: Path, monkeypatch: pytest.MonkeyPatch, locale: str, paper: str
) -> None:
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(locale))

    async def scenario(shown: ProjectWindow) -> None:
        dialog = await opened(shown)
        assert dialog.recipe.paper.value == paper
        other = next(one for one in Paper if one.value != paper)
        dialog.paper_box.setCurrentIndex(dialog.paper_box.findData(other.value))
        await written(shown, dialog, "book", path.parent)
        assert (await opened(shown)).recipe.paper is other

    run(scenario)


def test_what_is_kept_for_the_next_time_is_the_book(run: Play, path: Path) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        await written(shown, await opened(shown), "text", path.parent)
        kept = ExportSettings.from_json(await shown.session.read(kept_recipe))
        assert (kept.scope.value, kept.format.value, kept.title_page) == ("book", "txt", False)

    run(scenario)


def test_a_draft_that_goes_on_is_said_and_its_words_go_with_it(run: Play, path: Path) -> None:
    async def scenario(shown: ProjectWindow) -> None:
        run = await shown.begin_draft(HARBOUR, " A gull")
        dialog = await opened(shown)
        assert dialog.check_label.text().startswith("A draft is running.")
        chunk = Chunk((7,), " cried.", 3, 1, 1.0)
        await shown.session.append(run.run_id, chunk)
        assert (await written(shown, dialog, "text", path.parent)).endswith("it rained. A gull cried.")
        assert "A gull cried." in await written(shown, await opened(shown), "book", path.parent)
        await shown.end_draft(run)

    run(scenario)


def buttons(dialog: ExportDialog) -> dict[str, QAbstractButton]:
    """Return the answers to the question whether a file is to be replaced."""
    (box,) = [box for box in dialog.findChildren(QMessageBox) if box.isVisible()]
    return {button.text().replace("&", ""): button for button in box.buttons()}


def test_no_file_is_replaced_unasked_and_an_original_is_not_even_offered(run: Play, path: Path) -> None:
    original = path.parent / "The Harbour.docx"

    async def scenario(shown: ProjectWindow) -> None:
        original.rename(path.parent / f"{shown.session.title}.docx")
        kept = path.parent / f"{shown.session.title}.docx"
        dialog = await opened(shown)
        assert dialog.name_edit.text() == f"{shown.session.title} 2"
        dialog.name_edit.setText(shown.session.title)
        for answer in ("Cancel", "Keep Both"):
            dialog.do_button.click()
            buttons(dialog)[answer].click()
            await shown.settle()
            assert kept.read_bytes() == b"the only copy"
        made = path.parent / f"{shown.session.title} 2.docx"
        assert made.read_bytes().startswith(b"PK")
        again = await opened(
            shown
        )  # what this book was exported to is offered again, but not replaced unasked
        assert again.name_edit.text() == f"{shown.session.title} 2"
        again.do_button.click()
        buttons(again)["Replace"].click()
        await shown.settle()
        assert kept.read_bytes() == b"the only copy"
        made.write_bytes(b"comments of an editor")
        assert (await opened(shown)).name_edit.text() == f"{shown.session.title} 3"

    original.write_bytes(b"the only copy")
    run(scenario)

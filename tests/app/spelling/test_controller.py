"""Spelling in a real window with a real project, a real dictionary and its process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QContextMenuEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication

from quire.services.project.project_session import ProjectSession
from quire.services.spelling import spell_checker
from quire.services.spelling.dictionaries import SHIPPED
from quire.services.transactions.project_word_list import change_words, choose_language, project_spelling
from quire.settings.settings import Settings, SettingsFile
from quire.shell.main_window import MainWindow
from quire.spelling import controller
from quire.spelling.controller import SpellingController
from quire.spelling.suggestion_menu import SuggestionMenu
from tests.app.bare_app import bare_app
from tests.app.services.table import RunAsync

pytestmark = pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)  # menus, offscreen
TEXT = "Aelin came. It raned all nite."


@pytest.fixture(autouse=True)
def time_to_suggest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a menu wait for its suggestions, and the dictionary find them, however busy the machine is."""
    monkeypatch.setattr(controller, "MENU_WITHIN_MS", 100_000)
    monkeypatch.setattr(spell_checker, "SUGGEST_WITHIN_S", 15.0)


class Desk:
    """A spelling desk over an open project, and what was asked of it."""

    def __init__(self, window: MainWindow, project: ProjectSession, folder: Path) -> None:
        self.window, self.project = window, project
        self.tasks: list[asyncio.Task[None]] = []
        self.app = bare_app(window, project.path.parent, do=self.do)
        self.spelling = SpellingController(self.app, [folder, SHIPPED])

    def do(self, action: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.tasks.append(asyncio.ensure_future(action()))

    async def done(self) -> None:
        """Wait for everything that was asked for."""
        while self.tasks:
            await self.tasks.pop()

    async def checked(self) -> None:
        """Wait until every word is known and marked."""
        layer = self.spelling._layer
        layers = self.window.editor.layers
        await until(lambda: not layer.is_waiting and layers.is_done and not layer._marking.isActive())

    @property
    def marked(self) -> list[str]:
        words = []
        block = self.window.editor.document().firstBlock()
        while block.isValid():
            for part in block.layout().formats():
                if part.format.underlineStyle() is QTextCharFormat.UnderlineStyle.SpellCheckUnderline:
                    words.append(block.text()[part.start : part.start + part.length])
            block = block.next()
        return words

    @property
    def notice(self) -> str:
        return notice.text if (notice := self.window.notice_bar.notice) else ""

    async def menu(self) -> SuggestionMenu:
        """Wait for the menu of a word."""
        await until(lambda: isinstance(QApplication.activePopupWidget(), SuggestionMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, SuggestionMenu)
        return menu


async def until(is_so: Callable[[], bool]) -> None:
    """Look after every turn of Qt's loop; the test's own time limit ends it."""
    turned = asyncio.Event()
    timer = QTimer()
    timer.timeout.connect(turned.set)
    timer.start(1)
    while not is_so():
        turned.clear()
        await turned.wait()
    timer.stop()


@asynccontextmanager
async def spelling(window: MainWindow, path: Path, text: str = TEXT) -> AsyncIterator[Desk]:
    project = await ProjectSession.create(path, "The Ferry", text)
    await project.write(choose_language, "en_US")
    desk = Desk(window, project, path.parent / "dictionaries")
    try:
        window.editor.show_text(text)
        await desk.spelling.follow(project)
        await desk.checked()
        yield desk
        await desk.done()
    finally:
        desk.spelling.close()
        await project.close()


Scenario = Callable[[Desk], Awaitable[None]]


@pytest.fixture
def play(
    run_async: RunAsync,
    window: MainWindow,
    tmp_path: Path,
) -> Callable[[Scenario], None]:
    """Run a scenario with an open project."""

    def run(scenario: Scenario) -> None:
        async def played() -> None:
            async with spelling(window, tmp_path / "novel.quire") as desk:
                await scenario(desk)

        run_async(played())

    return run


def test_words_in_doubt_are_marked_when_a_text_is_opened(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        assert desk.marked == ["Aelin", "raned", "nite"]
        assert desk.spelling.state == "English (United States)"
        assert desk.notice == ""

    play(scenario)


def test_f4_goes_from_word_to_word_and_the_keyboard_chooses(
    play: Callable[[Scenario], None], qtbot: Any
) -> None:
    async def scenario(desk: Desk) -> None:
        editor = desk.window.editor
        editor.moveCursor(QTextCursor.MoveOperation.Start)
        desk.spelling.actions.next_doubt.trigger()
        menu = await desk.menu()
        assert editor.textCursor().selectedText() == "Aelin"
        menu.next_asked.emit()
        menu.close()
        await until(lambda: editor.textCursor().selectedText() == "raned")
        menu = await desk.menu()
        suggested = [action for action in menu.actions() if action.font().bold()]
        assert menu.activeAction() is suggested[0]
        next(action for action in suggested if action.text() == "rained").trigger()
        menu.close()
        await desk.checked()
        assert editor.text() == "Aelin came. It rained all nite."
        assert desk.marked == ["Aelin", "nite"]

    play(scenario)


def test_the_menu_of_a_word_adds_it_to_the_list_of_the_project(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        editor = desk.window.editor
        caret = editor.textCursor()
        caret.setPosition(2)
        inside = editor.cursorRect(caret).center()
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, inside, editor.viewport().mapToGlobal(inside)
        )
        QApplication.sendEvent(editor.viewport(), event)
        menu = await desk.menu()
        texts = [action.text() for action in menu.actions()]
        assert any("Paste" in text for text in texts)  # the usual entries follow
        next(action for action in menu.actions() if "to Dictionary" in action.text()).trigger()
        menu.close()
        await desk.done()
        assert desk.marked == ["raned", "nite"]
        assert (await desk.project.read(project_spelling)).word_list.words == ("Aelin",)

    play(scenario)


def test_a_word_that_is_ignored_is_so_until_the_project_is_opened_again(
    play: Callable[[Scenario], None],
) -> None:
    async def scenario(desk: Desk) -> None:
        desk.window.editor.moveCursor(QTextCursor.MoveOperation.Start)
        desk.spelling.actions.next_doubt.trigger()
        menu = await desk.menu()
        next(action for action in menu.actions() if "Ignore" in action.text()).trigger()
        menu.close()
        await desk.checked()
        assert desk.marked == ["raned", "nite"]
        assert (await desk.project.read(project_spelling)).word_list.words == ()
        other = await ProjectSession.create(desk.project.path.with_name("other.quire"), "Other", TEXT)
        await other.write(choose_language, "en_GB")
        await other.write(change_words, ("nite",))
        await desk.spelling.follow(other)
        await desk.checked()
        assert desk.marked == ["Aelin", "raned"]
        assert desk.spelling.state == "English (United Kingdom)"
        await other.close()

    play(scenario)


def test_a_word_that_is_not_in_doubt_has_the_usual_menu(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        editor = desk.window.editor
        caret = editor.textCursor()
        caret.setPosition(8)
        inside = editor.cursorRect(caret).center()
        assert not desk.spelling._opens_suggestions(
            QContextMenuEvent(QContextMenuEvent.Reason.Mouse, inside, editor.viewport().mapToGlobal(inside))
        )

    play(scenario)


def test_where_nothing_is_in_doubt_it_says_so(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        desk.window.editor.show_text("It rained all night.")
        await desk.spelling.follow(desk.project)
        desk.spelling.actions.next_doubt.trigger()
        await until(lambda: desk.notice == "No misspellings found.")

    play(scenario)


def test_the_language_is_kept_with_the_project(play: Callable[[Scenario], None], qtbot: Any) -> None:
    async def scenario(desk: Desk) -> None:
        desk.window.editor.show_text("The colour of the color.")
        await desk.spelling.follow(desk.project)
        await desk.checked()
        assert desk.marked == ["colour"]
        british = next(
            action for action in desk.spelling.actions.language_menu.actions() if action.data() == "en_GB"
        )
        british.trigger()
        await desk.done()
        await desk.checked()
        assert desk.marked == ["color"]
        assert desk.spelling.state == "English (United Kingdom)"
        assert (await desk.project.read(project_spelling)).language == "en_GB"
        assert desk.spelling.usual_language == "en_GB"

    play(scenario)


def test_switching_off_takes_the_marks_off_and_on_brings_them_back(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        chosen: list[bool] = []
        desk.app.settings.changed.connect(lambda settings: chosen.append(settings.spelling))
        desk.spelling.actions.check_spelling.trigger()
        assert desk.marked == []
        assert desk.spelling.state == "Spelling off"
        assert not desk.spelling.actions.next_doubt.isEnabled()
        desk.spelling.actions.check_spelling.trigger()
        await desk.checked()
        assert desk.marked == ["Aelin", "raned", "nite"]
        assert chosen == [False, True]

    play(scenario)


def test_a_language_without_a_dictionary_is_said_once_and_marks_nothing(
    play: Callable[[Scenario], None],
) -> None:
    async def scenario(desk: Desk) -> None:
        desk.spelling._choose_language("fi_FI")
        await desk.done()
        assert desk.marked == []
        assert desk.notice.startswith("Spelling is off: no dictionary for Finnish (Finland).")
        assert desk.spelling.state == "No dictionary for Finnish (Finland)"
        desk.window.notice_bar.clear()
        await desk.spelling.follow(desk.project)
        assert desk.notice == ""

    play(scenario)


def test_a_dictionary_is_added_and_used(play: Callable[[Scenario], None], tmp_path: Path) -> None:
    (tmp_path / "download").mkdir()
    stem = tmp_path / "download" / "nl_NL"
    stem.with_suffix(".aff").write_text("SET UTF-8\n", encoding="utf-8")
    stem.with_suffix(".dic").write_text("3\nAelin\nraned\nnite\n", encoding="utf-8")

    async def scenario(desk: Desk) -> None:
        dialog = desk.spelling.ask_for_dictionary()
        dialog.fileSelected.emit(f"{stem}.dic")
        dialog.close()
        await desk.done()
        await desk.checked()
        assert desk.spelling.state == "Dutch (Netherlands)"
        assert desk.marked == ["came", "It", "all"]
        assert "Dutch (Netherlands)" in desk.notice

    play(scenario)


def test_the_word_list_is_worked_on_in_its_dialog(play: Callable[[Scenario], None], tmp_path: Path) -> None:
    async def scenario(desk: Desk) -> None:
        dialog = desk.spelling._words.show_dialog()
        dialog.added.emit(("Aelin",))
        await desk.checked()
        assert desk.marked == ["raned", "nite"]
        (tmp_path / "in.txt").write_text("raned\nnite\nAelin\n", encoding="utf-8")
        dialog.import_asked.emit(tmp_path / "in.txt")
        await desk.done()
        assert dialog.said_label.text() == "2 words added."
        assert [dialog.list.item(row).text() for row in range(3)] == ["Aelin", "nite", "raned"]
        dialog.removed.emit(("nite",))
        dialog.export_asked.emit(tmp_path / "out.txt")
        await desk.done()
        await desk.checked()
        assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "Aelin\nraned\n"
        assert desk.marked == ["nite"]
        dialog.import_asked.emit(tmp_path / "none.txt")
        await desk.done()
        assert "can't be read" in dialog.said_label.text()
        dialog.accept()
        assert (await desk.project.read(project_spelling)).word_list.words == ("Aelin", "raned")

    play(scenario)


def test_a_project_that_can_only_be_read_takes_words_for_this_sitting(
    run_async: RunAsync,
    window: MainWindow,
    tmp_path: Path,
) -> None:
    path = tmp_path / "novel.quire"

    async def scenario() -> None:
        project = await ProjectSession.create(path, "The Ferry", TEXT)
        await project.write(choose_language, "en_US")
        await project.close()
        reading = await ProjectSession.open_to_read(path)
        assert reading.read_only
        desk = Desk(window, reading, tmp_path / "dictionaries")
        window.editor.show_text(TEXT)
        window.editor.set_locked(locked=True)
        await desk.spelling.follow(reading)
        await desk.checked()
        desk.spelling.actions.next_doubt.trigger()
        menu = await desk.menu()
        assert not any(action.font().bold() for action in menu.actions())
        next(action for action in menu.actions() if "to Dictionary" in action.text()).trigger()
        menu.close()
        assert not desk.tasks
        assert desk.marked == ["raned", "nite"]
        dialog = desk.spelling._words.show_dialog()
        assert "lost when you close it" in dialog.hint_label.text()
        dialog.accept()
        desk.spelling.close()
        await reading.close()

    run_async(scenario())


def test_a_failing_dictionary_is_said_and_the_rest_goes_on(
    play: Callable[[Scenario], None], tmp_path: Path
) -> None:
    folder = tmp_path / "dictionaries"
    folder.mkdir()
    (folder / "nl_NL.aff").write_text("SET no-such-encoding\n", encoding="utf-8")
    (folder / "nl_NL.dic").write_text("1\nboek\n", encoding="utf-8")

    async def scenario(desk: Desk) -> None:
        desk.spelling._choose_language("nl_NL")
        await until(lambda: bool(desk.notice))
        assert desk.notice == "The dictionary nl_NL can't be read. Choose another one."
        assert desk.marked == []
        desk.spelling._choose_language("en_US")
        await desk.checked()
        assert desk.marked == ["Aelin", "raned", "nite"]

    play(scenario)


def test_what_was_kept_from_the_last_start_is_used_and_choices_are_kept(
    run_async: RunAsync, window: MainWindow, tmp_path: Path
) -> None:
    async def scenario() -> None:
        file = SettingsFile(tmp_path / "settings.json")
        file.save(replace(Settings(), spelling=False, spelling_language="en_GB"))
        project = await ProjectSession.create(tmp_path / "novel.quire", "The Ferry", TEXT)
        desk = Desk(window, project, tmp_path / "dictionaries")
        keeper = desk.app.settings
        await desk.spelling.follow(project)
        assert desk.spelling.state == "Spelling off"
        assert desk.spelling.dictionaries[0] == ("en_GB", "English (United Kingdom)")
        desk.spelling.actions.check_spelling.trigger()
        assert desk.spelling.state == "English (United Kingdom)"
        assert keeper.settings.spelling
        keeper.change(spelling_language="en_US")
        assert desk.spelling.state == "English (United States)"
        desk.spelling.languages.chosen.emit("en_GB")
        assert keeper.settings.spelling_language == "en_GB"
        await desk.done()
        keeper.change(spelling_language="en_US")  # this book has a language of its own now
        assert desk.spelling.state == "English (United Kingdom)"
        desk.spelling.close()
        await project.close()

    run_async(scenario())


def test_closing_ends_the_process(play: Callable[[Scenario], None]) -> None:
    async def scenario(desk: Desk) -> None:
        desk.spelling.close()
        assert desk.spelling._checker._process is None
        desk.spelling.close()

    play(scenario)

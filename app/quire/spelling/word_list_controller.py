"""The writer's own words: the word list of the open project and its dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from quire.domain.manuscript.spelling import Judge, WordList
from quire.errors import WriterProblem
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind
from quire.shell.task_queue import TaskQueue
from quire.spelling.word_list_dialog import WordListDialog
from quire.system.number_text import number_text

if TYPE_CHECKING:  # imported when a project is opened: SQLAlchemy is slow to import
    from quire.services.project.project_session import ProjectSession


class WordListController(QObject):
    """Keeps the checker's word list and the project's in sync; without storage, for this session only.

    Signals:
        changed: the list changed.
    """

    changed = Signal()

    def __init__(self, window: MainWindow, judge: Judge, tasks: TaskQueue) -> None:
        super().__init__(window)
        self._window, self._judge, self._tasks = window, judge, tasks
        self._session: ProjectSession | None = None
        self._dialog: WordListDialog | None = None

    @property
    def session(self) -> ProjectSession | None:
        """Return the project that the words belong to."""
        return self._session

    async def read(self, session: ProjectSession) -> str:
        """Load the words of another project and return the language chosen for it."""
        from quire.services.transactions.project_word_list import (
            ProjectSpelling,
            names_in_book,
            project_spelling,
        )

        self._session = session
        names = WordList()
        try:
            kept = await session.read(project_spelling)
            names = await session.read(names_in_book)
        except WriterProblem as problem:
            kept = ProjectSpelling(WordList())
            self.say(problem.message)
        if session is self._session:
            self._judge.word_list, self._judge.ignored = kept.word_list, WordList()
            self._judge.names = names
            self._show_words()
        return kept.language

    def forget(self) -> None:
        """Show no words of a project that was closed."""
        self._session = None
        self._judge.word_list = self._judge.ignored = self._judge.names = WordList()
        if self._dialog is not None:
            self._dialog.reject()

    def keep_language(self, language: str) -> None:
        """Store the language for the project."""
        if self._session is not None and not self._session.read_only:
            self._tasks.run_now(partial(self._store_language, self._session, language))

    def ignore(self, word: str) -> None:
        """Accept a word until another project is opened."""
        self._judge.ignored = self._judge.ignored.with_words((word,))
        self.changed.emit()

    @Slot(object)
    def add(self, words: Sequence[str]) -> None:
        """Add words to the list."""
        self._change(tuple(words), ())

    @Slot(object)
    def remove(self, words: Sequence[str]) -> None:
        """Remove words from the list."""
        self._change((), tuple(words))

    @Slot()
    def show_dialog(self) -> WordListDialog:
        """Open the word list."""
        dialog = self._dialog = WordListDialog(self._window)
        dialog.added.connect(self.add)
        dialog.removed.connect(self.remove)
        dialog.import_asked.connect(self._ask_for_import)
        dialog.export_asked.connect(self._ask_for_export)
        dialog.finished.connect(self._forget_dialog)
        self._show_words()
        dialog.open()
        return dialog

    def say(self, sentence: str) -> None:
        """Show a message in the dialog, or above the manuscript if it is closed."""
        if self._dialog is None:
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))
        else:
            self._dialog.say(sentence)

    # ------------------------------------------------------------ inside
    @Slot(Path)
    def _ask_for_import(self, path: Path) -> None:
        self._tasks.run_now(partial(self._import, path))

    @Slot(Path)
    def _ask_for_export(self, path: Path) -> None:
        self._tasks.run_now(partial(self._export, path))

    def _change(self, added: tuple[str, ...], removed: tuple[str, ...]) -> None:
        """Change the list at once and store it soon."""
        self._judge.word_list = self._judge.word_list.without(removed).with_words(added)
        self._show_words()
        self.changed.emit()
        session = self._session
        if session is not None and not session.read_only:
            self._tasks.run_now(partial(self._store, session, added, removed))

    async def _store(self, session: ProjectSession, added: tuple[str, ...], removed: tuple[str, ...]) -> None:
        from quire.services.transactions.project_word_list import change_words

        try:
            await session.write(change_words, added, removed)
        except WriterProblem as problem:
            self.say(problem.message)

    async def _store_language(self, session: ProjectSession, language: str) -> None:
        from quire.services.transactions.project_word_list import choose_language

        await session.write(choose_language, language)

    async def _import(self, path: Path) -> None:
        from quire.services.transactions.project_word_list import read_list

        try:
            words = await asyncio.to_thread(read_list, path)
        except WriterProblem as problem:
            self.say(problem.message)
            return
        before = len(self._judge.word_list)
        self.add(words)
        more = len(self._judge.word_list) - before
        self.say(
            self.tr("1 word added.") if more == 1 else self.tr("{0} words added.").format(number_text(more))
        )

    async def _export(self, path: Path) -> None:
        from quire.services.transactions.project_word_list import write_list

        try:
            await asyncio.to_thread(write_list, path, self._judge.word_list)
        except WriterProblem as problem:
            self.say(problem.message)
            return
        self.say(self.tr("Words exported to {0}.").format(path))

    def _show_words(self) -> None:
        if self._dialog is None:
            return
        is_kept = self._session is not None and not self._session.read_only
        hint = self.tr("This project is read-only. Words you add are lost when you close it.")
        self._dialog.show_words(self._judge.word_list.words, "" if is_kept else hint)

    @Slot()
    def _forget_dialog(self) -> None:
        self._dialog = None

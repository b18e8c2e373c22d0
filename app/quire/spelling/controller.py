"""Spelling in the window: misspellings are marked as the writer types."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLocale,
    QObject,
    QPoint,
    QSignalBlocker,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from quire.domain.manuscript.spelling import Judge
from quire.editor.spelling_layer import Misspelling, SpellingLayer
from quire.services.spelling.dictionaries import (
    USUAL_LANGUAGE,
    Dictionary,
    add_dictionary,
    best_for,
    find_dictionaries,
    usual_folders,
)
from quire.services.spelling.spell_checker import (
    SpellChecker,
    SpellingEvent,
    SpellingFailed,
    WordsChecked,
    WordSuggested,
)
from quire.settings.settings import Settings
from quire.shell.notices import Notice, NoticeKind
from quire.spelling.dictionary_file_dialogs import DictionaryFileDialog
from quire.spelling.language_menu import LanguageMenu, language_name
from quire.spelling.suggestion_menu import SuggestionMenu
from quire.spelling.word_list_controller import WordListController

if TYPE_CHECKING:  # imported when a project is opened: SQLAlchemy is slow to import
    from quire.app import App
    from quire.services.project.project_session import ProjectSession

MENU_WITHIN_MS = 300
"""Time after which a menu opens, with or without suggestions."""


@dataclass(frozen=True, slots=True)
class _MenuAsked:
    """A menu waiting for its suggestions.

    Attributes:
        misspelling: the word.
        place: where to open it.
        usual: the text's usual menu, added below.
    """

    misspelling: Misspelling
    place: QPoint
    usual: QMenu | None


class SpellingController(QObject):
    """Connects the editor to a dictionary and to the word list of the open project."""

    _answered = Signal(object)  # from the checker's thread to this one

    def __init__(
        self,
        app: App,
        folders: Sequence[Path] | None = None,
    ) -> None:
        """Create the controller.

        Args:
            folders: where dictionaries are; the first is for those that the writer adds.
        """
        window, tasks = app.window, app.tasks
        super().__init__(window)
        self._app, self._window, self._themes, self._tasks = app, window, window.themes, tasks
        self._folders = usual_folders() if folders is None else tuple(folders)
        self._judge = Judge()
        self._layer = SpellingLayer(window.editor, window.editor.layers, self._judge)
        self._checker = SpellChecker(self._answered.emit)
        self._words = WordListController(window, self._judge, tasks)
        self._dictionaries: tuple[Dictionary, ...] | None = None
        self._stem: Path | None = None
        self._book_language = self._usual_language = ""
        self._missing_told: set[str] = set()
        self._menu_asked: _MenuAsked | None = None
        self._next_asked = False
        self._menu_timer = QTimer(self)
        self._menu_timer.setSingleShot(True)
        self._menu_timer.setInterval(MENU_WITHIN_MS)
        self.actions = window.commands
        self.languages = LanguageMenu(self.actions.language_menu, self)
        self._wire()

    def _wire(self) -> None:
        editor, actions = self._window.editor, self.actions
        self._answered.connect(self._take)
        self._layer.words_wanted.connect(self._checker.check)
        self._layer.caught_up.connect(self._go_on_to_next)
        self._menu_timer.timeout.connect(self._open_menu_without)
        self._themes.changed.connect(self._take_colours)
        actions.check_spelling.toggled.connect(self._switch)
        self.languages.chosen.connect(self._choose_language)
        actions.next_doubt.triggered.connect(self._go_to_next)
        actions.word_list.triggered.connect(self._words.show_dialog)
        self._words.changed.connect(self._layer.restart)
        actions.add_dictionary.triggered.connect(self.ask_for_dictionary)
        for part in (editor, editor.viewport()):
            part.installEventFilter(self)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)
        self._app.events.text_followed.subscribe("spelling", self.follow)
        self._app.events.project_closed.subscribe("spelling", self._forget)
        self._app.events.closing.subscribe("spelling", self.close)
        self._take_colours()
        self._refresh()
        self._app.settings.follow(self._take_settings)

    # ------------------------------------------------------------ input
    @property
    def is_on(self) -> bool:
        """Return whether the writer wants spelling to be checked."""
        return self.actions.check_spelling.isChecked()

    @property
    def usual_language(self) -> str:
        """Return the language of projects without one of their own; empty for the system's."""
        return self._usual_language

    @property
    def state(self) -> str:
        """Return the text of the status line about spelling."""
        if not self.is_on:
            return self.tr("Spelling off")
        name = language_name(self._language)
        return name if self._stem is not None else self.tr("No dictionary for {0}").format(name)

    @property
    def dictionaries(self) -> tuple[tuple[str, str], ...]:
        """Return the available languages by code and name; known once a project was opened."""
        found = self._dictionaries or ()
        return tuple((each.language, language_name(each.language)) for each in found)

    def use(self, *, on: bool, usual_language: str) -> None:
        """Apply the values saved by the last start."""
        self._usual_language = usual_language
        with QSignalBlocker(
            self.actions.check_spelling
        ):  # not chosen by the writer just now, so not saved again
            self.actions.check_spelling.setChecked(on)
        self._take_language()

    def _take_settings(self, settings: Settings) -> None:
        """Check spelling according to the settings."""
        wanted = settings.spelling, settings.spelling_language
        if wanted != (self.is_on, self._usual_language):
            self.use(on=settings.spelling, usual_language=settings.spelling_language)

    async def follow(self, session: ProjectSession) -> None:
        """Check the open text with the word list and the language of its project."""
        if self._dictionaries is None:
            self._dictionaries = await asyncio.to_thread(find_dictionaries, self._folders)
        if session is not self._words.session:
            language = await self._words.read(session)
            if session is not self._words.session:
                return
            self._book_language = language
            self._take_language()
        self._layer.restart()

    def _forget(self) -> None:
        """Check no words of a project that was closed."""
        self._words.forget()
        self._book_language, self._next_asked = "", False
        self._refresh()

    def close(self) -> None:
        """Stop the dictionary's process."""
        self._checker.close()

    # ------------------------------------------------------------ actions
    @Slot()
    def ask_for_dictionary(self) -> DictionaryFileDialog:
        """Let the writer choose a dictionary to add."""
        dialog = DictionaryFileDialog(self._window)
        dialog.fileSelected.connect(self._ask_to_add)
        dialog.open()
        return dialog

    @Slot(str)
    def _ask_to_add(self, path: str) -> None:
        self._tasks.run_now(partial(self._add_dictionary, Path(path)))

    @Slot(str)
    def _choose_language(self, language: str) -> None:
        self._book_language = self._usual_language = language
        self._stem = None  # also retries one that failed
        self._take_language()
        self._keep()
        self._words.keep_language(language)

    @Slot(bool)
    def _switch(self, on: bool) -> None:
        self._take_language()
        self._keep()

    def _keep(self) -> None:
        self._app.settings.change(spelling=self.is_on, spelling_language=self._usual_language)

    # ------------------------------------------------------------ the next word
    @Slot()
    def _go_to_next(self) -> None:
        editor = self._window.editor
        self._layer.rest()
        misspelling = self._layer.next_misspelling(editor.textCursor().selectionEnd())
        self._next_asked = misspelling is None and self._layer.is_waiting
        if misspelling is not None:
            editor.setFocus()
            self._layer.select(misspelling)
            place = editor.cursorRect().bottomLeft()
            self._ask_for_menu(misspelling, editor.viewport().mapToGlobal(place), None)
        elif not self._next_asked:
            self._words.say(self.tr("No misspellings found."))

    @Slot()
    def _go_on_to_next(self) -> None:
        if self._next_asked:
            self._go_to_next()

    # ------------------------------------------------------------ the menu of a word
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Put suggestions on top of the context menu of a misspelling."""
        if isinstance(event, QContextMenuEvent) and self._layer.is_on:
            return self._opens_suggestions(event)
        return super().eventFilter(watched, event)

    def _opens_suggestions(self, event: QContextMenuEvent) -> bool:
        editor = self._window.editor
        view = editor.viewport()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            inside, place = editor.cursorRect().center(), view.mapToGlobal(editor.cursorRect().bottomLeft())
            caret = editor.textCursor()
        else:
            inside, place = view.mapFromGlobal(event.globalPos()), event.globalPos()
            caret = editor.cursorForPosition(inside)
        misspelling = self._layer.misspelling_at(caret.position())
        if misspelling is None or not view.rect().contains(inside):
            return False
        usual = editor.text_menu()
        self._ask_for_menu(misspelling, place, usual)
        event.accept()
        return True

    def _ask_for_menu(self, misspelling: Misspelling, place: QPoint, usual: QMenu | None) -> None:
        if self._menu_asked is not None and self._menu_asked.usual is not None:
            self._menu_asked.usual.deleteLater()
        self._menu_asked = _MenuAsked(misspelling, place, usual)
        if self._layer.may_replace(misspelling):
            self._checker.suggest(misspelling.word.forms[0])
            self._menu_timer.start()
        else:
            self._open_menu(())

    @Slot()
    def _open_menu_without(self) -> None:
        self._open_menu(())

    def _open_menu(self, suggestions: Sequence[str]) -> None:
        self._menu_timer.stop()
        asked, self._menu_asked = self._menu_asked, None
        if asked is None:
            return
        editor, misspelling, actions = self._window.editor, asked.misspelling, self.actions
        menu = SuggestionMenu(
            misspelling.word.text,
            suggestions,
            editor,
            may_replace=self._layer.may_replace(misspelling),
            next_doubt=actions.next_doubt,
        )
        if asked.usual is not None:
            menu.add_usual(asked.usual)
        menu.suggestion_chosen.connect(partial(self._layer.replace, misspelling))
        own_form = misspelling.word.forms[0].removesuffix("'s")
        menu.word_added.connect(partial(self._words.add, (own_form,)))
        menu.word_ignored.connect(partial(self._words.ignore, own_form))
        menu.next_asked.connect(self._go_to_next)
        menu.popup(asked.place)
        menu.setActiveAction(next(action for action in menu.actions() if action.isEnabled()))

    # ------------------------------------------------------------ language
    @property
    def _language(self) -> str:
        chosen = self._book_language or self._usual_language
        system = QLocale.system()
        usual = USUAL_LANGUAGE if system.language() is QLocale.Language.C else system.name()
        return chosen or usual

    def _take_language(self) -> None:
        """Open the required dictionary, or none; quotation marks follow the language, too."""
        language = self._language or QLocale.system().name()
        self._window.editor.smart_typing.set_language(language)
        self._app.events.language_known(language)
        if self._dictionaries is None:
            return
        found = best_for(self._language, self._dictionaries) if self.is_on else None
        stem = None if found is None else found.stem
        if stem != self._stem:
            self._judge.forget_verdicts()
            self._stem = stem
            if stem is None:
                self._checker.rest()
            else:
                self._checker.open(stem)
        self._layer.set_on(on=stem is not None)
        if self.is_on and stem is None and self._words.session is not None:
            self._report_missing(self._language)
        codes = [dictionary.language for dictionary in self._dictionaries]
        self.languages.show_languages(codes, self._language if found is None else found.language)
        self._refresh()

    def _report_missing(self, language: str) -> None:
        if language not in self._missing_told:
            self._missing_told.add(language)
            sentence = self.tr(
                "Spelling is off: no dictionary for {0}. Add one or choose another language in Edit >"
                " Spelling."
            )
            self._words.say(sentence.format(language_name(language)))

    @Slot(object)
    def _take(self, event: SpellingEvent) -> None:
        if event.stem != self._stem:
            return  # from a dictionary that is no longer in use
        match event:
            case WordsChecked():
                self._layer.learn(event.right, event.wrong)
            case WordSuggested():
                if self._menu_asked is not None and self._menu_asked.misspelling.word.forms[0] == event.word:
                    self._open_menu(event.suggestions)
            case SpellingFailed():
                self._stem = None
                self._layer.set_on(on=False)
                self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, event.sentence))
                self._refresh()

    async def _add_dictionary(self, path: Path) -> None:
        dictionary = await asyncio.to_thread(add_dictionary, path, self._folders[0])
        self._dictionaries = await asyncio.to_thread(find_dictionaries, self._folders)
        self._missing_told.discard(dictionary.language)
        self._choose_language(dictionary.language)
        name = language_name(dictionary.language)
        self._words.say(self.tr("Dictionary for {0} added. This book now uses it.").format(name))

    # ------------------------------------------------------------ display
    @Slot()
    def _take_colours(self) -> None:
        self._layer.set_tokens(self._themes.tokens)

    def _refresh(self) -> None:
        is_open = self._words.session is not None
        self.actions.next_doubt.setEnabled(is_open and self._layer.is_on)
        self.actions.word_list.setEnabled(is_open)
        self._window.status_line.show_spelling(self.state)

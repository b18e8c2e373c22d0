"""The actions of spelling, with their shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import ActionTable, add_to_menu


def language_name(code: str) -> str:
    """Return the name of a language, such as English (United States), or its code if it is unknown."""
    first, *others = code.split("_")
    language = QLocale.codeToLanguage(first)
    if language is QLocale.Language.AnyLanguage:
        return code
    details = [QLocale.scriptToString(QLocale.codeToScript(other)) for other in others if len(other) == 4]
    for other in others:
        if len(other) != 4:
            territory = QLocale.codeToTerritory(other)
            is_known = territory is not QLocale.Country.AnyTerritory
            details.append(QLocale.territoryToString(territory) if is_known else other)
    name = QLocale.languageToString(language)
    return f"{name} ({', '.join(details)})" if details else name


class SpellingActions(ActionTable):
    """The actions of Edit > Spelling; the controller decides what they do.

    Signals:
        language_chosen: by its code.
    """

    language_chosen = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.on = self._action(self.tr("&Check Spelling"), checked=True)
        self.next_doubt = self._action(self.tr("&Next Misspelling"), "F4")
        self.word_list = self._action(self.tr("Personal &Dictionary…"))
        self.add_dictionary = self._action(self.tr("&Add Dictionary…"))
        self.language_menu = QMenu(self.tr("&Language"))
        self._languages = QActionGroup(self)
        self._languages.triggered.connect(self._choose)
        self.submenu = QMenu(self.tr("&Spelling"))
        add_to_menu(self.submenu, self.on, self.next_doubt, None)
        add_to_menu(self.submenu, self.language_menu, self.add_dictionary, None, self.word_list)

    def fill(self, edit_menu: QMenu, tools_menu: QMenu) -> None:
        """Put the submenu into the Edit menu, and the word list into the Tools menu as well."""
        add_to_menu(edit_menu, None, self.submenu)
        tools_menu.addAction(self.word_list)

    def show_languages(self, codes: Sequence[str], chosen: str) -> None:
        """List the languages with dictionaries; `chosen` need not be one of them."""
        for action in self._languages.actions():
            self._languages.removeAction(action)
            action.deleteLater()
        self.language_menu.clear()
        for code in sorted(codes, key=language_name):
            name = language_name(code).replace("&", "&&")
            action = self._action(name, checked=code == chosen, data=code)
            self._languages.addAction(action)
            self.language_menu.addAction(action)
        self.language_menu.setEnabled(bool(codes))

    def show_state(self, *, is_open: bool, is_checking: bool) -> None:
        """Enable the available actions.

        Args:
            is_open: whether there is a project.
            is_checking: whether its spelling is checked.
        """
        self.next_doubt.setEnabled(is_open and is_checking)
        self.word_list.setEnabled(is_open)
        self.language_menu.setEnabled(bool(self._languages.actions()))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.language_chosen.emit(str(action.data()))

"""The languages that spelling can be checked in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from quire.ui.action_table import new_action


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
    if QLocale().language() not in (
        QLocale.Language.English,
        QLocale.Language.C,
    ):  # Qt knows English names, and each one's own
        own = QLocale(code)
        anywhere = QLocale(language, QLocale.Country.World)  # "English": the country stands in the details
        name = anywhere.nativeLanguageName() or name
        details = [own.nativeTerritoryName()] if details and own.nativeTerritoryName() else details
    return f"{name} ({', '.join(details)})" if details else name


class LanguageMenu(QObject):
    """Edit > Spelling > Language: one entry for each dictionary.

    Signals:
        chosen: the code of a language.
    """

    chosen = Signal(str)

    def __init__(self, menu: QMenu, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._languages = QActionGroup(self)
        self._languages.triggered.connect(self._choose)

    def show_languages(self, codes: Sequence[str], chosen: str) -> None:
        """List the languages with dictionaries; `chosen` need not be one of them."""
        for action in self._languages.actions():
            self._languages.removeAction(action)
            action.deleteLater()
        self._menu.clear()
        for code in sorted(codes, key=language_name):
            action = new_action(self, language_name(code).replace("&", "&&"), checked=code == chosen)
            action.setData(code)
            self._languages.addAction(action)
            self._menu.addAction(action)
        self._menu.setEnabled(bool(codes))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))

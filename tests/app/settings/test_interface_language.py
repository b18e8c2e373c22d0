from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTranslator
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from quire.preferences.pages import DraftingPage
from quire.preferences.preferences_dialog import Offers, PreferencesDialog
from quire.preferences.shortcuts import ShortcutBook, gather
from quire.settings.interface_language import LANGUAGES, TRANSLATIONS, install_language, language_for
from quire.settings.settings import Settings
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.system.number_text import use_marks
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.bare_app import bare_app


@pytest.fixture
def german(qapp: QApplication) -> Iterator[str]:
    palette, before = qapp.palette(), QLocale()
    yield install_language(qapp, "de")
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    use_marks(",", ".")
    QLocale.setDefault(before)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


@pytest.fixture
def window(german: str, qapp: QApplication, tmp_path: Path) -> Iterator[MainWindow]:
    themes = ThemeSwitch(qapp, ThemeChoice.LIGHT)
    window = MainWindow(ProjectStatus(), ProgressModel(), themes)
    window.show()
    yield window
    window.leave()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        (["de"], "de"), (["de-AT", "en"], "de"), (["de_CH"], "de"), (["DE"], "de"), (["en-GB", "de"], "en"),
        (["tlh", "de"], "de"), (["tlh"], "en"), ([], "en"), ([""], "en"),
    ],
)  # fmt: skip
def test_the_first_language_that_quire_speaks(wanted: list[str], spoken: str) -> None:
    assert language_for(wanted) == spoken


def test_every_language_that_is_offered_is_there() -> None:
    there = {file.stem.removeprefix("quire_") for file in TRANSLATIONS.glob("quire_*.qm")}
    assert {code for code, _ in LANGUAGES} == there | {"en"}


def test_without_a_choice_the_system_is_followed(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QLocale, "uiLanguages", lambda self: ["en-US", "de-DE"])
    before = QLocale()
    assert install_language(qapp, "") == "en"
    QLocale.setDefault(before)
    assert qapp.findChildren(QTranslator) == []


def test_the_window_speaks_it(window: MainWindow, tmp_path: Path) -> None:
    controls = bare_app(window, tmp_path, "controls").controls
    titles = [action.text().replace("&", "") for action in window.menuBar().actions()]
    assert titles[:3] == ["Datei", "Bearbeiten", "Ansicht"]
    assert controls.bar.continue_button.text() == "Fortsetzen"


def test_fields_write_numbers_as_the_language_does(german: str, qtbot: QtBot) -> None:
    page = DraftingPage(Settings(preflight_words=5_000))
    qtbot.addWidget(page)
    page.show_settings(page.settings)
    assert "5.000" in page.preflight_words.text()


def test_no_menu_takes_the_keys_of_an_action(window: MainWindow) -> None:
    used = {key.toString() for action in window.actions() for key in action.shortcuts()}
    for top in window.menuBar().actions():
        menu = top.menu()
        assert isinstance(menu, QMenu)
        used |= {key.toString() for action in menu.actions() for key in action.shortcuts()}
    opening = [QKeySequence.mnemonic(top.text()).toString() for top in window.menuBar().actions()]
    assert len(set(opening)) == len(opening)
    assert used & set(opening) == set()


def test_keys_stay_those_of_the_same_action(window: MainWindow) -> None:
    book = ShortcutBook()
    gather(window.menuBar(), book)
    assert book.keys("window.go_on") == ("Ctrl+Return", "Ctrl+Enter")
    assert book.text("window.go_on") == "Fortsetzen"


def test_the_preferences_speak_it(window: MainWindow, qapp: QApplication) -> None:
    dialog = PreferencesDialog(
        Settings(), ShortcutBook(), ThemeSwitch(qapp, ThemeChoice.LIGHT), Offers((), LANGUAGES)
    )
    assert dialog.windowTitle() == "Einstellungen"
    assert dialog.close_button.text() == "Schließen"
    assert dialog.drafting.chapter_words.text() == "Aus"
    assert dialog.minimumSizeHint().width() <= 1024
    dialog.deleteLater()

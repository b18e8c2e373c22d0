from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from quire.spelling.dictionary_file_dialogs import DictionaryFileDialog
from quire.spelling.language_menu import LanguageMenu, language_name
from quire.spelling.suggestion_menu import SuggestionMenu
from quire.spelling.word_list_dialog import WordListDialog

SHOWS_A_MENU = pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("en_US", "English (United States)"),
        ("en_GB", "English (United Kingdom)"),
        ("de", "German"),
        ("sr_Latn_RS", "Serbian (Latin, Serbia)"),
        ("es_419", "Spanish (Latin America)"),
        ("qqq_ZZ", "qqq_ZZ"),
    ],
)
def test_languages_have_names(code: str, name: str) -> None:
    assert language_name(code) == name


def test_in_a_window_of_another_language_each_has_its_own_name() -> None:
    usual = QLocale()
    QLocale.setDefault(QLocale("de"))
    try:
        assert language_name("de_DE") == "Deutsch (Deutschland)"
        assert language_name("en_US") == "English (United States)"
        assert language_name("qqq_ZZ") == "qqq_ZZ"
    finally:
        QLocale.setDefault(usual)


def test_the_menu_lists_the_languages_by_name(qtbot: Any, owner: QWidget) -> None:
    menu = QMenu(owner)
    languages = LanguageMenu(menu, owner)
    languages.show_languages(["sv_SE", "en_US", "de_DE"], "en_US")
    shown = menu.actions()
    assert [action.text() for action in shown] == [
        "English (United States)",
        "German (Germany)",
        "Swedish (Sweden)",
    ]
    assert [action.isChecked() for action in shown] == [True, False, False]
    with qtbot.waitSignal(languages.chosen) as chosen:
        shown[1].trigger()
    assert chosen.args == ["de_DE"]
    languages.show_languages([], "en_US")
    assert not menu.isEnabled()


@pytest.fixture
def owner(qtbot: Any) -> QWidget:
    owner = QWidget()
    owner.resize(300, 200)
    qtbot.addWidget(owner)
    owner.show()
    return owner


def opened_menu(owner: QWidget, *suggestions: str, may_replace: bool = True) -> SuggestionMenu:
    following = QAction("&Next Misspelling", owner)
    following.setShortcut(QKeySequence("F4"))
    menu = SuggestionMenu("raned", suggestions, owner, may_replace=may_replace, next_doubt=following)
    menu.popup(owner.mapToGlobal(QPoint(10, 10)))
    return menu


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


@SHOWS_A_MENU
def test_suggestions_stand_on_top_in_bold(qtbot: Any, owner: QWidget) -> None:
    menu = opened_menu(owner, "rained", "ranted & raved")
    assert texts(menu) == [
        "rained",
        "ranted && raved",
        "&Add “raned” to Dictionary",
        "&Ignore “raned” for Now",
        "&Next Misspelling",
    ]
    assert [action.font().bold() for action in menu.actions()[:2]] == [True, True]
    with qtbot.waitSignal(menu.suggestion_chosen) as chosen:
        menu.actions()[1].trigger()
    assert chosen.args == ["ranted & raved"]


@SHOWS_A_MENU
def test_without_suggestions_it_says_so(qtbot: Any, owner: QWidget) -> None:
    menu = opened_menu(owner)
    assert texts(menu)[0] == "No suggestions"
    assert not menu.actions()[0].isEnabled()
    with qtbot.waitSignal(menu.word_added):
        menu.actions()[2].trigger()


@SHOWS_A_MENU
def test_where_nothing_may_be_replaced_nothing_is_suggested(qtbot: Any, owner: QWidget) -> None:
    menu = opened_menu(owner, "rained", may_replace=False)
    assert texts(menu)[0] == "&Add “raned” to Dictionary"
    with qtbot.waitSignal(menu.word_ignored):
        menu.actions()[1].trigger()


@SHOWS_A_MENU
def test_the_key_that_led_here_leads_on(qtbot: Any, owner: QWidget) -> None:
    menu = opened_menu(owner, "rained")
    with qtbot.waitSignal(menu.next_asked):
        qtbot.keyClick(menu, Qt.Key.Key_F4)


@SHOWS_A_MENU
def test_the_keyboard_chooses_a_suggestion(qtbot: Any, owner: QWidget) -> None:
    menu = opened_menu(owner, "rained")
    menu.setActiveAction(menu.actions()[0])
    with qtbot.waitSignal(menu.suggestion_chosen):
        qtbot.keyClick(menu, Qt.Key.Key_Return)


@SHOWS_A_MENU
def test_what_the_text_offers_follows(owner: QWidget) -> None:
    usual = QMenu(owner)
    usual.addAction("Copy")
    menu = opened_menu(owner, "rained")
    menu.add_usual(usual)
    assert texts(menu)[-1] == "Copy"


@pytest.fixture
def dialog(owner: QWidget) -> WordListDialog:
    dialog = WordListDialog(owner)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    dialog.open()
    return dialog


def test_words_are_added_by_return(qtbot: Any, dialog: WordListDialog) -> None:
    assert not dialog.add_button.isEnabled()
    qtbot.keyClicks(dialog.word_edit, "two words")
    assert not dialog.add_button.isEnabled()
    qtbot.keyClick(dialog.word_edit, Qt.Key.Key_Return)
    dialog.word_edit.clear()
    dialog.word_edit.setText(" O’Shea ")
    with qtbot.waitSignal(dialog.added) as added:
        qtbot.keyClick(dialog.word_edit, Qt.Key.Key_Return)
    assert added.args == [("O'Shea",)]
    assert dialog.word_edit.text() == ""
    assert dialog.isVisible()  # Return adds; it does not close


def test_chosen_words_are_removed_by_button_and_key(qtbot: Any, dialog: WordListDialog) -> None:
    dialog.show_words(("Aelin", "grok", "Moss"))
    assert "3 words" in dialog.hint_label.text()
    assert not dialog.remove_button.isEnabled()
    dialog.list.item(0).setSelected(True)
    dialog.list.item(2).setSelected(True)
    with qtbot.waitSignal(dialog.removed) as removed:
        dialog.remove_button.click()
    assert removed.args == [("Aelin", "Moss")]
    dialog.list.setFocus()
    with qtbot.waitSignal(dialog.removed):
        qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)


def test_the_chosen_words_stay_chosen_when_the_list_changes(dialog: WordListDialog) -> None:
    dialog.show_words(("Aelin", "grok"))
    dialog.list.item(1).setSelected(True)
    dialog.show_words(("Aelin", "grok", "Moss"))
    assert [item.text() for item in dialog.list.selectedItems()] == ["grok"]


def test_files_are_asked_for(qtbot: Any, dialog: WordListDialog, tmp_path: Path) -> None:
    assert not dialog.export_button.isEnabled()
    dialog.show_words(("Aelin",))
    chooser = dialog.ask_for_export()
    with qtbot.waitSignal(dialog.export_asked) as asked:
        chooser.fileSelected.emit(str(tmp_path / "words.txt"))
    assert asked.args == [tmp_path / "words.txt"]
    chooser.close()
    chooser = dialog.ask_for_import()
    with qtbot.waitSignal(dialog.import_asked) as asked:
        chooser.fileSelected.emit(str(tmp_path / "words.txt"))
    assert asked.args == [tmp_path / "words.txt"]
    chooser.close()


def test_everything_has_a_name(dialog: WordListDialog) -> None:
    assert dialog.list.accessibleName()
    assert dialog.word_edit.accessibleName()
    assert dialog.windowTitle()


def test_a_dictionary_is_chosen_by_one_of_its_files(qtbot: Any) -> None:
    dialog = DictionaryFileDialog()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    assert dialog.nameFilters() == ["Hunspell dictionaries (*.aff *.dic)"]

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QKeySequenceEdit,
    QLineEdit,
    QListWidget,
    QScrollArea,
    QSpinBox,
    QTreeWidget,
    QWidget,
)

from quire.preferences.preferences_dialog import Offers, PreferencesDialog
from quire.preferences.shortcuts import ShortcutBook, keys_of
from quire.settings.settings import LoopChoice, ReadingChoice, Settings
from quire.theme.motion import MotionPreference
from quire.theme.theme_switch import TOKENS_OF, ThemeChoice, ThemeSwitch

OFFERS = Offers((("en_GB", "English (UK)"), ("de_DE", "Deutsch")), (("en", "English"), ("de", "Deutsch")))
SMALLEST = (1024, 640)


@pytest.fixture
def actions(qapp: object) -> list[QAction]:
    made = []
    for name, text, keys in (
        ("go_on", "&Continue", "Ctrl+Return"),
        ("retry", "&Retry", "Alt+R"),
        ("cut", "Cu&t", ""),
    ):
        action = QAction(text)
        action.setObjectName(f"window.{name}")
        if keys:
            action.setShortcut(QKeySequence(keys))
        made.append(action)
    return made


@pytest.fixture
def book(actions: list[QAction]) -> ShortcutBook:
    book = ShortcutBook()
    book.add("&Draft", actions[:2])
    book.add("&Edit", actions[2:])
    return book


@pytest.fixture
def dialog(book: ShortcutBook, themes: ThemeSwitch, qtbot: Any) -> Iterator[PreferencesDialog]:
    dialog = PreferencesDialog(Settings(), book, themes, OFFERS)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    dialog.edited.connect(lambda settings: book.choose(settings.shortcuts))
    dialog.show()
    qtbot.waitExposed(dialog)
    yield dialog
    dialog.close()
    dialog.deleteLater()


def edited(dialog: PreferencesDialog) -> list[Settings]:
    told: list[Settings] = []
    dialog.edited.connect(told.append)
    return told


def choose(box: QComboBox, text: str) -> None:
    index = box.findText(text)
    assert index >= 0, [box.itemText(i) for i in range(box.count())]
    box.setCurrentIndex(index)


def press(widget: QWidget, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, held)


# ------------------------------------------------------------ fields
def test_every_field_changes_its_setting_at_once(dialog: PreferencesDialog) -> None:
    told = edited(dialog)
    look, writing, drafting = dialog.appearance, dialog.writing, dialog.drafting
    look.cards.cards[ThemeChoice.SEPIA].click()
    look.size_field.setValue(24)
    look.line_height.setValue(1.8)
    look.width_field.setValue(60)
    choose(look.motion, "Reduced: steady caret, no effects")
    for box in (writing.smart_typing, writing.typewriter, writing.spelling):
        box.click()
    writing.spelling.click()
    choose(writing.dictionary, "Deutsch")
    drafting.preflight_words.setValue(8000)
    drafting.at_headings.click()
    drafting.chapter_words.setValue(3000)
    choose(drafting.loop_guard, "Continue and notify me")
    choose(drafting.reading, "Reread it")
    drafting.notify.click()
    drafting.keep_awake.click()
    choose(dialog.language.language, "Deutsch")
    dialog.advanced.research_view.click()
    assert told[-1] == Settings(
        theme=ThemeChoice.SEPIA, text_px=24, line_height=1.8, text_width=60, motion=MotionPreference.REDUCED,
        smart_typing=False, typewriter=True, spelling_language="de_DE", preflight_words=8000,
        chapter_at_headings=False,
        chapter_words=3000, loop_guard=LoopChoice.TELL, reading_choice=ReadingChoice.AGAIN, notify=False,
        keep_awake=False, language="de", research_view=True,
    )  # fmt: skip
    changes = [
        sum(getattr(one, f.name) != getattr(other, f.name) for f in fields(Settings))
        for one, other in zip([Settings(), *told], told, strict=False)
    ]
    assert set(changes) == {1}  # each was told of alone, at once


def test_a_family_can_be_chosen_and_seen(dialog: PreferencesDialog, book: ShortcutBook) -> None:
    told = edited(dialog)
    box = dialog.appearance.font_choice
    assert box.currentText() == "Literata (default)"
    before = dialog.appearance.sample.grab().toImage()
    choose(box, next(box.itemText(i) for i in range(box.count()) if box.itemText(i).startswith("Inter")))
    assert told[-1].font_family.startswith("Inter")
    assert dialog.appearance.sample.grab().toImage() != before


@pytest.mark.parametrize("change", [{"text_px": 30}, {"line_height": 2.2}, {"text_width": 50}])
def test_the_sample_follows(dialog: PreferencesDialog, change: dict[str, Any]) -> None:
    sample = dialog.appearance.sample
    before = sample.grab().toImage()
    dialog.show_settings(replace(Settings(), **change))
    assert sample.grab().toImage() != before


def test_what_somebody_else_changed_is_shown_and_not_told_of(dialog: PreferencesDialog) -> None:
    told = edited(dialog)
    dialog.show_settings(Settings(text_px=31, theme=ThemeChoice.DARK, chapter_words=1500, language="de"))
    assert told == []
    assert dialog.appearance.size_field.value() == 31
    assert dialog.appearance.cards.cards[ThemeChoice.DARK].isChecked()
    assert dialog.drafting.chapter_words.value() == 1500
    assert dialog.language.language.currentText() == "Deutsch"
    dialog.writing.typewriter.click()
    assert told[-1].text_px == 31  # and what is changed next keeps it


def test_a_value_of_another_version_stays_until_it_is_changed(dialog: PreferencesDialog) -> None:
    told = edited(dialog)
    dialog.show_settings(Settings(font_family="Gone With the Disk", spelling_language="tlh"))
    assert dialog.appearance.font_choice.currentText() == "Gone With the Disk"
    assert dialog.writing.dictionary.currentText() == "tlh"
    assert told == []


def test_no_limit_of_words_is_said_in_words(dialog: PreferencesDialog) -> None:
    assert dialog.drafting.chapter_words.text() == "Off"
    assert dialog.drafting.preflight_words.text() == "for 5,000 words or more"
    dialog.drafting.preflight_words.setValue(0)
    assert dialog.drafting.preflight_words.text() == "Never"


def test_half_a_number_is_none(dialog: PreferencesDialog) -> None:
    told, field = edited(dialog), dialog.appearance.size_field
    field.selectAll()
    QTest.keyClicks(field, "28")
    assert told == []
    press(field, Qt.Key.Key_Return)
    assert [settings.text_px for settings in told] == [28]


@pytest.mark.parametrize("name", ["font_choice", "size_field", "line_height"])
def test_scrolling_over_a_field_changes_nothing(dialog: PreferencesDialog, name: str) -> None:
    told, field = edited(dialog), getattr(dialog.appearance, name)
    dialog.page_list.setFocus()
    middle = QPointF(field.rect().center())
    QApplication.sendEvent(
        field,
        QWheelEvent(
            middle, field.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        ),
    )  # fmt: skip
    assert told == []


def test_the_language_of_the_text_matters_only_where_it_is_checked(dialog: PreferencesDialog) -> None:
    assert dialog.writing.dictionary.isEnabled()
    dialog.writing.spelling.click()
    assert not dialog.writing.dictionary.isEnabled()


def test_the_cache_is_counted_and_cleared(dialog: PreferencesDialog, qtbot: Any) -> None:
    page = dialog.advanced
    assert not page.clear_button.isEnabled()
    page.show_cache(3_000_000, "/somewhere/quire")
    assert "3" in page.size_label.text()
    assert page.folder_label.text() == "/somewhere/quire"
    with qtbot.waitSignal(page.clear_asked):
        page.clear_button.click()
    assert not page.clear_button.isEnabled()


# ------------------------------------------------------------ the dialog
def test_the_fields_of_all_sections_are_in_one_column(dialog: PreferencesDialog, qtbot: Any) -> None:
    drafting, appearance = dialog.drafting, dialog.appearance
    columns = {
        2: (drafting.preflight_words, drafting.chapter_words, drafting.loop_guard, drafting.memory),
        0: (appearance.interface_size, appearance.font_choice, appearance.motion),
    }
    for row, fields_of_page in columns.items():
        dialog.show_page(row)
        qtbot.waitUntil(lambda fields=fields_of_page: len({field.x() for field in fields}) == 1)
        assert all(field.isVisible() for field in fields_of_page)


def test_it_fits_a_small_screen(dialog: PreferencesDialog) -> None:
    assert dialog.width() <= SMALLEST[0]
    assert dialog.height() <= SMALLEST[1]
    for row in range(dialog.page_list.count()):
        dialog.show_page(row)
        for area in dialog.findChildren(QScrollArea):
            page = area.widget()
            if area.isVisible() and page is not None:
                assert page.minimumSizeHint().width() <= area.viewport().width(), row


def test_the_keyboard_reaches_everything(dialog: PreferencesDialog) -> None:
    for row in range(dialog.page_list.count()):
        dialog.page_list.setFocus()
        dialog.page_list.setCurrentRow(row)
        reached: list[QWidget] = []
        focused: QWidget | None = dialog.page_list
        while focused is not None and focused not in reached:
            reached.append(focused)
            press(focused, Qt.Key.Key_Tab)
            focused = dialog.focusWidget()
        missing = [
            one
            for one in dialog.findChildren(QWidget)
            if one.isVisibleTo(dialog) and one.isEnabled() and is_field(one) and one not in reached
        ]
        assert missing == [], row


def is_field(widget: QWidget) -> bool:
    kinds = (QComboBox, QSpinBox, QTreeWidget, QKeySequenceEdit, QListWidget)
    button = isinstance(widget, QAbstractButton) and widget.focusPolicy() is not Qt.FocusPolicy.NoFocus
    if isinstance(widget, QAbstractButton) and widget.group() is not None:
        return button and widget.isChecked()  # the arrows go on from there
    return button or isinstance(widget, kinds)


def test_the_arrows_go_through_the_themes(dialog: PreferencesDialog) -> None:
    told, cards = edited(dialog), dialog.appearance.cards.cards
    cards[ThemeChoice.SYSTEM].setFocus()
    press(cards[ThemeChoice.SYSTEM], Qt.Key.Key_Right)
    assert told[-1].theme is ThemeChoice.LIGHT
    assert cards[ThemeChoice.LIGHT].hasFocus()


def test_escape_closes_it(dialog: PreferencesDialog, qtbot: Any) -> None:
    with qtbot.waitSignal(dialog.finished):
        press(dialog.page_list, Qt.Key.Key_Escape)


@pytest.mark.parametrize("theme", TOKENS_OF)
def test_everything_has_a_name_in_every_theme(
    dialog: PreferencesDialog, themes: ThemeSwitch, theme: ThemeChoice
) -> None:
    themes.choose(theme)
    for row in range(dialog.page_list.count()):
        dialog.show_page(row)
        assert not dialog.grab().isNull()
    kinds = (QComboBox, QSpinBox, QTreeWidget, QKeySequenceEdit, QListWidget, QLineEdit)
    inner = (QComboBox, QSpinBox, QDoubleSpinBox, QKeySequenceEdit)  # whose own fields Qt names
    fields = [one for one in dialog.findChildren(QWidget) if isinstance(one, kinds)]
    assert [one for one in fields if not one.accessibleName() and not isinstance(one.parent(), inner)] == []


# ------------------------------------------------------------ shortcuts
def test_a_free_key_is_taken_at_once(
    dialog: PreferencesDialog, book: ShortcutBook, actions: list[QAction]
) -> None:
    told, page = edited(dialog), dialog.shortcuts
    dialog.show_page(3)
    page.choose("window.cut")
    page.key_field.setFocus()
    press(page.key_field, Qt.Key.Key_F9)
    page.key_field.editingFinished.emit()
    assert keys_of(actions[2]) == ("F9",)
    assert told[-1].shortcuts == {"window.cut": ("F9",)}
    assert page.chosen == "window.cut"


def test_a_key_that_belongs_to_another_is_told_of_before_it_is_taken(
    dialog: PreferencesDialog, actions: list[QAction]
) -> None:
    told, page = edited(dialog), dialog.shortcuts
    dialog.show_page(3)
    page.choose("window.cut")
    press(page.key_field, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    assert "“Retry”" in page.sentence.text()
    assert told == []
    page.anyway_button.click()
    assert (keys_of(actions[1]), keys_of(actions[2])) == ((), ("Alt+R",))
    assert told[-1].shortcuts == {"window.retry": (), "window.cut": ("Alt+R",)}
    assert not page.anyway_button.isVisibleTo(page)


@pytest.mark.parametrize(
    ("key", "held", "word"),
    [
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "typing"),
        (Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier, "menu"),
    ],
)
def test_a_key_that_no_action_may_have_is_refused_in_a_sentence(
    dialog: PreferencesDialog, key: Qt.Key, held: Qt.KeyboardModifier, word: str
) -> None:
    told, page = edited(dialog), dialog.shortcuts
    page.choose("window.cut")
    press(page.key_field, key, held)
    assert word in page.sentence.text()
    assert told == []
    assert not page.anyway_button.isVisibleTo(page)


def test_keys_can_be_taken_away_and_given_back(dialog: PreferencesDialog, actions: list[QAction]) -> None:
    page = dialog.shortcuts
    page.choose("window.retry")
    assert not page.reset_button.isEnabled()
    page.remove_button.click()
    assert keys_of(actions[1]) == ()
    assert not page.remove_button.isEnabled()
    page.reset_button.click()
    assert keys_of(actions[1]) == ("Alt+R",)
    page.remove_button.click()
    page.reset_all_button.click()
    assert keys_of(actions[1]) == ("Alt+R",)
    assert not page.reset_all_button.isEnabled()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", ["Continue", "Retry", "Cut"]),
        ("draft", ["Continue", "Retry"]),
        ("alt", ["Retry"]),
        ("cut", ["Cut"]),
        ("zebra", []),
    ],
)
def test_the_list_can_be_searched(dialog: PreferencesDialog, wanted: str, found: list[str]) -> None:
    page = dialog.shortcuts
    page.search.setText(wanted)
    every = page.list.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
    shown = [item.text(0) for item in every if not item.isHidden() and item.parent() is not None]
    assert shown == found
    assert (page.chosen is None) == (not found)
    assert page.key_field.isEnabled() == bool(found)


def test_tab_leaves_the_field_for_keys(dialog: PreferencesDialog) -> None:
    dialog.show_page(3)
    page = dialog.shortcuts
    page.key_field.setFocus()
    press(page.key_field, Qt.Key.Key_Tab)
    assert not page.key_field.hasFocus()
    assert page.key_field.keySequence().isEmpty()

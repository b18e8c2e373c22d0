from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.manuscript.find_replace import Change
from quire.domain.manuscript.manuscript import digest_of
from quire.editor import search_matches
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.search_matches import EDGE_PX, MAX_MARKS
from quire.search.find_bar import FindBar
from quire.shell.main_window import MainWindow
from quire.theme.colour_tokens import DARK, LIGHT, Tokens, contrast
from quire.theme.search_colours import found_colour
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

TEXT = "Mara came 😀 late.\n“Mara’s here,” said mara.\nThe end of Tamara’s day."


class Desk(QWidget):
    """An editor with its bar."""

    def __init__(self, themes: ThemeSwitch) -> None:
        super().__init__()
        self.editor = ManuscriptEditor(self)
        self.bar = FindBar(self.editor, themes, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.bar)
        layout.addWidget(self.editor, 1)
        self.resize(790, 600)


@pytest.fixture
def desk(qtbot: Any, themes: ThemeSwitch) -> Desk:
    desk = Desk(themes)
    qtbot.addWidget(desk)
    desk.show()
    desk.activateWindow()
    desk.editor.show_text(TEXT)
    desk.editor.moveCursor(QTextCursor.MoveOperation.Start)
    desk.editor.setFocus()
    return desk


def look_for(qtbot: Any, desk: Desk, text: str) -> None:
    """Open the bar and type."""
    desk.bar.open_to_find()
    desk.bar.query_field.field.clear()
    qtbot.keyClicks(desk.bar.query_field.field, text)


def replace_with(qtbot: Any, desk: Desk, text: str) -> None:
    desk.bar.open_to_replace()
    desk.bar.replacement_field.clear()
    qtbot.keyClicks(desk.bar.replacement_field, text)


def click(qtbot: Any, button: QWidget) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def selected(desk: Desk) -> str:
    return desk.editor.textCursor().selectedText()


def marks(desk: Desk) -> list[str]:
    return [mark.cursor.selectedText() for mark in desk.editor.extraSelections()]


def test_typing_finds_and_counts(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    assert (desk.bar.count_label.text(), selected(desk)) == ("1 of 4", "Mara")
    assert marks(desk) == ["Mara", "Mara", "mara", "mara"]
    qtbot.keyClicks(desk.bar.query_field.field, "'s")
    assert (desk.bar.count_label.text(), selected(desk)) == ("1 of 2", "Mara’s")
    qtbot.keyClicks(desk.bar.query_field.field, "x")
    assert (desk.bar.count_label.text(), selected(desk), marks(desk)) == ("Nothing found", "", [])
    assert desk.editor.textCursor().position() == 0
    assert not desk.bar.next_button.isEnabled()


def test_the_options_narrow_it_down(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara's")
    assert desk.bar.places.num_matches == 2
    click(qtbot, desk.bar.query_field.words_button)
    assert desk.bar.places.num_matches == 1
    click(qtbot, desk.bar.query_field.case_button)
    assert desk.bar.count_label.text() == "Nothing found"
    click(qtbot, desk.bar.query_field.case_button)
    click(qtbot, desk.bar.query_field.regex_button)
    desk.bar.query_field.field.setText("(")
    qtbot.keyClicks(desk.bar.query_field.field, "m")
    assert "not a valid regular expression" in desk.bar.problem_label.text()
    assert desk.bar.problem_label.isVisible()
    assert desk.bar.count_label.text() == ""
    qtbot.keyClicks(desk.bar.query_field.field, "|n)")
    assert not desk.bar.problem_label.isVisible()


def test_next_and_previous_go_round(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    field = desk.bar.query_field.field
    seen = []
    for _ in range(4):
        qtbot.keyClick(field, Qt.Key.Key_Return)
        seen.append(desk.bar.count_label.text())
    assert seen == ["2 of 4", "3 of 4", "4 of 4", "1 of 4"]
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert desk.bar.count_label.text() == "4 of 4"
    click(qtbot, desk.bar.previous_button)
    click(qtbot, desk.bar.previous_button)
    assert desk.bar.count_label.text() == "2 of 4"
    click(qtbot, desk.bar.next_button)
    assert (desk.bar.count_label.text(), selected(desk)) == ("3 of 4", "mara")


def test_it_begins_where_the_caret_stands_with_what_is_selected(desk: Desk, qtbot: Any) -> None:
    cursor = desk.editor.document().find("said")
    desk.editor.setTextCursor(cursor)
    desk.bar.open_to_find()
    assert desk.bar.query_field.field.text() == "said"
    qtbot.keyClicks(desk.bar.query_field.field, "mara")  # what stood there is selected, and gives way
    assert desk.bar.count_label.text() == "3 of 4"
    desk.bar.close_bar()
    desk.editor.selectAll()
    desk.bar.open_to_find()
    assert desk.bar.query_field.field.text() == "mara"  # paragraphs are not looked for


def test_a_selection_does_not_take_the_place_of_a_pattern(desk: Desk, qtbot: Any) -> None:
    click(qtbot, desk.bar.query_field.regex_button)
    look_for(qtbot, desk, "M.ra")
    assert selected(desk) == "Mara"
    desk.bar.open_to_replace()
    assert desk.bar.query_field.field.text() == "M.ra"


def test_escape_closes_it_and_gives_the_focus_back(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    assert desk.bar.query_field.field.hasFocus()
    qtbot.keyClick(desk.bar.query_field.field, Qt.Key.Key_Escape)
    assert not desk.bar.isVisible()
    assert desk.editor.hasFocus()
    assert (marks(desk), selected(desk)) == ([], "Mara")
    desk.bar.open_to_find()
    assert len(marks(desk)) == 4
    desk.editor.setFocus()
    qtbot.keyClick(desk.editor, Qt.Key.Key_Escape)
    assert not desk.bar.isVisible()
    desk.bar.open_to_find()
    click(qtbot, desk.bar.close_button)
    assert not desk.bar.isVisible()


def test_replacing_one_goes_on_to_the_next_and_can_be_undone(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    replace_with(qtbot, desk, "Ida Mara")
    click(qtbot, desk.bar.replace_button)
    assert desk.editor.text().startswith("Ida Mara came 😀 late.\n“Mara’s")
    assert desk.bar.count_label.text() == "2 of 4"
    qtbot.keyClick(desk.bar.replacement_field, Qt.Key.Key_Return)
    assert desk.editor.text().startswith("Ida Mara came 😀 late.\n“Ida Mara’s here")
    desk.editor.undo()
    desk.editor.undo()
    assert desk.editor.text() == TEXT


def test_replacing_what_is_not_selected_only_goes_there(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "late")
    replace_with(qtbot, desk, "early")
    desk.editor.moveCursor(QTextCursor.MoveOperation.End)
    click(qtbot, desk.bar.replace_button)
    assert (desk.editor.text(), selected(desk)) == (TEXT, "late")
    click(qtbot, desk.bar.replace_button)
    assert "early" in desk.editor.text()


def test_replacing_all_is_one_step_and_tells_every_change(desk: Desk, qtbot: Any) -> None:
    desk.editor.show_text(TEXT)
    look_for(qtbot, desk, "mara")
    replace_with(qtbot, desk, "Ida")
    with qtbot.waitSignal(desk.bar.replaced) as told:
        click(qtbot, desk.bar.replace_all_button)
    assert desk.editor.text() == "Ida came 😀 late.\n“Ida’s here,” said Ida.\nThe end of TaIda’s day."
    digest, changes = told.args
    assert digest == digest_of(TEXT)
    assert changes[:2] == (Change(0, 4, "Ida"), Change(19, 23, "Ida"))
    assert desk.bar.count_label.text() == "4 replaced"
    desk.editor.undo()
    assert desk.editor.text() == TEXT
    desk.editor.redo()
    assert "Mara" not in desk.editor.text()


def test_the_caret_stays_at_its_words_when_all_is_replaced(desk: Desk, qtbot: Any) -> None:
    text = "Mara came late.\nThe end, said Mara."
    desk.editor.show_text(text)
    look_for(qtbot, desk, "mara")
    replace_with(qtbot, desk, "Ida")
    cursor = desk.editor.textCursor()
    cursor.setPosition(text.index("end"))
    desk.editor.setTextCursor(cursor)
    click(qtbot, desk.bar.replace_all_button)
    assert desk.editor.text() == "Ida came late.\nThe end, said Ida."
    assert desk.editor.textCursor().position() == desk.editor.text().index("end")


def test_what_was_typed_is_part_of_the_text_in_which_all_is_replaced(desk: Desk, qtbot: Any) -> None:
    changed: list[str] = []
    desk.editor.edited.connect(lambda: changed.append(desk.editor.text()))
    qtbot.keyClicks(desk.editor, "So ")
    assert changed[-1] == "So " + TEXT
    look_for(qtbot, desk, "mara")
    replace_with(qtbot, desk, "Ida")
    with qtbot.waitSignal(desk.bar.replaced) as told:
        click(qtbot, desk.bar.replace_all_button)
    assert told.args[0] == digest_of("So " + TEXT)
    assert changed[-1] == desk.editor.text()


def test_groups_come_back_and_a_wrong_one_is_a_sentence(desk: Desk, qtbot: Any) -> None:
    click(qtbot, desk.bar.query_field.regex_button)
    look_for(qtbot, desk, r"(\w+) came")
    replace_with(qtbot, desk, r"\2")
    for button in (desk.bar.replace_button, desk.bar.replace_all_button):
        click(qtbot, button)
        assert desk.editor.text() == TEXT
        assert "no such group" in desk.bar.problem_label.text()
    replace_with(qtbot, desk, r"came \1")
    click(qtbot, desk.bar.replace_all_button)
    assert desk.editor.text().startswith("came Mara 😀")


def test_locked_text_is_not_touched(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    replace_with(qtbot, desk, "Ida")
    desk.editor.begin_drafting()
    for button in (desk.bar.replace_button, desk.bar.replace_all_button):
        assert not button.isEnabled()
        assert "Pause the draft" in button.toolTip()
    desk.bar.replace_one()
    desk.bar.replace_all()
    assert desk.editor.text() == TEXT
    click(qtbot, desk.bar.next_button)  # finding goes on
    assert selected(desk) == "Mara"
    desk.editor.end_drafting()
    assert desk.bar.replace_all_button.isEnabled()
    assert desk.bar.replace_all_button.toolTip() == ""


def test_it_keeps_up_with_what_is_drafted_and_typed(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    chosen = selected(desk)
    desk.editor.begin_drafting()
    with qtbot.waitSignal(desk.bar.places.changed):
        desk.editor.append_drafted(" And Mara slept.")
    assert desk.bar.places.num_matches == 5
    assert (selected(desk), desk.bar.count_label.text()) == (chosen, "1 of 5")
    desk.editor.end_drafting()
    desk.editor.moveCursor(QTextCursor.MoveOperation.Start)
    with qtbot.waitSignal(desk.bar.places.changed):
        qtbot.keyClicks(desk.editor, "Mara! ")
    qtbot.waitUntil(lambda: desk.bar.places.num_matches == 6)
    assert desk.bar.count_label.text() == "6 matches"


def test_next_looks_at_the_text_as_it_is(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "late")
    cursor = QTextCursor(desk.editor.document())
    cursor.insertText("Much too late 😀. ")
    click(qtbot, desk.bar.next_button)  # before the text has come to rest
    assert (selected(desk), desk.bar.places.num_matches) == ("late", 2)


def test_another_text_is_looked_through_at_once(desk: Desk, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    with qtbot.waitSignal(desk.bar.places.changed):
        desk.editor.show_text("No name here.")
    assert desk.bar.count_label.text() == "Nothing found"
    assert marks(desk) == []


def test_only_what_is_seen_is_marked(desk: Desk, qtbot: Any) -> None:
    lines = [f"Line {number} has a ferry in it." for number in range(2000)]
    desk.editor.show_text("\n".join(lines))
    desk.editor.moveCursor(QTextCursor.MoveOperation.Start)
    look_for(qtbot, desk, "ferry")
    assert desk.bar.count_label.text() == "1 of 2,000"
    at_the_top = [mark.cursor.blockNumber() for mark in desk.editor.extraSelections()]
    assert at_the_top[0] == 0
    assert 5 < len(at_the_top) < 60
    bar = desk.editor.verticalScrollBar()
    bar.setValue(bar.maximum())
    at_the_end = [mark.cursor.blockNumber() for mark in desk.editor.extraSelections()]
    assert at_the_end[-1] == 1999
    assert at_the_end[0] > 1900
    seen = desk.editor.cursorForPosition(QPoint(60, 2)).blockNumber()
    assert at_the_end[0] in (seen, seen + 1)


def test_a_match_is_shown_with_what_stands_around_it(desk: Desk, qtbot: Any) -> None:
    desk.editor.show_text("\n".join(f"Line {number}" for number in range(400)))
    desk.editor.moveCursor(QTextCursor.MoveOperation.Start)
    height = desk.editor.viewport().height()
    for wanted in ("Line 200", "Line 185", "Line 215", "Line 1"):
        look_for(qtbot, desk, wanted)
        caret = desk.editor.cursorRect()
        assert selected(desk) == wanted
        assert EDGE_PX <= caret.top() < caret.bottom() <= height - EDGE_PX


def test_a_page_full_of_matches_has_no_more_marks_than_can_be_drawn(
    desk: Desk, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_matches, "LIMIT_S", 60.0)  # a slow machine needs more than usual
    desk.editor.show_text("e" * 50_000)
    desk.editor.moveCursor(QTextCursor.MoveOperation.Start)
    look_for(qtbot, desk, "e")
    assert len(marks(desk)) == MAX_MARKS
    assert desk.bar.count_label.text() == "1 of 50,000"


def test_a_pattern_that_never_ends_is_a_sentence_and_not_tried_again(desk: Desk, qtbot: Any) -> None:
    desk.editor.show_text("a" * 90 + "b")
    click(qtbot, desk.bar.query_field.regex_button)
    desk.bar.open_to_find()
    desk.bar.query_field.field.setText("(a|aa)+")
    qtbot.keyClicks(desk.bar.query_field.field, "$")
    assert "takes too long" in desk.bar.problem_label.text()
    desk.editor.begin_drafting()
    with qtbot.assertNotEmitted(desk.bar.places.changed, wait=100):
        desk.editor.append_drafted("a")
    desk.editor.end_drafting()


def test_marks_of_others_stay_while_the_bar_is_closed(desk: Desk, themes: ThemeSwitch) -> None:
    mark = desk.editor.extraSelections()
    assert mark == []
    other = desk.editor.ExtraSelection()
    other.cursor = desk.editor.document().find("came")
    desk.editor.setExtraSelections([other])
    themes.choose(ThemeChoice.DARK)
    desk.editor.verticalScrollBar().valueChanged.emit(0)
    assert marks(desk) == ["came"]


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_marked_text_can_be_read(tokens: Tokens) -> None:
    for ground in (tokens.paper, tokens.desk):
        marked = found_colour(tokens, ground)
        assert contrast(tokens.ink, marked.name()) >= 4.5
        assert contrast(ground, marked.name()) >= 1.2


def test_the_marks_follow_the_theme(desk: Desk, themes: ThemeSwitch, qtbot: Any) -> None:
    look_for(qtbot, desk, "mara")
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        themes.choose(choice)
        colour = found_colour(themes.tokens, themes.tokens.paper)
        assert {mark.format.background().color().name() for mark in desk.editor.extraSelections()} == {
            QColor(colour).name()
        }


def test_everything_has_a_name_and_can_be_reached_by_keyboard(desk: Desk) -> None:
    desk.bar.open_to_replace()
    bar = desk.bar
    parts: list[QWidget] = [bar.query_field.field, bar.query_field.case_button, bar.query_field.words_button]
    parts += [bar.query_field.regex_button, bar.previous_button, bar.next_button, bar.replacement_field]
    parts += [bar.close_button]
    for part in parts:
        assert part.accessibleName()
        assert part.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_escape_in_the_window_closes_the_bar_and_pauses_only_then(
    window: MainWindow, themes: ThemeSwitch, qtbot: Any
) -> None:
    bar = FindBar(window.editor, themes, window.page)
    layout = window.page.layout()
    assert isinstance(layout, QVBoxLayout)
    layout.insertWidget(0, bar)
    paused = window.commands.pause.triggered
    window.editor.begin_drafting()
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    assert window.commands.pause.isEnabled()
    window.activateWindow()
    for focused in (bar.query_field.field, window.editor):
        bar.open_to_find()
        focused.setFocus()
        with qtbot.assertNotEmitted(paused):
            qtbot.keyClick(focused, Qt.Key.Key_Escape)
        assert not bar.isVisible()
    with qtbot.waitSignal(paused):
        qtbot.keyClick(window.editor, Qt.Key.Key_Escape)
    window.editor.end_drafting()

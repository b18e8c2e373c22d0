"""The right dock: what the writer tells the model, and how much room it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from quire.domain.drafting.context_usage import ContextUsage, space_of
from quire.domain.drafting.prompt_composition import compose
from quire.domain.drafting.steering import (
    AuthorsNote,
    Inclusion,
    LoreEntry,
    Memory,
    NewCard,
    Start,
    Steering,
)
from quire.domain.manuscript.tree import NodeKind
from quire.shell.right_panel import ROOMY_PX, RightPanel
from quire.steering.card_dialog import CardDialog
from quire.steering.memory_history_dialog import MemoryVersionsDialog
from quire.steering.notes_panel import NoteLine, NotesPanel
from quire.steering.steering_panel import NoteName, SteerPanel
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STEERING = Steering(
    memory=Memory("October 1871.", NOON, True).edited("Mara keeps the ferry.", NOON),
    direction=AuthorsNote("Keep the storm outside"),
    lorebook=(
        LoreEntry(1, "Mara", "A ferrywoman.", pinned=True),
        LoreEntry(2, "The bell", "It rings.", ("bell",)),
        LoreEntry(3, "Orrin", "Sixty.", on=False),
    ),
    opening="It had rained.",
).with_beat_lines(1, ["She waits", "He comes"])


@pytest.fixture
def panel(themes: ThemeSwitch, qtbot: Any) -> SteerPanel:
    panel = SteerPanel(themes)
    qtbot.addWidget(panel)
    panel.resize(260, 760)
    panel.show()
    panel.show_steering(STEERING, (NoteName(9, "The river"),), may_edit=True)
    panel.show_chapter("The Ferry", STEERING.beats_of(1), may_edit=True)
    return panel


def rows(panel: SteerPanel) -> list[str]:
    return [panel.lore_list.list.item(row).text() for row in range(panel.lore_list.list.count())]


def test_what_is_kept_is_shown_with_its_size(panel: SteerPanel) -> None:
    assert panel.memory_edit.toPlainText() == "Mara keeps the ferry."
    assert panel.memory.figure.text() == "4 words"
    assert panel.direction_edit.toPlainText() == "Keep the storm outside"
    assert rows(panel) == [
        "Mara (pinned)  \u00b7  2 words",
        "The bell  \u00b7  2 words",
        "Orrin  \u00b7  1 word",
    ]
    assert panel.lorebook.figure.text() == "3 entries"
    checked = [panel.lore_list.list.item(row).checkState() for row in range(3)]
    assert checked == [Qt.CheckState.Checked, Qt.CheckState.Checked, Qt.CheckState.Unchecked]
    assert panel.beats_edit.toPlainText() == "She waits\nHe comes"


def test_a_beat_that_is_added_or_chosen_scrolls_into_view(panel: SteerPanel, qtbot: Any) -> None:
    def shows_caret() -> bool:
        edit = panel.beats_edit
        caret = edit.viewport().mapTo(panel, edit.cursorRect().center()).y()
        return 0 < caret < panel.view_button.y() and edit.hasFocus()

    panel.resize(260, 420)
    panel.activateWindow()
    panel.go_to(panel.beats)
    qtbot.waitUntil(shows_caret)
    for number in range(12):
        qtbot.keyClicks(panel.beats_edit, f"Beat {number}")
        qtbot.keyClick(panel.beats_edit, Qt.Key.Key_Return)
        qtbot.waitUntil(shows_caret)
    panel.memory_edit.setFocus()
    panel.go_to(panel.memory)
    panel.beats_edit.setFocus()
    panel.beats_edit.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.waitUntil(shows_caret)


def test_words_to_avoid_are_told_as_typed_and_what_cannot_be_used_is_said(
    panel: SteerPanel, qtbot: Any
) -> None:
    with qtbot.waitSignal(panel.avoided_edited) as told:
        panel.avoided_edit.setPlainText("a testament to\n\n")
    assert told.args == ["a testament to\n\n"]
    panel.show_steering(replace(STEERING, avoided=told.args[0]), (), may_edit=True)
    assert panel.avoided_edit.toPlainText() == "a testament to\n\n"  # nothing moves while it is typed
    assert panel.avoided.figure.text() == "1"
    assert panel.avoided_hint.text().startswith("The model avoids these")
    assert "can still occur" in panel.avoided_hint.text()
    panel.show_steering(replace(STEERING, avoided="suddenly\n" + "x" * 101), (), may_edit=False)
    assert panel.avoided.figure.text() == "1"
    with qtbot.waitSignal(panel.avoided_edited) as told:
        panel.avoid("out of the blue")
    assert told.args[0] == f"suddenly\n{'x' * 101}\nout of the blue"
    with qtbot.assertNotEmitted(panel.avoided_edited):
        panel.avoid("suddenly")
        panel.avoid("Suddenly")
    assert panel.avoided_hint.text().startswith("Ignored lines: 1. The limit is 200 lines of 100")
    assert panel.avoided_edit.isReadOnly()


def test_a_phrase_to_avoid_leaves_what_is_there_as_it_was_typed(panel: SteerPanel) -> None:
    panel.avoided_edit.setPlainText("  a testament to \n\nsuddenly")
    panel.avoid("out of the blue")
    assert panel.avoided_edit.toPlainText() == "  a testament to \n\nsuddenly\nout of the blue"
    panel.avoided_edit.undo()
    assert panel.avoided_edit.toPlainText() == "  a testament to \n\nsuddenly"
    panel.avoided_edit.setPlainText("suddenly\n")
    panel.avoid("at once")
    assert panel.avoided_edit.toPlainText() == "suddenly\nat once"


def test_showing_what_is_stored_asks_for_nothing(panel: SteerPanel, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(panel.memory_edited), qtbot.assertNotEmitted(panel.beats_edited):
        panel.show_steering(Steering(memory=Memory("Other")), (), may_edit=True)
        panel.show_chapter("Letters", (), may_edit=True)
    assert panel.memory_edit.toPlainText() == "Other"
    assert panel.beats_edit.toPlainText() == ""


@pytest.mark.parametrize("name", ["memory", "direction", "opening"])
def test_every_key_is_told_at_once(panel: SteerPanel, qtbot: Any, name: str) -> None:
    edit: QPlainTextEdit = getattr(panel, f"{name}_edit")
    edit.selectAll()
    with qtbot.waitSignal(getattr(panel, f"{name}_edited")) as told:
        qtbot.keyClick(edit, "x")
    assert told.args == ["x"]


def test_the_cursor_stays_where_it_is_while_the_same_text_is_stored(panel: SteerPanel, qtbot: Any) -> None:
    cursor = panel.memory_edit.textCursor()
    cursor.setPosition(4)
    panel.memory_edit.setTextCursor(cursor)
    panel.show_steering(STEERING, (), may_edit=True)
    assert panel.memory_edit.textCursor().position() == 4


def test_beats_are_lines_and_what_was_told_is_marked(panel: SteerPanel, qtbot: Any) -> None:
    assert "Next: She waits" in panel.beats_hint.text()
    told = STEERING.begun(Start(7), 1, NOON)
    panel.show_chapter("The Ferry", told.beats_of(1), may_edit=True)
    assert panel.beats.figure.text() == "1 of 2 used"
    assert "Next: He comes" in panel.beats_hint.text()
    panel.beats_edit.moveCursor(panel.beats_edit.textCursor().MoveOperation.End)
    with qtbot.waitSignal(panel.beats_edited) as edited:
        panel.beats_edit.insertPlainText("\n  Fog ")
    assert edited.args == [["She waits", "He comes", "Fog"]]
    typed = panel.beats_edit.toPlainText()
    panel.show_chapter("The Ferry", told.with_beat_lines(1, edited.args[0]).beats_of(1), may_edit=True)
    assert panel.beats_edit.toPlainText() == typed  # a space that is being typed is not taken away


def test_an_entry_is_ticked_pinned_edited_and_removed(panel: SteerPanel, qtbot: Any) -> None:
    lore = panel.lore_list
    assert not lore.edit_button.isEnabled()
    lore.choose(2)
    with qtbot.waitSignal(panel.entry_changed) as pinned:
        qtbot.mouseClick(lore.pin_button, LEFT)
    assert pinned.args == [replace(STEERING.lorebook[1], pinned=True)]
    with qtbot.waitSignal(panel.entry_changed) as ticked:
        lore.list.item(2).setCheckState(Qt.CheckState.Checked)
    assert ticked.args == [replace(STEERING.lorebook[2], on=True)]
    with qtbot.waitSignal(panel.entry_asked) as asked:
        qtbot.mouseClick(lore.edit_button, LEFT)
    with qtbot.waitSignal(panel.entry_removed) as removed:
        qtbot.mouseClick(lore.remove_button, LEFT)
    assert (asked.args, removed.args) == ([2], [2])


def test_ticking_while_the_list_is_shown_again_keeps_the_rows(panel: SteerPanel) -> None:
    def store(entry: LoreEntry) -> None:
        panel.show_steering(STEERING.with_entry(entry), (), may_edit=True)

    panel.entry_changed.connect(store)
    item = panel.lore_list.list.item(0)
    item.setCheckState(Qt.CheckState.Unchecked)
    assert panel.lore_list.list.item(0) is item
    assert item.checkState() is Qt.CheckState.Unchecked


def test_notes_of_the_project_can_be_put_into_the_lorebook(panel: SteerPanel, qtbot: Any) -> None:
    menu = panel.entry_menu()
    texts = [action.text() for action in menu.actions()]
    assert texts == ["New Card…", "From Your Cards", "The river"]
    with qtbot.waitSignal(panel.note_wanted) as wanted:
        menu.actions()[-1].trigger()
    assert wanted.args == [9]
    with qtbot.waitSignal(panel.entry_asked) as asked:
        menu.actions()[0].trigger()
    assert asked.args == [0]
    menu.close()
    panel.show_steering(STEERING, (), may_edit=True)
    with qtbot.waitSignal(panel.entry_asked):
        qtbot.mouseClick(panel.add_button, LEFT)


def test_a_used_direction_is_listed_and_can_be_used_again(panel: SteerPanel, qtbot: Any) -> None:
    assert not panel.again_button.isVisible()
    used = STEERING.begun(Start(4), 2, NOON)
    panel.show_steering(used, (), may_edit=True)
    assert not panel.again_button.isVisible()
    panel.show_steering(replace(used, direction=replace(used.direction, text="")), (), may_edit=True)
    assert panel.used_hint.text() == "Last used: Keep the storm outside"
    with qtbot.waitSignal(panel.again_asked) as again:
        qtbot.mouseClick(panel.again_button, LEFT)
    assert again.args == ["Keep the storm outside"]


def test_a_depth_is_chosen_for_the_note_and_takes_no_more_room_than_there_is(
    panel: SteerPanel, qtbot: Any
) -> None:
    with qtbot.waitSignal(panel.depth_chosen) as chosen:
        qtbot.keyClick(panel.depth_box, Qt.Key.Key_Down)
    assert chosen.args == [1]
    assert panel.depth_box.currentText() == "1 paragraph from the end"
    assert panel.depth_box.geometry().right() <= panel.direction_edit.geometry().right()
    assert panel.direction.width() <= panel.width()


def test_nothing_can_be_changed_in_a_project_that_is_only_read(panel: SteerPanel) -> None:
    panel.show_steering(STEERING, (), may_edit=False)
    panel.show_chapter("The Ferry", (), may_edit=False)
    for edit in (panel.memory_edit, panel.direction_edit, panel.opening_edit, panel.beats_edit):
        assert edit.isReadOnly()
    panel.lore_list.choose(2)
    assert not panel.lore_list.remove_button.isEnabled()
    assert not panel.add_button.isEnabled()
    assert not panel.lore_list.list.item(0).flags() & Qt.ItemFlag.ItemIsUserCheckable


def use(context: int = 1_000) -> ContextUsage:
    story = "It rained all night. " * 20
    return space_of(compose(STEERING, story, 1), story, context)


def test_the_bar_says_what_takes_how_much(panel: SteerPanel) -> None:
    panel.show_space(use())
    said = panel.space_bar.summary
    assert said.startswith("Context used: about 1")
    for name in (
        "Memory",
        "Lorebook",
        "Opening",
        "Manuscript",
        "Beat",
        "Author's Note",
        "room to write",
    ):
        assert name in said
    assert panel.space_bar.total.text().endswith("of 750 words")
    assert panel.lorebook.figure.whole_text.endswith("in use")
    panel.show_space(None)
    assert "not known" in panel.space_bar.summary


def test_the_bar_is_drawn_in_every_theme(panel: SteerPanel, themes: ThemeSwitch) -> None:
    panel.show_space(use())
    colours = set()
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        themes.choose(choice)
        image = panel.space_bar.stripe.grab().toImage()
        colours.add(image.pixelColor(image.width() // 3, image.height() // 2).name())
    assert len(colours) == 2


def test_counted_tokens_are_no_estimates(panel: SteerPanel) -> None:
    panel.show_space(replace(use(), is_counted=True))
    assert "about" not in panel.space_bar.total.text()


def test_the_legend_gives_way_where_there_is_little_room(panel: SteerPanel) -> None:
    panel.show_space(use())
    tall = panel.space_bar.sizeHint().height()
    panel.resize(260, 400)
    assert panel.space_bar.sizeHint().height() < tall


def test_what_is_read_again_is_said(panel: SteerPanel) -> None:
    panel.show_cost("Changing Memory means reading everything again: about 25 s.")
    assert panel.cost.isVisible()
    panel.show_cost("")
    assert not panel.cost.isVisible()


def test_everything_that_can_be_used_has_a_name(panel: SteerPanel) -> None:
    unnamed = [
        widget
        for widget in panel.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and isinstance(widget, QPlainTextEdit | QLineEdit)
        and not widget.accessibleName()
    ]
    assert unnamed == []


def test_the_keyboard_goes_through_the_sections(panel: SteerPanel, qtbot: Any) -> None:
    panel.activateWindow()
    panel.go_to(panel.memory)
    assert panel.focusWidget() is panel.memory_edit
    qtbot.keyClick(panel.memory_edit, Qt.Key.Key_Tab)
    assert panel.focusWidget() is not panel.memory_edit
    assert panel.memory_edit.toPlainText() == "Mara keeps the ferry."
    assert not panel.opening_edit.isVisible()
    panel.go_to(panel.opening)
    assert panel.opening_edit.isVisible()
    assert panel.focusWidget() is panel.opening_edit
    panel.go_to(panel.lorebook)
    assert panel.focusWidget() is panel.lore_list.list
    panel.show_steering(Steering(), (), may_edit=True)
    panel.go_to(panel.lorebook)
    assert panel.focusWidget() is panel.add_button


def test_a_section_says_whether_it_is_folded(panel: SteerPanel, qtbot: Any) -> None:
    assert panel.memory.head.accessibleName() == "Memory, expanded"
    qtbot.mouseClick(panel.memory.head, LEFT)
    assert panel.memory.head.accessibleName() == "Memory, collapsed"
    assert not panel.memory_edit.isVisible()


def test_a_field_grows_with_its_text_up_to_a_bound(panel: SteerPanel) -> None:
    heights = []
    for lines in (1, 4, 8, 11, 60):
        panel.memory_edit.show_text("\n".join("line" for _ in range(lines)))
        heights.append(panel.memory_edit.height())
    assert heights[0] == heights[1] < heights[2] < heights[3] == heights[4]


# ------------------------------------------------------------ dialogs
def test_an_entry_is_edited_as_a_whole(themes: ThemeSwitch, qtbot: Any) -> None:
    dialog = CardDialog(LoreEntry(5), is_new=True)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.save_button.isEnabled()
    dialog.name_edit.setText("  The   bell ")
    dialog.kind_box.show_kind(NodeKind.PLACE)
    dialog.keys_edit.setText("bell, , ringing ,")
    dialog.text_edit.setPlainText(" It rings. ")
    dialog.inclusion_box.show_inclusion(Inclusion.ALWAYS)
    with qtbot.waitSignal(dialog.card_wanted) as wanted:
        qtbot.mouseClick(dialog.save_button, LEFT)
    entry = LoreEntry(5, "The bell", "It rings.", ("bell", "ringing"), pinned=True)
    assert wanted.args == [NewCard(NodeKind.PLACE, "The bell", "It rings."), entry]
    assert not dialog.isVisible()


def test_esc_throws_no_card_away(themes: ThemeSwitch, qtbot: Any) -> None:
    dialog = CardDialog(LoreEntry(5), is_new=True)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.text_edit.setPlainText("It rings.")
    qtbot.keyClick(dialog.text_edit, Qt.Key.Key_Escape)
    dialog.close()
    assert dialog.isVisible()
    assert dialog.hint.text() == "Press Save to keep this card, or Cancel to discard it."
    qtbot.mouseClick(dialog.cancel_button, LEFT)
    assert not dialog.isVisible()
    empty = CardDialog(LoreEntry(5), is_new=True)
    qtbot.addWidget(empty)
    empty.show()
    qtbot.keyClick(empty.text_edit, Qt.Key.Key_Escape)
    assert not empty.isVisible()


def test_the_text_of_a_note_is_not_edited_here(themes: ThemeSwitch, qtbot: Any) -> None:
    dialog = CardDialog(LoreEntry(5, "Mara", "A note.", node_id=9))
    qtbot.addWidget(dialog)
    assert dialog.name_edit.isReadOnly()
    assert dialog.text_edit.isReadOnly()
    dialog.keys_edit.setText("ferry")
    assert dialog.entry == LoreEntry(5, "Mara", "A note.", ("ferry",), node_id=9)


def test_to_open_a_card_tells_the_model_nothing_of_it(themes: ThemeSwitch, qtbot: Any) -> None:
    told = list[object]()
    for keys in ("", "ferry"):
        dialog = CardDialog(LoreEntry(5, "Mara", "A note.", node_id=9))
        qtbot.addWidget(dialog)
        dialog.entry_wanted.connect(told.append)
        dialog.keys_edit.setText(keys)
        with qtbot.waitSignal(dialog.open_asked):
            qtbot.mouseClick(dialog.open_button, LEFT)
    assert told == [LoreEntry(5, "Mara", "A note.", ("ferry",), node_id=9)]


def test_an_earlier_version_can_stand_again(themes: ThemeSwitch, qtbot: Any) -> None:
    dialog = MemoryVersionsDialog(STEERING.memory)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.text.toPlainText() == "October 1871."
    with qtbot.waitSignal(dialog.version_chosen) as chosen:
        qtbot.mouseClick(dialog.take_button, LEFT)
    assert chosen.args == ["October 1871."]
    empty = MemoryVersionsDialog(Memory())
    qtbot.addWidget(empty)
    assert not empty.take_button.isEnabled()


# ------------------------------------------------------------ the dock
@pytest.fixture
def dock(themes: ThemeSwitch, qtbot: Any) -> Iterator[RightPanel]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(ROOMY_PX, 700)
    dock = RightPanel(themes, window)
    dock.follow(window)
    dock.set_has_project(has_project=True)
    window.show()
    yield dock
    window.close()


def resized(dock: RightPanel, width: int) -> None:
    window = dock.parentWidget()
    assert window is not None
    old = window.size()
    window.resize(width, 700)
    QApplication.sendEvent(window, QResizeEvent(QSize(width, 700), old))


def test_the_dock_gives_way_in_a_narrow_window_and_comes_back(dock: RightPanel) -> None:
    assert dock.isVisible()
    resized(dock, 1024)
    assert not dock.isVisible()
    assert dock.is_wanted
    dock.set_wanted(wanted=True)  # asked for in the narrow window
    assert dock.isVisible()
    resized(dock, 1030)
    assert dock.isVisible()
    resized(dock, 1400)
    assert dock.isVisible()
    dock.set_wanted(wanted=False)
    resized(dock, 1024)
    resized(dock, 1400)
    assert not dock.isVisible()


def test_there_is_no_dock_without_a_project(dock: RightPanel, qtbot: Any) -> None:
    dock.set_has_project(has_project=False)
    assert not dock.isVisible()
    dock.set_wanted(wanted=True)
    assert not dock.isVisible()
    with qtbot.waitSignal(dock.wanted_changed) as changed:
        dock.set_wanted(wanted=False)
    assert changed.args == [False]


@pytest.fixture
def notes(dock: RightPanel) -> NotesPanel:
    notes = NotesPanel(dock)
    dock.add(notes, notes.title)
    return notes


def test_notes_are_read_beside_the_page(dock: RightPanel, notes: NotesPanel, qtbot: Any) -> None:
    dock.show_panel(notes)
    assert notes.hint.isVisible()
    lines = (
        NoteLine(9, "The river", "Place", "It runs thin."),
        NoteLine(10, "Mara", "Character", "Forty.", True),
    )
    notes.show_notes(lines, may_edit=True)
    assert notes.text.toPlainText() == "It runs thin."
    assert not notes.lorebook_box.isChecked()
    notes.list.setCurrentRow(1)
    assert notes.text.toPlainText() == "Forty."
    assert notes.lorebook_box.isChecked()
    with qtbot.waitSignal(notes.inclusion_asked) as told:
        qtbot.mouseClick(notes.lorebook_box, LEFT, pos=notes.lorebook_box.rect().center() / 4)
    with qtbot.waitSignal(notes.open_asked) as opened:
        qtbot.mouseClick(notes.open_button, LEFT)
    assert (told.args, opened.args) == ([10, False], [10])
    notes.show_notes(lines, may_edit=False)
    assert notes.list.currentRow() == 1
    assert not notes.lorebook_box.isEnabled()

"""The queue of drafts, as a dialog."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.domain.drafting.draft_queue import CUT_OFF, Queue, QueuedDraft, QueuedDraftState
from quire.domain.drafting.presets import LIVELY
from quire.drafting.queue_dialog import QueueDialog
from quire.theme.theme_switch import ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
TITLES = {1: "The Ferry", 2: "Letters"}
QUEUE = Queue(
    (
        QueuedDraft(1, 1, 2_000, state=QueuedDraftState.DONE),
        QueuedDraft(2, 1, 3_000, LIVELY, "Storm", QueuedDraftState.STOPPED, 7, CUT_OFF),
        QueuedDraft(3, 9, 20_000),
    )
)


@pytest.fixture
def dialog(themes: ThemeSwitch, qtbot: Any) -> QueueDialog:
    dialog = QueueDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_queue(QUEUE, TITLES, num_beats=2)
    return dialog


def test_wishes_are_listed_with_what_there_is_to_say(dialog: QueueDialog) -> None:
    lines = [dialog.list.item(row).text().split("\n") for row in range(3)]
    assert lines[0] == ["1.  The Ferry  \u00b7  2,000 words  \u00b7  Balanced  \u00b7  \u2713 finished"]
    assert lines[1][0].endswith("Lively  \u00b7  stopped")
    assert lines[1][1:] == ["Author's note: Storm", CUT_OFF]
    assert lines[2][0].startswith("3.  Deleted text")
    assert "Nothing runs until you start the queue" in dialog.hint.text()


def test_a_wish_is_moved_and_removed(dialog: QueueDialog, qtbot: Any) -> None:
    dialog.list.setCurrentRow(-1)
    for button in (dialog.up_button, dialog.down_button, dialog.remove_button):
        assert not button.isEnabled()
    dialog.list.setCurrentRow(1)
    with qtbot.waitSignal(dialog.moved) as up:
        qtbot.mouseClick(dialog.up_button, LEFT)
    with qtbot.waitSignal(dialog.moved) as down:
        qtbot.mouseClick(dialog.down_button, LEFT)
    with qtbot.waitSignal(dialog.removed) as removed:
        qtbot.mouseClick(dialog.remove_button, LEFT)
    assert (up.args, down.args, removed.args) == ([2, -1], [2, 1], [2])
    dialog.show_queue(QUEUE.moved(2, -1), TITLES)
    assert dialog.list.currentRow() == 0  # the wish that was chosen stays chosen
    assert not dialog.up_button.isEnabled()


def test_the_keyboard_moves_and_removes_too(dialog: QueueDialog, qtbot: Any) -> None:
    dialog.activateWindow()
    dialog.list.setFocus()
    dialog.list.setCurrentRow(2)
    with qtbot.waitSignal(dialog.moved) as moved:
        qtbot.keyClick(dialog.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    with qtbot.waitSignal(dialog.removed) as removed:
        qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert (moved.args, removed.args) == ([3, -1], [3])


def test_it_is_started_and_stopped_by_the_writer(dialog: QueueDialog, qtbot: Any) -> None:
    assert not dialog.stop_button.isVisible()
    with qtbot.waitSignal(dialog.start_asked):
        qtbot.mouseClick(dialog.start_button, LEFT)
    with qtbot.assertNotEmitted(dialog.stop_asked):
        dialog.show_queue(QUEUE, TITLES, is_working=True, said="Working.")
    assert not dialog.start_button.isVisible()
    with qtbot.waitSignal(dialog.stop_asked) as stopped:
        qtbot.mouseClick(dialog.stop_button, LEFT)
    assert stopped.args == [True]
    dialog.show_queue(QUEUE, TITLES, is_working=True, stops_after_this=True)
    assert dialog.stop_button.isChecked()
    assert dialog.said.text() == "Working."


def test_what_is_being_drafted_cannot_be_removed(dialog: QueueDialog) -> None:
    dialog.show_queue(Queue((QueuedDraft(1, 1, 5, state=QueuedDraftState.WORKING),)), TITLES, is_working=True)
    dialog.list.setCurrentRow(0)
    assert not dialog.remove_button.isEnabled()


def test_drafts_are_added(dialog: QueueDialog, qtbot: Any) -> None:
    with qtbot.waitSignal(dialog.add_asked):
        qtbot.mouseClick(dialog.add_button, LEFT)
    with qtbot.waitSignal(dialog.beats_asked):
        qtbot.mouseClick(dialog.beats_button, LEFT)
    with qtbot.waitSignal(dialog.clear_asked):
        qtbot.mouseClick(dialog.clear_button, LEFT)
    dialog.show_queue(Queue(), TITLES)
    for button in (dialog.beats_button, dialog.clear_button, dialog.start_button):
        assert not button.isEnabled()

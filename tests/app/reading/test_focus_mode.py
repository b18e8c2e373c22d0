from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.reading.focus_dimming import FocusDimming
from quire.reading.focus_mode import FocusMode, FocusParts
from quire.shell.actions import Actions
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind

ESC = Qt.Key.Key_Escape


@pytest.fixture
def window(quire: Application) -> MainWindow:
    """The window with its features, as far as they are there at the first show."""
    return quire.window


@pytest.fixture
def actions(window: MainWindow) -> Actions:
    window.commands.set_waiting(waiting=False)
    return window.commands


@pytest.fixture
def focus(window: MainWindow, actions: Actions, qtbot: Any, quire: Application) -> FocusMode:
    do = window.commands
    parts = FocusParts(
        (
            window.side_panel,
            quire.app.controls.bar,
            quire.app.charts.deck,
            window.status_line,
        ),
        (do.side_panel, do.charts),
        (do.go_to_tree, do.go_to_draft_bar, do.find_in_book),
        do.full_screen,
    )
    focus = FocusMode(window, parts, actions.focus, window.status, window.progress, window.themes)
    window.activateWindow()
    window.editor.setFocus()
    qtbot.waitUntil(window.editor.hasFocus)
    return focus


def around(quire: Application) -> list[QWidget]:
    return [
        quire.window.side_panel,
        quire.app.controls.bar,
        quire.app.charts.deck,
        quire.window.status_line,
    ]


def visible(quire: Application) -> list[bool]:
    return [widget.isVisible() for widget in around(quire)]


def draft(window: MainWindow, state: DraftState = DraftState.DRAFTING) -> None:
    window.status.show_status(DraftStatus(state))


def test_f8_leaves_the_page_alone_and_brings_everything_back(
    focus: FocusMode, window: MainWindow, qtbot: Any, quire: Application
) -> None:
    window.commands.charts.setChecked(True)
    before = visible(quire)
    assert before == [True] * 4
    height = window.editor.height()
    QTest.keyClick(window.editor, Qt.Key.Key_F8)
    assert focus.is_on
    assert visible(quire) == [False] * 4
    assert window.menuBar().height() == 0
    assert window.editor.height() > height
    assert window.editor.isVisible()
    QTest.keyClick(window.editor, Qt.Key.Key_F8)
    assert visible(quire) == before
    qtbot.waitUntil(lambda: window.menuBar().height() > 0 and window.editor.height() == height)


def test_what_was_closed_before_stays_closed(
    focus: FocusMode, window: MainWindow, actions: Actions, quire: Application
) -> None:
    window.commands.side_panel.setChecked(False)
    actions.focus.trigger()
    actions.focus.trigger()
    assert visible(quire) == [False, True, False, True]


def test_esc_leaves(focus: FocusMode, window: MainWindow, actions: Actions) -> None:
    actions.focus.trigger()
    QTest.keyClick(window.editor, ESC)
    assert not focus.is_on
    assert not actions.focus.isChecked()
    QTest.keyClick(window.editor, ESC)
    assert not focus.is_on


def test_esc_pauses_a_draft_first_and_never_does_both(
    focus: FocusMode, window: MainWindow, actions: Actions, qtbot: Any, quire: Application
) -> None:
    actions.focus.trigger()
    draft(window)
    with qtbot.waitSignal(quire.app.controls.bar.pause_asked):
        QTest.keyClick(window.editor, ESC)
    assert focus.is_on
    draft(window, DraftState.PAUSING)
    with qtbot.assertNotEmitted(quire.app.controls.bar.pause_asked):
        QTest.keyClick(window.editor, ESC)
    assert focus.is_on
    draft(window, DraftState.PAUSED)
    with qtbot.assertNotEmitted(quire.app.controls.bar.pause_asked):
        QTest.keyClick(window.editor, ESC)
    assert not focus.is_on


def test_esc_that_somebody_else_wants_leaves_nothing(
    focus: FocusMode, window: MainWindow, actions: Actions, quire: Application
) -> None:
    actions.focus.trigger()
    window.commands.find.trigger()
    assert quire.app.search.find_bar.isVisible()
    QTest.keyClick(quire.app.search.find_bar.query_field.field, ESC)
    assert not quire.app.search.find_bar.isVisible()
    assert focus.is_on


def test_a_line_says_how_far_a_draft_is(focus: FocusMode, window: MainWindow, actions: Actions) -> None:
    window.progress.show(250, 1000, 1000)
    draft(window)
    assert not focus.line.isVisible()
    actions.focus.trigger()
    assert focus.line.isVisible()
    assert (focus.line.height(), focus.line.width()) == (2, window.width())
    assert focus.line.geometry().bottom() == window.height() - 1
    tokens = window.themes.tokens
    row = focus.line.grab().toImage()
    assert row.pixelColor(row.width() // 8, 1) == QColor(tokens.accent)
    assert row.pixelColor(row.width() // 2, 1) == QColor(tokens.line)
    window.resize(1200, 700)
    assert focus.line.width() == window.width()
    draft(window, DraftState.PAUSED)
    assert not focus.line.isVisible()
    draft(window)
    actions.focus.trigger()
    assert not focus.line.isVisible()


def test_whoever_gets_the_words_is_named_here_too(
    focus: FocusMode, window: MainWindow, actions: Actions
) -> None:
    actions.focus.trigger()
    assert not focus.server_label.isVisible()
    window.status.show_words_go_to("example.org")
    assert focus.server_label.isVisible()
    assert focus.server_label.text() == "Words go to example.org"
    assert focus.server_label.geometry().right() < window.width()
    actions.focus.trigger()
    assert not focus.server_label.isVisible()


def test_how_to_leave_is_said_once(focus: FocusMode, actions: Actions, qtbot: Any) -> None:
    with qtbot.waitSignal(focus.hint_shown):
        actions.focus.trigger()
    assert focus.hint.isVisible()
    assert "F8" in focus.hint.text()
    actions.focus.trigger()
    assert not focus.hint.isVisible()
    with qtbot.assertNotEmitted(focus.hint_shown):
        actions.focus.trigger()
    assert not focus.hint.isVisible()


def test_who_knows_how_to_leave_is_not_told(focus: FocusMode, actions: Actions) -> None:
    focus.set_hint_due(due=False)
    actions.focus.trigger()
    assert not focus.hint.isVisible()


def test_notices_are_seen(focus: FocusMode, window: MainWindow, actions: Actions) -> None:
    actions.focus.trigger()
    window.notice_bar.show_notice(Notice(NoticeKind.ERROR, "The disk is full."))
    assert window.notice_bar.isVisible()


def test_another_text_that_is_shown_brings_no_panel(
    focus: FocusMode, window: MainWindow, actions: Actions, quire: Application
) -> None:
    actions.focus.trigger()
    window.show_project("Another text.")
    assert visible(quire) == [False] * 4
    actions.focus.trigger()
    assert visible(quire) == [True, True, False, True]


@pytest.mark.parametrize("name", ["side_panel", "charts"])
def test_asking_for_a_panel_ends_it(
    name: str, focus: FocusMode, window: MainWindow, actions: Actions, quire: Application
) -> None:
    actions.focus.trigger()
    toggle = getattr(window.commands, name)
    toggle.trigger()
    assert not focus.is_on
    assert toggle.isChecked()
    assert (window.side_panel if name == "side_panel" else quire.app.charts.deck).isVisible()


def test_finding_in_the_book_ends_it_and_goes_there(
    focus: FocusMode, window: MainWindow, actions: Actions, quire: Application
) -> None:
    actions.focus.trigger()
    window.commands.find_in_book.trigger()
    assert not focus.is_on
    assert quire.app.search.panel.query_field.field.hasFocus()


def test_it_fills_the_screen_meanwhile(focus: FocusMode, window: MainWindow, actions: Actions) -> None:
    actions.focus.trigger()
    assert window.isFullScreen()
    QTest.keyClick(window.editor, ESC)
    assert (focus.is_on, window.isFullScreen()) == (False, False)
    window.commands.full_screen.trigger()
    actions.focus.trigger()
    QTest.keyClick(window.editor, ESC)
    assert (focus.is_on, window.isFullScreen()) == (False, True)  # as it was before


def test_other_paragraphs_are_dimmed(window: MainWindow, actions: Actions) -> None:
    FocusDimming(window.editor, actions.focus, window.themes)
    window.show_project("One.\n\nTwo.\n\nThree.")
    document, cursor = window.editor.document(), window.editor.textCursor()

    def dimmed() -> list[str]:
        blocks = (document.findBlockByNumber(number) for number in range(document.blockCount()))
        return [block.text() for block in blocks if block.text() and block.layout().formats()]

    assert dimmed() == []
    actions.focus.setChecked(True)
    assert dimmed() == ["One.", "Two."]
    cursor.movePosition(cursor.MoveOperation.Start)
    window.editor.setTextCursor(cursor)
    assert dimmed() == ["Two.", "Three."]
    actions.focus.setChecked(False)
    assert dimmed() == []


def test_shortcuts_work_while_the_menu_is_not_seen(
    focus: FocusMode, window: MainWindow, actions: Actions, qtbot: Any, quire: Application
) -> None:
    actions.focus.trigger()
    with qtbot.waitSignal(quire.app.controls.bar.continue_asked):
        QTest.keyClick(window.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_without_a_project_there_is_no_focus_mode(
    focus: FocusMode, window: MainWindow, actions: Actions
) -> None:
    actions.focus.trigger()
    window.status.close()
    assert not focus.is_on
    assert not actions.focus.isEnabled()
    actions.focus.setChecked(True)
    assert (focus.is_on, actions.focus.isChecked()) == (False, False)


def test_one_more_panel_can_be_hidden(focus: FocusMode, window: MainWindow, actions: Actions) -> None:
    panel = QWidget(window)
    panel.show()
    focus.add(panel, actions.outline)
    actions.focus.trigger()
    assert not panel.isVisible()
    actions.outline.trigger()
    assert panel.isVisible()
    assert not focus.is_on

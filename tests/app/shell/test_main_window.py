from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QMenu, QWidget

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MINIMUM_SIZE, MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.shell.project_status import ProjectStatus
from quire.theme.colour_tokens import DARK, LIGHT
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(quire: Application) -> MainWindow:
    """The window with its features, as far as they are there at the first show."""
    return quire.window


def test_a_click_on_continue_asks_for_the_goal(window: MainWindow, qtbot: Any, quire: Application) -> None:
    quire.app.controls.bar.goal_box.set_goal(2000)
    with qtbot.waitSignal(quire.app.controls.bar.continue_asked) as asked:
        qtbot.mouseClick(quire.app.controls.bar.continue_button, Qt.MouseButton.LeftButton)
    assert asked.args == [2000]


def test_ctrl_return_continues_and_escape_pauses(window: MainWindow, qtbot: Any, quire: Application) -> None:
    with qtbot.waitSignal(quire.app.controls.bar.continue_asked):
        qtbot.keyClick(window.editor, Qt.Key.Key_Return, CTRL)
    assert window.editor.text() == "It rained all night."
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    with qtbot.waitSignal(quire.app.controls.bar.pause_asked):
        qtbot.keyClick(window.editor, Qt.Key.Key_Escape)
    window.status.show_status(DraftStatus(DraftState.PAUSING))
    with qtbot.assertNotEmitted(quire.app.controls.bar.pause_asked):
        qtbot.keyClick(window.editor, Qt.Key.Key_Escape)


def test_a_goal_that_was_typed_but_not_entered_counts(
    window: MainWindow, qtbot: Any, quire: Application
) -> None:
    line = quire.app.controls.bar.goal_box.lineEdit()
    assert line is not None
    line.selectAll()
    qtbot.keyClicks(line, "750")
    with qtbot.waitSignal(quire.app.controls.bar.continue_asked) as asked:
        window.commands.go_on.trigger()
    assert asked.args == [750]


def test_the_buttons_follow_the_state_and_keep_the_focus(
    window: MainWindow, qtbot: Any, quire: Application
) -> None:
    bar = quire.app.controls.bar
    bar.continue_button.setFocus()
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    assert not bar.continue_button.isEnabled()
    assert not bar.goal_box.isEnabled()
    assert bar.pause_button.isEnabled()
    assert window.focusWidget() is bar.pause_button
    window.status.show_status(DraftStatus(DraftState.PAUSED))
    assert bar.continue_button.isEnabled()
    assert not bar.pause_button.isEnabled()
    assert window.focusWidget() is bar.continue_button


def test_the_focus_stays_with_the_draft_while_the_writer_is_in_another_window(
    window: MainWindow, qtbot: Any, quire: Application
) -> None:
    quire.app.controls.bar.continue_button.setFocus()
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    assert not window.isActiveWindow()
    window.status.show_status(DraftStatus(DraftState.LOADING))
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    assert window.focusWidget() is quire.app.controls.bar.pause_button
    window.status.show_status(DraftStatus(DraftState.PAUSING))
    window.status.show_status(DraftStatus(DraftState.PAUSED))
    assert window.focusWidget() is quire.app.controls.bar.continue_button


@pytest.mark.parametrize("control", ["pause_button", "goal_box"])
def test_the_focus_waits_for_continue_while_a_draft_pauses(
    window: MainWindow, qtbot: Any, control: str, quire: Application
) -> None:
    bar = quire.app.controls.bar
    bar.goal_box.setFocus()
    if control == "pause_button":
        window.status.show_status(DraftStatus(DraftState.DRAFTING))
        assert window.focusWidget() is bar.pause_button
    window.status.show_status(DraftStatus(DraftState.PAUSING))
    assert window.focusWidget() is bar
    window.status.show_status(DraftStatus(DraftState.PAUSED))
    with qtbot.waitSignal(quire.app.controls.bar.continue_asked):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)


def test_without_a_model_the_keyboard_leads_out_of_the_text(
    window: MainWindow, qtbot: Any, quire: Application
) -> None:
    window.status.show_status(DraftStatus(DraftState.NO_MODEL))
    qtbot.keyClick(window.editor, Qt.Key.Key_D, CTRL)
    assert window.focusWidget() is quire.app.controls.bar.goal_box
    window.notice_bar.show_notice(Notice(NoticeKind.ERROR, "No model.", NoticeAction.CHOOSE_MODEL))
    window.editor.setFocus()
    qtbot.keyClick(window.editor, Qt.Key.Key_D, CTRL)
    assert window.focusWidget() is window.notice_bar.action_button
    window.editor.setFocus()
    qtbot.keyClick(window.editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is quire.app.manuscript.panel.view


def test_full_screen_can_be_left_with_one_press_after_a_restart(
    window: MainWindow, quire: Application
) -> None:
    full_screen = window.commands.full_screen
    full_screen.trigger()
    assert window.isFullScreen()
    geometry = quire.app.appearance.geometry
    full_screen.trigger()
    assert not window.isFullScreen()
    quire.app.appearance.set_geometry(geometry)  # as the next start does
    assert window.isFullScreen()
    assert full_screen.isChecked()
    full_screen.trigger()
    assert not window.isFullScreen()
    window.showFullScreen()  # as a window manager would
    assert full_screen.isChecked()


def test_a_first_start_fits_on_a_small_screen(window: MainWindow, quire: Application) -> None:
    screen = window.screen().availableSize()
    quire.app.appearance.set_geometry(b"")
    with_frame = window.size() + QSize(8, 30)  # as window managers draw it
    assert with_frame.height() <= screen.height()
    assert window.width() == max(window.minimumWidth(), screen.width() - 8)
    assert window.width() < 1360  # the offscreen platform's screen is a small one


def test_closing_asks_and_waits(themes: ThemeSwitch, qtbot: Any) -> None:
    window = MainWindow(ProjectStatus(), ProgressModel(), themes)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.leave_asked):
        window.close()
    assert window.isVisible()
    window.leave()
    assert not window.isVisible()


def test_the_theme_button_switches_at_once(window: MainWindow, qtbot: Any, quire: Application) -> None:
    def paper() -> str:
        return window.grab().toImage().pixelColor(window.side_panel.width() + 40, 400).name()

    assert paper() == LIGHT.paper
    with qtbot.waitSignal(window.preferences_changed):
        qtbot.mouseClick(quire.app.controls.bar.theme_button, Qt.MouseButton.LeftButton)
    assert paper() == DARK.paper
    assert window.commands.themes[ThemeChoice.DARK].isChecked()
    window.commands.themes[ThemeChoice.SYSTEM].trigger()
    assert window.themes.choice is ThemeChoice.SYSTEM
    assert paper() == LIGHT.paper


def test_zoom_changes_the_text_and_stays_in_its_bounds(
    window: MainWindow, qtbot: Any, quire: Application
) -> None:
    usual = quire.app.appearance.text_px
    qtbot.keyClick(window, Qt.Key.Key_Plus, CTRL)
    assert quire.app.appearance.text_px == usual + 2
    for _ in range(40):
        window.commands.zoom_in.trigger()
    assert quire.app.appearance.text_px == 40
    for _ in range(40):
        window.commands.zoom_out.trigger()
    assert quire.app.appearance.text_px == 13
    qtbot.keyClick(window, Qt.Key.Key_0, CTRL)
    assert quire.app.appearance.text_px == usual


def test_editing_commands_work_on_the_manuscript(window: MainWindow, qtbot: Any) -> None:
    do = window.commands
    assert not do.undo.isEnabled()
    assert not do.copy.isEnabled()
    qtbot.keyClicks(window.editor, " And")
    do.undo.trigger()
    assert window.editor.text() == "It rained all night."
    do.redo.trigger()
    do.select_all.trigger()
    do.cut.trigger()
    assert window.editor.text() == ""
    assert QApplication.clipboard().text() == "It rained all night. And"
    do.paste.trigger()
    assert window.editor.text() == "It rained all night. And"


def test_nothing_can_be_changed_while_drafting(window: MainWindow) -> None:
    window.editor.begin_drafting()
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    window.editor.selectAll()
    do = window.commands
    assert not any(action.isEnabled() for action in (do.undo, do.redo, do.cut, do.paste))
    assert do.copy.isEnabled()
    window.editor.end_drafting()
    window.status.show_status(DraftStatus(DraftState.PAUSED))
    assert do.cut.isEnabled()


def test_recent_projects_can_be_opened(window: MainWindow, qtbot: Any, tmp_path: Path) -> None:
    assert not window.commands.recent_menu.isEnabled()
    paths = [str(tmp_path / "This & That.quire"), str(tmp_path / "Other.quire")]
    window.show_recent(paths)
    first, second = window.commands.recent_menu.actions()
    assert first.text() == "This && That"
    with qtbot.waitSignal(window.open_asked) as asked:
        second.trigger()
    assert asked.args == [tmp_path / "Other.quire"]


def test_the_message_page_leads_on(window: MainWindow, qtbot: Any) -> None:
    window.show_message("No project is open", "The file is gone.")
    assert window.shows_message
    assert window.message_page.sentence.text() == "The file is gone."
    assert window.focusWidget() is window.message_page.new_button
    qtbot.mouseClick(window.message_page.new_button, Qt.MouseButton.LeftButton)
    dialogs = [child for child in window.findChildren(QDialog) if child.isVisible()]
    assert [dialog.windowTitle() for dialog in dialogs] == ["New Project"]
    dialogs[0].reject()


def test_a_remedy_reaches_whoever_is_wired(window: MainWindow, qtbot: Any) -> None:
    window.notice_bar.show_notice(Notice(NoticeKind.WARNING, "Stopped.", NoticeAction.RESUME))
    with qtbot.waitSignal(window.action_chosen) as chosen:
        qtbot.mouseClick(window.notice_bar.action_button, Qt.MouseButton.LeftButton)
    assert chosen.args == [NoticeAction.RESUME]


def test_a_dialog_opens_without_blocking(window: MainWindow) -> None:
    window.commands.open.trigger()
    dialogs = [child for child in window.findChildren(QDialog) if child.isVisible()]
    assert len(dialogs) == 1
    dialogs[0].reject()


def test_whoever_keeps_the_models_is_asked_to_show_them(window: MainWindow, qtbot: Any) -> None:
    with qtbot.waitSignal(window.models_asked):
        window.commands.choose_model.trigger()


def test_no_menu_entry_is_dead_and_none_shares_a_shortcut(window: MainWindow) -> None:
    entries = [
        action
        for menu in window.menuBar().findChildren(QMenu)
        for action in menu.actions()
        if not action.isSeparator() and action.menu() is None
    ]
    assert len(entries) >= 20
    for action in entries:
        assert action.receivers("2triggered(bool)") + action.receivers("2toggled(bool)") > 0, action.text()
    keys = [key.toString() for action in set(entries) for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


def test_every_control_has_a_name_for_those_who_listen(window: MainWindow, quire: Application) -> None:
    window.notice_bar.show_notice(Notice(NoticeKind.WARNING, "Stopped.", NoticeAction.RESUME))
    for button in window.findChildren(QAbstractButton):
        if button.isVisible():
            assert button.text() or button.accessibleName()
    for control in (window.editor, quire.app.controls.bar.goal_box, quire.app.controls.strip.bar):
        assert control.accessibleName()


def test_labels_take_nothing_for_markup(window: MainWindow) -> None:
    labels = [label for label in window.findChildren(QLabel) if label.objectName() != "qt_toolbar_ext"]
    assert len(labels) > 8
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


def test_the_keyboard_reaches_every_control(window: MainWindow, qtbot: Any, quire: Application) -> None:
    window.activateWindow()
    window.notice_bar.show_notice(Notice(NoticeKind.WARNING, "Stopped.", NoticeAction.RESUME))
    window.status.show_status(DraftStatus(DraftState.IDLE))
    quire.app.controls.bar.continue_button.setFocus()
    reached: list[QWidget] = []
    for _ in range(10):
        focused = window.focusWidget()
        assert focused is not None
        reached.append(focused)
        if focused is window.editor:
            break
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    bar, notice = quire.app.controls.bar, window.notice_bar
    assert reached == [
        bar.continue_button,
        bar.goal_box,
        bar.theme_button,
        notice.action_button,
        notice.dismiss_button,
        window.side_panel.tabs,
        quire.app.manuscript.panel.view,
        window.editor,
    ]
    qtbot.keyClick(window.editor, Qt.Key.Key_D, CTRL)  # Tab belongs to the text, so there is another way out
    assert window.focusWidget() is bar.continue_button
    qtbot.keyClick(bar.continue_button, Qt.Key.Key_E, CTRL)
    assert window.focusWidget() is window.editor


def test_nothing_is_cut_off_in_the_smallest_window(window: MainWindow, quire: Application) -> None:
    window.notice_bar.show_notice(
        Notice(NoticeKind.ERROR, "A sentence that goes on for a while. " * 5, NoticeAction.SAVE_ELSEWHERE)
    )
    window.resize(MINIMUM_SIZE)
    QApplication.processEvents()
    assert window.size() == MINIMUM_SIZE
    for child in (quire.app.controls.bar, window.notice_bar, window.status_line):
        assert child.width() == MINIMUM_SIZE.width()
    assert window.side_panel.width() + window.page.width() == MINIMUM_SIZE.width()
    label = window.notice_bar.label
    assert label.heightForWidth(label.width()) <= label.height()
    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            assert button.width() >= button.sizeHint().width()

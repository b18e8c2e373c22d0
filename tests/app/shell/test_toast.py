"""Messages that need no decision pass by without moving the page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind

LEFT = Qt.MouseButton.LeftButton


def test_a_note_passes_over_the_page_and_moves_nothing(window: MainWindow) -> None:
    window.show()
    QApplication.processEvents()
    before = window.page.geometry()
    window.notice_bar.show_notice(Notice(NoticeKind.WARNING, "The disk is nearly full."))
    QApplication.processEvents()
    assert window.page.geometry() != before
    window.notice_bar.clear()
    window.notice_bar.show_notice(Notice(NoticeKind.NOTE, "Snapshot of the whole manuscript taken."))
    QApplication.processEvents()
    toast = window.toast
    assert toast.isVisible()
    assert window.page.geometry() == before
    assert 0 < toast.y() < window.height()
    assert toast.timer.isActive()
    toast.timer.timeout.emit()
    assert not toast.isVisible()
    assert window.notice_bar.notice is None


def test_a_note_leaves_a_warning_where_it_is(window: MainWindow) -> None:
    window.show()
    warning = Notice(NoticeKind.WARNING, "The disk is nearly full.")
    window.notice_bar.show_notice(warning)
    window.notice_bar.show_notice(Notice(NoticeKind.NOTE, "Done."))
    assert window.toast.isVisible()
    assert window.notice_bar.isVisible()
    window.toast.dismiss()
    assert window.notice_bar.notice is warning


def test_its_button_acts_once(window: MainWindow, qtbot: Any) -> None:
    window.show()
    done: list[str] = []
    notice = Notice(NoticeKind.NOTE, "Gone.", NoticeAction.UNDO, act=lambda: done.append("undone"))
    window.notice_bar.show_notice(notice)
    assert window.toast.action_button.text() == "Undo"
    qtbot.mouseClick(window.toast.action_button, LEFT)
    assert done == ["undone"]
    assert not window.toast.isVisible()


def test_what_calls_for_a_decision_stays(window: MainWindow) -> None:
    window.show()
    window.notice_bar.show_notice(Notice(NoticeKind.NOTE, "A sample.", NoticeAction.CHOOSE_MODEL))
    assert not window.toast.isVisible()
    assert window.notice_bar.isVisible()


def test_it_never_covers_what_it_is_kept_clear_of(window: MainWindow) -> None:
    bar = QPushButton("Redraft From Here", window.editor.viewport())
    window.toast.keep_clear_of(bar)
    stack, toast = window.toast.parentWidget(), window.toast
    assert isinstance(stack, QWidget)

    def place(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(stack, QPoint(0, 0)), widget.size())

    window.notice_bar.show_notice(Notice(NoticeKind.NOTE, "The draft has reached its goal. " * 6))
    corner = place(toast)
    viewport = window.editor.viewport().rect()
    bar.setGeometry(4, viewport.height() - 44, viewport.width() - 8, 34)
    bar.show()
    assert not place(toast).intersects(place(bar))
    assert place(toast).top() >= 0
    bar.setGeometry(4, 4, 80, 34)  # scrolled away
    assert place(toast) == corner
    bar.setGeometry(4, viewport.height() - 44, viewport.width() - 8, 34)
    assert place(toast) != corner
    bar.hide()
    assert place(toast) == corner


def test_it_waits_while_it_is_read(window: MainWindow) -> None:
    window.show()
    window.notice_bar.show_notice(Notice(NoticeKind.NOTE, "Done. " * 40))
    toast, place = window.toast, QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(place, place, place))
    assert not toast.timer.isActive()
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast.timer.isActive()
    assert toast.label.height() >= toast.label.heightForWidth(toast.label.width())


def test_undo_is_offered_only_as_long_as_it_undoes(window: MainWindow, qtbot: Any) -> None:
    window.show_project("It rained.")
    window.status.open("Night")
    undone: list[str] = []
    for typed in (False, True):
        window.undo_chain.offer("&Undo Move to Trash", lambda: undone.append("restored"))
        undo = window.undo_chain.undo_offer
        window.notice_bar.show_notice(Notice(NoticeKind.NOTE, "Gone.", NoticeAction.UNDO, act=undo))
        assert window.toast.isVisible()
        if typed:
            qtbot.keyClicks(window.editor, " It")
        else:
            window.commands.undo.trigger()
        assert not window.toast.isVisible()
    assert undone == ["restored"]

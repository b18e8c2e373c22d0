from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.domain.drafting.draft_status import DraftProblem
from quire.domain.drafting.low_memory_options import WaysOn
from quire.shell.notice_bar import NoticeBar
from quire.shell.notices import Notice, NoticeAction, NoticeKind, notice_of_trouble
from quire.theme.theme_switch import ThemeSwitch


@pytest.fixture
def bar(qtbot: Any, themes: ThemeSwitch) -> NoticeBar:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    return bar


@pytest.mark.parametrize("kind", list(NoticeKind))
@pytest.mark.parametrize("action", list(NoticeAction))
def test_a_notice_has_a_sentence_and_a_way_on(
    bar: NoticeBar, qtbot: Any, kind: NoticeKind, action: NoticeAction
) -> None:
    bar.show_notice(Notice(kind, "The disk is full.", action))
    assert bar.isVisible()
    assert bar.label.text() == bar.accessibleName() == "The disk is full."
    assert bar.action_button.text()
    with qtbot.waitSignal(bar.action_chosen) as chosen:
        qtbot.mouseClick(bar.action_button, Qt.MouseButton.LeftButton)
    assert chosen.args == [action]
    assert not bar.isVisible()
    assert bar.notice is None


def test_a_notice_without_a_remedy_is_dismissed(bar: NoticeBar, qtbot: Any) -> None:
    bar.show_notice(Notice(NoticeKind.NOTE, "The model ended the text here."))
    assert not bar.action_button.isVisible()
    with qtbot.assertNotEmitted(bar.action_chosen):
        qtbot.mouseClick(bar.dismiss_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_markup_is_shown_not_obeyed(bar: NoticeBar) -> None:
    bar.show_notice(Notice(NoticeKind.ERROR, '<img src="file:///etc/passwd"><b>x</b>'))
    assert bar.label.textFormat() is Qt.TextFormat.PlainText


def test_the_colour_follows_the_kind(bar: NoticeBar, themes: ThemeSwitch) -> None:
    bar.resize(600, 60)
    for kind, paper in (
        (NoticeKind.NOTE, themes.tokens.note_paper),
        (NoticeKind.ERROR, themes.tokens.error_paper),
        (NoticeKind.WARNING, themes.tokens.warning_paper),
    ):
        bar.show_notice(Notice(kind, "x"))
        assert bar.grab().toImage().pixelColor(300, 10).name() == paper


WAYS = WaysOn(1200, 4096, in_computer=True, smaller=True)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_every_way_on_has_room_and_says_what_it_costs(
    bar: NoticeBar, themes: ThemeSwitch, qtbot: Any, number: int
) -> None:
    full = notice_of_trouble(DraftProblem.MEMORY, "There is not enough memory to go on. " * 2, WAYS)
    bar.show_notice(full)  # what was shown before leaves nothing behind
    actions = full.actions[:number]
    bar.show_notice(Notice(full.kind, full.text, actions[0], actions[1:], WAYS))
    bar.resize(1024, bar.sizeHint().height())
    layout = bar.layout()
    assert layout is not None
    layout.activate()
    buttons = [button for button in (bar.action_button, *bar.more_buttons) if button.isVisibleTo(bar)]
    assert len(buttons) == number
    assert "1,200" in buttons[0].text()
    for button in (*buttons, bar.dismiss_button):
        assert button.width() >= button.sizeHint().width()
        assert bar.rect().contains(button.geometry())
    assert all(button.toolTip() == button.accessibleDescription() != "" for button in buttons)
    is_below = buttons[0].geometry().top() >= bar.label.geometry().bottom()
    assert is_below == (number == 4)
    for button, action in zip(buttons, actions, strict=True):
        bar.show_notice(Notice(full.kind, full.text, actions[0], actions[1:], WAYS))
        with qtbot.waitSignal(bar.action_chosen) as chosen:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert chosen.args == [action]

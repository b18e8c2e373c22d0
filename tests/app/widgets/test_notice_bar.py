from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.models.notices import Notice, NoticeKind, Remedy
from quire.theme.keeper import ThemeKeeper
from quire.widgets.notice_bar import NoticeBar


@pytest.fixture
def bar(qtbot: Any, themes: ThemeKeeper) -> NoticeBar:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    return bar


@pytest.mark.parametrize("kind", list(NoticeKind))
@pytest.mark.parametrize("remedy", list(Remedy))
def test_a_notice_has_a_sentence_and_a_way_on(
    bar: NoticeBar, qtbot: Any, kind: NoticeKind, remedy: Remedy
) -> None:
    bar.show_notice(Notice(kind, "The disk is full.", remedy))
    assert bar.isVisible()
    assert bar.label.text() == bar.accessibleName() == "The disk is full."
    assert bar.remedy_button.text()
    with qtbot.waitSignal(bar.remedy_chosen) as chosen:
        qtbot.mouseClick(bar.remedy_button, Qt.MouseButton.LeftButton)
    assert chosen.args == [remedy]
    assert not bar.isVisible()
    assert bar.notice is None


def test_a_notice_without_a_remedy_is_dismissed(bar: NoticeBar, qtbot: Any) -> None:
    bar.show_notice(Notice(NoticeKind.NOTE, "The model ended the text here."))
    assert not bar.remedy_button.isVisible()
    with qtbot.assertNotEmitted(bar.remedy_chosen):
        qtbot.mouseClick(bar.dismiss_button, Qt.MouseButton.LeftButton)
    assert not bar.isVisible()


def test_markup_is_shown_not_obeyed(bar: NoticeBar) -> None:
    bar.show_notice(Notice(NoticeKind.ERROR, '<img src="file:///etc/passwd"><b>x</b>'))
    assert bar.label.textFormat() is Qt.TextFormat.PlainText


def test_the_colour_follows_the_kind(bar: NoticeBar, themes: ThemeKeeper) -> None:
    bar.resize(600, 60)
    for kind, paper in (
        (NoticeKind.NOTE, themes.tokens.note_paper),
        (NoticeKind.ERROR, themes.tokens.error_paper),
        (NoticeKind.WARNING, themes.tokens.warning_paper),
    ):
        bar.show_notice(Notice(kind, "x"))
        assert bar.grab().toImage().pixelColor(300, 10).name() == paper

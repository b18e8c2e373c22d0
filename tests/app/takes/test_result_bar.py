"""The bar below a draft, with more or less room."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from quire.takes.result_bar import ResultBar
from quire.theme.theme_switch import ThemeSwitch


def test_what_is_in_the_menus_as_well_makes_room_for_the_rest(themes: ThemeSwitch, qtbot: Any) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    bar = ResultBar(themes, page)
    page.show()
    bar.show()
    parts = (bar.keep_button, bar.retry_button, bar.undo_button, bar.redraft_button, bar.next_button)

    def shown_at(width: int) -> list[bool]:
        bar.resize(width, bar.height())
        return [part.isVisibleTo(bar) for part in parts]

    bar.show_draft(2, 2)
    full = bar.sizeHint().width()
    assert shown_at(full) == [True, True, True, True, True]
    assert shown_at(full - 1) == [True, True, True, False, True]
    assert shown_at(full // 2) == [False, True, True, False, True]
    assert bar.sizeHint().width() == full
    assert shown_at(full) == [True, True, True, True, True]
    bar.show_draft(1, 1)
    assert bar.sizeHint().width() < full
    assert shown_at(full) == [True, True, True, True, False]
    bar.show_undone()
    assert bar.redo_button.isVisibleTo(bar)
    assert shown_at(full) == [False] * 5

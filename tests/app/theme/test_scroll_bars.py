"""A scroll bar's handle is seen only where something scrolls."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTextEdit

from quire.theme.scroll_bars import keep_room_for_scroll_bar
from quire.theme.theme_switch import ThemeSwitch


def colours(area: QTextEdit) -> set[str]:
    image = area.verticalScrollBar().grab().toImage()
    across = range(image.width())
    return {QColor(image.pixel(x, y)).name() for x in across for y in range(image.height())}


def test_the_handle_is_seen_only_where_something_scrolls(themes: ThemeSwitch, qtbot: Any) -> None:
    area = QTextEdit()
    qtbot.addWidget(area)
    keep_room_for_scroll_bar(area)
    area.resize(300, 200)
    area.show()
    bar, handle = area.verticalScrollBar(), QColor(themes.tokens.line).name()
    assert bar.isVisible()
    assert handle not in colours(area)
    area.setPlainText("line\n" * 100)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert handle in colours(area)
    area.clear()
    qtbot.waitUntil(lambda: bar.maximum() == 0)
    assert handle not in colours(area)

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QTableWidget

from quire.theme.colour_tokens import LIGHT
from quire.theme.fonts import headline_font, interface_font, reading_font
from quire.theme.palette import style_sheet_of
from quire.theme.text_size import (
    TextSize,
    choose_text_size,
    fit,
    fit_line,
    fit_rows,
    scaled,
    set_scaled_font,
    system_text_size,
    update_followers,
    with_line,
)


@pytest.fixture(autouse=True)
def _usual_size() -> Iterator[None]:
    choose_text_size(TextSize.NORMAL)
    yield
    choose_text_size(TextSize.NORMAL)


def test_text_grows_and_the_manuscript_does_not() -> None:
    assert (interface_font().pixelSize(), interface_font(11).pixelSize()) == (13, 11)
    assert choose_text_size(TextSize.LARGEST)
    assert (interface_font().pixelSize(), interface_font(11).pixelSize()) == (17, 14)
    assert headline_font(20).pixelSize() == 26
    assert reading_font(20).pixelSize() == 20
    assert choose_text_size(TextSize.SMALLER)
    assert interface_font().pixelSize() == 12
    assert not choose_text_size(TextSize.SMALLER)


def test_a_line_grows_and_the_room_around_it_does_not() -> None:
    choose_text_size(TextSize.LARGEST)
    assert scaled(100) == 131
    assert with_line(56) == 61
    assert "QComboBox::down-arrow { image: url(:/quire-controls/light/down.svg); width: 21px" in (
        style_sheet_of(LIGHT)
    )
    assert "padding: 6px 14px" in style_sheet_of(LIGHT)


def test_widgets_follow_and_are_not_kept(qtbot: Any) -> None:
    label, table = QLabel("Words"), QTableWidget()
    for widget in (label, table):
        qtbot.addWidget(widget)
    set_scaled_font(label, interface_font, 12)
    fit(label.setMinimumWidth, 100)
    fit_line(label, 28)
    fit_rows(table, 30)
    choose_text_size(TextSize.LARGER)
    assert label.font().pixelSize() == 12
    update_followers()
    assert (label.font().pixelSize(), label.minimumWidth(), label.height()) == (14, 115, 30)
    assert table.verticalHeader().defaultSectionSize() == 32
    set_scaled_font(label, interface_font, 10)  # in place of the first
    choose_text_size(TextSize.NORMAL)
    update_followers()
    assert (label.font().pixelSize(), label.minimumWidth(), label.height()) == (10, 100, 28)


@pytest.mark.parametrize(
    ("platform", "points", "size"),
    [
        ("win32", 9.0, TextSize.NORMAL),
        ("win32", 10.35, TextSize.LARGER),
        ("win32", 20.25, TextSize.LARGEST),
        ("win32", -1.0, TextSize.NORMAL),
        ("linux", 14.0, TextSize.NORMAL),
        ("darwin", 13.0, TextSize.NORMAL),
    ],
)
def test_only_windows_has_a_size_of_text_of_its_own(platform: str, points: float, size: TextSize) -> None:
    assert system_text_size(platform, points) is size

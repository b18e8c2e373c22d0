"""The strip beside the scroll bar that shows where a text repeats itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QScrollBar, QToolTip

from quire.overlays.echo_density import EchoDensity
from quire.overlays.echo_map import EchoMap
from quire.theme.overlay_colours import heat_colour
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

SHARES = (0.0, 0.02, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.6, 0.0)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def heat() -> EchoDensity:
    return EchoDensity()


@pytest.fixture
def strip(heat: EchoDensity, themes: ThemeSwitch, qtbot: Any) -> Iterator[EchoMap]:
    bar = QScrollBar(Qt.Orientation.Vertical)
    qtbot.addWidget(bar)
    strip = EchoMap(heat, themes, bar)
    qtbot.addWidget(strip)
    strip.resize(14, 400)
    strip.show()
    heat.show_shares(SHARES, 1_000)
    yield strip
    QToolTip.hideText()


def widths(strip: EchoMap) -> list[int]:
    """How many pixels of each part are not paper, across its middle and without the frame at the edges."""
    picture = strip.grab().toImage()
    paper = strip._themes.tokens.paper
    rows = [round((part + 0.5) * 40) for part in range(10)]
    return [sum(picture.pixelColor(x, y).name() != paper for x in range(3, 11)) for y in rows]


def test_parts_that_repeat_themselves_are_seen_by_colour_and_by_width(
    strip: EchoMap, themes: ThemeSwitch
) -> None:
    found = widths(strip)
    assert [part for part, width in enumerate(found) if width] == [1, 4, 8]
    assert found[1] < found[4] == found[8] == 8
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        themes.choose(choice)
        picture = strip.grab().toImage()
        assert picture.pixelColor(7, 340) == heat_colour(themes.tokens)
        assert picture.pixelColor(7, 300).name() == themes.tokens.paper


def test_the_part_of_the_text_that_is_seen_is_framed(strip: EchoMap) -> None:
    before = strip.grab().toImage()
    strip._bar.setPageStep(100)
    strip._bar.setRange(0, 900)
    assert strip.grab().toImage() != before


def test_a_click_goes_to_its_part(strip: EchoMap, qtbot: Any) -> None:
    places = list[int]()
    strip.place_chosen.connect(places.append)
    for y in (5, 170, 399):
        qtbot.mouseClick(strip, LEFT, pos=QPoint(7, y))
    qtbot.mouseClick(strip, Qt.MouseButton.RightButton, pos=QPoint(7, 200))
    assert places == [0, 400, 900]


def test_the_cursor_keys_go_from_echo_to_echo_and_enter_opens_the_list(strip: EchoMap, qtbot: Any) -> None:
    places, asked = list[int](), list[bool]()
    strip.place_chosen.connect(places.append)
    strip.list_asked.connect(lambda: asked.append(True))
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(strip, key)
    assert places == [100, 400, 800, 400]
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    assert asked == [True]


def test_the_tooltip_says_the_share(strip: EchoMap) -> None:
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(7, 170), strip.mapToGlobal(QPoint(7, 170)))
    QApplication.sendEvent(strip, event)
    assert QToolTip.text() == "Echoes here: 30%. 45% through the text. Click to go there."
    assert strip.tip_at(0) == "Echoes here: none. 5% through the text. Click to go there."


def test_a_strip_without_a_text_says_so(strip: EchoMap, heat: EchoDensity, qtbot: Any) -> None:
    heat.show_shares((), 0)
    with qtbot.assertNotEmitted(strip.place_chosen):
        qtbot.mouseClick(strip, LEFT, pos=QPoint(7, 100))
        qtbot.keyClick(strip, Qt.Key.Key_Down)
    assert strip.tip_at(100) == "Echoes not checked yet."
    assert strip.accessibleDescription() == "Echoes not checked yet."
    assert widths(strip) == [0] * 10


pytestmark = pytest.mark.qt_log_ignore("raise", extend=True)  # offscreen, about every tooltip

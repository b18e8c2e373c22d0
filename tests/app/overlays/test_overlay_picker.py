"""The head of the page: which overlay is on, its legend, the title in the middle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from quire.domain.text_quality.overlays import KINDS, Overlay, SpanKind
from quire.overlays.overlay_picker import OverlayLegend, OverlayPicker
from quire.shell.main_window import MainWindow
from quire.shell.page_header import PageHead
from quire.theme.overlay_colours import kind_look
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from quire.ui.labels import ElidedLabel
from tests.app.bare_app import bare_app


@pytest.fixture
def picker(themes: ThemeSwitch, qtbot: Any) -> OverlayPicker:
    picker = OverlayPicker(themes)
    qtbot.addWidget(picker)
    return picker


@pytest.fixture
def legend(themes: ThemeSwitch, qtbot: Any) -> OverlayLegend:
    legend = OverlayLegend(themes)
    qtbot.addWidget(legend)
    legend.resize(900, 26)
    return legend


def test_the_writer_begins_with_the_text_alone(picker: OverlayPicker) -> None:
    assert picker.overlay is Overlay.NONE
    assert picker.text() == "Highlight: None ▾"
    assert picker.accessibleName() == "Highlight: None"


def test_the_key_goes_through_all_overlays(picker: OverlayPicker) -> None:
    chosen = list[Overlay]()
    picker.overlay_chosen.connect(chosen.append)
    for _ in Overlay:
        picker.choose_next()
    assert chosen == [Overlay.SOURCE, Overlay.GUESSES, Overlay.ECHOES, Overlay.SURPRISE, Overlay.NONE]


def test_an_overlay_is_chosen_in_the_menu(picker: OverlayPicker, qtbot: Any) -> None:
    actions = {action.text(): action for action in picker.menu().actions()}
    with qtbot.waitSignal(picker.overlay_chosen) as chosen:
        actions["Echoes"].trigger()
    assert chosen.args == [Overlay.ECHOES]
    assert picker.text() == "Highlight: Echoes ▾"
    assert [name for name, action in actions.items() if action.isChecked()] == ["Echoes"]


def test_what_is_shown_by_others_is_not_chosen_again(picker: OverlayPicker, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(picker.overlay_chosen):
        picker.show_overlay(Overlay.SOURCE)
    assert picker.overlay is Overlay.SOURCE


@pytest.mark.parametrize("overlay", Overlay)
def test_the_legend_has_a_sample_for_every_kind(legend: OverlayLegend, overlay: Overlay) -> None:
    legend.show_overlay(overlay)
    assert len(legend.texts()) == len(KINDS[overlay])
    assert legend.isHidden() == (overlay is Overlay.NONE)
    assert bool(legend.accessibleName()) == (overlay is not Overlay.NONE)


def test_an_overlay_that_marks_nothing_says_so(legend: OverlayLegend) -> None:
    legend.show_overlay(Overlay.ECHOES, is_empty=True)
    assert legend.texts() == ["No nearby repetition found."]
    assert legend.accessibleName() == "No nearby repetition found."
    legend.show_overlay(Overlay.GUESSES, by_pass=True)
    assert legend.texts()[-1] == "Drafted with an older version of Quire: only whole steps are known."
    legend.show_overlay(Overlay.GUESSES)
    assert legend.texts() == ["Full model", "Draft model", "Phrase reuse"]


def test_the_legend_is_drawn_in_the_colours_of_the_theme(legend: OverlayLegend, themes: ThemeSwitch) -> None:
    legend.show_overlay(Overlay.SOURCE)
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        themes.choose(choice)
        picture = legend.grab().toImage()
        colours = {picture.pixelColor(x, y).name() for x in range(900) for y in range(26)}
        for kind in (SpanKind.EDITED, SpanKind.PASTED):
            look = kind_look(kind, themes.tokens)
            assert {look.colour.name(), QColor(look.wash or "").name()} <= colours


def test_the_title_stays_in_the_middle_whatever_the_overlay_is_called(
    themes: ThemeSwitch, qtbot: Any
) -> None:
    title = ElidedLabel()
    head, picker = PageHead(title), OverlayPicker(themes)
    head.add(picker, OverlayLegend(themes))
    picker.overlay_shown.connect(head.place)
    qtbot.addWidget(head)
    title.show_text("A title that is long enough to be shortened where the page is narrow, and then some")
    for width in (1_060, 724, 420):
        head.resize(width, 80)
        head.show()
        for overlay in Overlay:
            picker.show_overlay(overlay)
            assert abs(title.geometry().center().x() - width // 2) <= 1
            assert picker.geometry().right() < width
            assert not title.geometry().intersects(picker.geometry())
            assert picker.width() >= picker.sizeHint().width()
    assert title.text() != title.whole_text


def test_the_page_has_the_picker_and_the_legend_in_its_head(window: MainWindow, tmp_path: Path) -> None:
    page, added = window.page, bare_app(window, tmp_path, "page_overlays").page_overlays
    QApplication.processEvents()  # the window is on the screen already
    assert added.picker.overlay is Overlay.NONE
    assert added.legend.isHidden()
    assert page.running_head.whole_text == "The Ferry"
    assert page.header.title.alignment() & Qt.AlignmentFlag.AlignHCenter

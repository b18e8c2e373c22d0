from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase, QFontInfo, QFontMetrics

from quire.theme.fonts import figures_font, install_fonts, interface_font, reading_font
from quire.theme.icons import ICONS, app_icon, icon
from quire_resources import FONTS


@pytest.fixture(autouse=True)
def fonts(qapp: object) -> None:
    if "Literata" not in QFontDatabase.families():
        install_fonts()


def test_the_bundled_families_are_used() -> None:
    assert QFontInfo(reading_font(19)).family() == "Literata"
    assert QFontInfo(interface_font()).family().startswith("Inter")


@pytest.mark.parametrize("character", "aàçñőșţŁ“”‘’—…«»€\u2212\u00a0\u202f→")
def test_the_fonts_hold_what_novels_hold(character: str) -> None:
    assert QFontMetrics(reading_font(19)).inFontUcs4(ord(character))


def test_figures_are_of_one_width() -> None:
    metrics = QFontMetrics(figures_font())
    assert len({metrics.horizontalAdvance(figure * 8) for figure in "0123456789"}) == 1


def test_the_fonts_stay_small_and_bring_their_licences() -> None:
    assert sum(file.stat().st_size for file in FONTS.glob("*.ttf")) < 1_500_000
    for family in ("Literata", "Inter"):
        assert "SIL Open Font License" in (FONTS / f"OFL-{family}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", sorted(ICONS.glob("*.svg")), ids=lambda file: file.stem)
def test_every_icon_draws_something(file: Path) -> None:
    name = file.stem
    image = icon(name, "#ff0000").pixmap(40, 40).toImage()
    assert any(image.pixelColor(x, y).alpha() for x in range(image.width()) for y in range(image.height()))


def test_an_icon_has_the_colour_it_is_asked_for() -> None:
    image = icon("pause", "#ff0000").pixmap(20, 20).toImage()
    drawn = {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }
    assert drawn == {"#ff0000"}


def test_the_app_icon_is_there() -> None:
    assert not app_icon().isNull()

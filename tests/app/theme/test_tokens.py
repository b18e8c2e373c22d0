from __future__ import annotations

import re
from dataclasses import asdict

import pytest

from quire.theme.palette import style_sheet_of
from quire.theme.tokens import DARK, LIGHT, Tokens, contrast

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("ink", "paper"),
        ("ink", "wash"),
        ("ink", "desk"),
        ("ink", "raised"),
        ("ink", "hover"),
        ("soft_ink", "paper"),
        ("soft_ink", "desk"),
        ("soft_ink", "raised"),
        ("on_accent", "accent"),
        ("on_accent", "accent_hover"),
        ("on_selection", "selection"),
        ("note_ink", "note_paper"),
        ("warning_ink", "warning_paper"),
        ("error_ink", "error_paper"),
    ],
)
def test_text_can_be_read(tokens: Tokens, text: str, behind: str) -> None:
    colours = asdict(tokens)
    assert contrast(colours[text], colours[behind]) >= 4.5


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize(
    ("part", "behind"),
    [
        *((dot, "desk") for dot in ("calm", "busy", "live", "rest", "alarm")),
        ("accent", "desk"),
        ("accent", "line"),
        ("live", "paper"),
        ("edge", "desk"),
        ("edge", "raised"),
    ],
)
def test_what_is_no_text_can_be_seen(tokens: Tokens, part: str, behind: str) -> None:
    colours = asdict(tokens)
    assert contrast(colours[part], colours[behind]) >= 3


@pytest.mark.parametrize("tokens", THEMES)
def test_every_name_in_the_style_sheet_is_a_colour(tokens: Tokens) -> None:
    sheet = style_sheet_of(tokens)
    assert "@" not in sheet
    assert not re.search(r"#[0-9a-f]{6}\w", sheet)

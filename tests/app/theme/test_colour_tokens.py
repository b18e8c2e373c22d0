from __future__ import annotations

import re
from dataclasses import asdict

import pytest

from quire.theme.colour_tokens import HIGH_CONTRAST, Tokens, contrast
from quire.theme.colour_tokens import THEMES as ALL
from quire.theme.palette import style_sheet_of
from quire.theme.search_colours import found_colour

THEMES = [pytest.param(tokens, id=tokens.name) for tokens in ALL]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


TEXTS = [
    *(("ink", behind) for behind in ("paper", "wash", "desk", "raised", "hover")),
    *(("soft_ink", behind) for behind in ("paper", "desk", "raised")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_selection", "selection"),
    ("note_ink", "note_paper"),
    ("warning_ink", "warning_paper"),
    ("error_ink", "error_paper"),
    ("ink", "note_paper"),  # what was compared
    ("ink", "error_paper"),
    ("accent", "paper"),
    ("accent", "desk"),
    ("alarm", "desk"),
]


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize(("text", "behind"), TEXTS)
def test_text_can_be_read(tokens: Tokens, text: str, behind: str) -> None:
    colours = asdict(tokens)
    assert contrast(colours[text], colours[behind]) >= 4.5


@pytest.mark.parametrize(
    ("text", "behind"),
    [*TEXTS, ("soft_ink", "hover"), ("faint_ink", "paper"), ("faint_ink", "desk"), ("faint_ink", "raised")],
)
def test_high_contrast_has_it_for_every_text(text: str, behind: str) -> None:
    colours = asdict(HIGH_CONTRAST)
    assert contrast(colours[text], colours[behind]) >= 7


@pytest.mark.parametrize("tokens", THEMES)
@pytest.mark.parametrize("behind", ["paper", "desk"])
def test_what_was_found_can_be_read(tokens: Tokens, behind: str) -> None:
    marked = found_colour(tokens, asdict(tokens)[behind]).name()
    assert contrast(tokens.ink, marked) >= (7 if tokens is HIGH_CONTRAST else 4.5)


@pytest.mark.parametrize("tokens", THEMES)
def test_every_token_is_a_colour(tokens: Tokens) -> None:
    colours = {name: value for name, value in asdict(tokens).items() if name not in ("name", "is_dark")}
    assert [name for name, value in colours.items() if not re.fullmatch("#[0-9a-f]{6}", value)] == []
    assert tokens.is_dark == (contrast(tokens.paper, "#ffffff") > contrast(tokens.paper, "#000000"))


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

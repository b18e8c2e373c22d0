"""Overlays are told apart by more than colour, and text on them can be read."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtGui import QTextCharFormat

from quire.domain.text_quality.overlays import KINDS, Overlay, SpanKind
from quire.theme.colour_tokens import THEMES, Tokens, contrast
from quire.theme.overlay_colours import is_high_contrast, kind_look, overlay_sheet

_NONE = QTextCharFormat.UnderlineStyle.NoUnderline


def name(tokens: Tokens) -> str:
    return tokens.name


@pytest.mark.parametrize("tokens", THEMES, ids=name)
@pytest.mark.parametrize("overlay", Overlay)
def test_the_kinds_of_an_overlay_have_different_underlines(overlay: Overlay, tokens: Tokens) -> None:
    looks = [kind_look(kind, tokens) for kind in KINDS[overlay]]
    for one, other in combinations(looks, 2):
        assert one.underline is not other.underline
        assert one.colour != other.colour or _NONE in (one.underline, other.underline)


@pytest.mark.parametrize("tokens", THEMES, ids=name)
@pytest.mark.parametrize("kind", SpanKind)
def test_lines_are_seen_and_words_are_read(kind: SpanKind, tokens: Tokens) -> None:
    look = kind_look(kind, tokens)
    assert contrast(look.colour.name(), tokens.paper) >= 4.5
    if look.wash is not None:
        assert contrast(tokens.ink, look.wash.name()) >= 7
    mark = look.char_format()
    assert (mark.propertyCount() == 0) == (look.underline is _NONE and look.wash is None)


def test_strong_contrast_has_no_washes() -> None:
    strong = [tokens for tokens in THEMES if is_high_contrast(tokens)]
    assert [tokens.name for tokens in strong] == ["contrast"]
    assert all(kind_look(kind, strong[0]).wash is None for kind in SpanKind)


@pytest.mark.parametrize("tokens", THEMES, ids=name)
def test_the_sheet_has_the_colours_of_the_theme(tokens: Tokens) -> None:
    assert tokens.paper in overlay_sheet(tokens)

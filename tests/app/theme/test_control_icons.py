from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QDir, QFile, QIODevice
from PySide6.QtGui import QIcon, QImage

from quire.theme.colour_tokens import THEMES, Tokens
from quire.theme.control_icons import control_icons
from quire.theme.palette import style_sheet_of

EVERY = pytest.mark.parametrize("tokens", [pytest.param(tokens, id=tokens.name) for tokens in THEMES])


def drawn(path: str) -> QImage:
    return QIcon(path).pixmap(32, 32).toImage()


@EVERY
def test_every_picture_that_the_style_sheet_names_is_there_and_draws(tokens: Tokens, qapp: object) -> None:
    paths = set(re.findall(r"url\(([^)]*)\)", style_sheet_of(tokens)))
    assert {path.rpartition("/")[0] for path in paths} == {control_icons(tokens)}
    assert {path.rpartition("/")[2] for path in paths} == set(QDir(control_icons(tokens)).entryList())
    for path in paths:
        image = drawn(path)
        assert any(image.pixelColor(x, y).alpha() for x in range(32) for y in range(32)), path


@EVERY
@pytest.mark.parametrize(
    ("name", "token"), [("down", "soft_ink"), ("down-disabled", "faint_ink"), ("tick", "on_accent")]
)
def test_a_mark_has_the_colour_of_its_theme(tokens: Tokens, name: str, token: str, qapp: object) -> None:
    file = QFile(f"{control_icons(tokens)}/{name}.svg")
    assert file.open(QIODevice.OpenModeFlag.ReadOnly)
    drawing = bytes(file.readAll().data()).decode()
    assert f'"{getattr(tokens, token)}"' in drawing
    assert "currentColor" not in drawing

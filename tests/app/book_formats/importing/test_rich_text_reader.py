"""Every character of RTF arrives as itself, in whichever of the many ways programs write it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing.rich_text_reader import rich_text_manuscript
from quire.book_formats.paragraphs import fit, parsed, plain

_FONTS = r"{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}}"


def units(text: str, after: str) -> str:
    """Return a text by the numbers of its UTF-16 units; after: each of them, for older programs."""
    content = text.encode("utf-16-le")
    numbers = (
        int.from_bytes(content[at : at + 2], "little", signed=True) for at in range(0, len(content), 2)
    )
    return "".join(rf"\u{number}{after}" for number in numbers)


def escaped(text: str, encoding: str) -> str:
    return "".join(rf"\'{byte:02x}" for byte in text.encode(encoding))


def rtf(body: str, head: str = r"\ansi") -> bytes:
    return rf"{{\rtf1{head}{_FONTS}{body}\par}}".encode("latin-1")


@pytest.mark.sliced
@pytest.mark.parametrize(
    ("content", "text"),
    [
        (rtf(r"I\u8217?m here, it\u8217?s fine."), "I’m here, it’s fine."),
        (rtf(r"\uc0 I\u8217 m {\uc2\u8217 ??s}\u233?\'e9"), "I’m ’sé?é"),
        (rtf(r"I\u8217'm"), "I’m"),
        (rtf(rf"\f1 {escaped('Привет', 'cp1251')} {{\f2 {escaped('日本語', 'cp932')}}}"), "Привет 日本語"),
        (rtf(escaped("Привет", "cp1251"), r"\ansi\ansicpg1251"), "Привет"),
        (rtf(escaped("“café”", "mac_roman"), r"\mac"), "“café”"),
        (rtf(r"{\f2 \'83A\'83\\}b"), "アソb"),
        (rtf("\x93caf\xe9\x94"), "“café”"),
        (rtf("x").replace(b"x", "“café” 😀".encode()), "“café” 😀"),
        (rtf(r"\b\u8217?t\b0\'e9 a\'7bb\'7d"), "**’t**é a{b}"),
        (rtf(r"a{\pict\bin5 }\'9x}b\u8217?c"), "ab’c"),
    ],
)
def test_a_character_is_itself(content: bytes, text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(content)
    assert read_manuscript(path).manuscript.text == text


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1))
def test_numbers_of_characters_are_the_characters(text: str) -> None:
    for form in (
        units(text, "?"),
        r"\uc0 " + units(text, " "),
        r"\uc2" + units(text, "??"),
        units(text, r"\'3f"),
    ):
        found = rich_text_manuscript(rtf(f"x{form}")).text
        assert plain(parsed(found)) == fit(f"x{text}")


@given(st.text("\\{}'u0af?é \n", max_size=60).map(lambda text: text.encode("latin-1")))
def test_no_file_ends_in_an_error(content: bytes) -> None:
    rich_text_manuscript(b"{\\rtf1 " + content)

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.editor.document import ManuscriptDocument
from quire.editor.plain_text import to_document, to_manuscript
from quire.theme.fonts import reading_font

HARD = [
    "",
    "\n",
    "one line",
    "two\n\nparagraphs\n",
    "“Quoted”\u00a0! 5\u202fkm, soft\u00adhyphen, zero\u200bwidth, \ufeff",
    "\U0001f58b pen, e\u0301 not é, \U0001d11e clef",
    "tab\tand form\x0cfeed",
    "\ufffc is not an image",
]


@pytest.mark.parametrize("text", HARD)
def test_a_document_gives_every_character_back(qapp: object, text: str) -> None:
    document = ManuscriptDocument(reading_font(19))
    document.replace_text(text)
    assert document.text() == text


@pytest.mark.parametrize("text", HARD)
def test_appended_text_comes_back_too(qapp: object, text: str) -> None:
    document = ManuscriptDocument(reading_font(19))
    document.replace_text("Before\u00a0it")
    document.append_text(text)
    assert document.text() == "Before\u00a0it" + text


@pytest.mark.parametrize("text", ["a\r\nb\rc", "a\u2029b\u2028c", "a\ufdd0b\ufdd1c"])
def test_there_is_one_kind_of_line_end(qapp: object, text: str) -> None:
    document = ManuscriptDocument(reading_font(19))
    document.replace_text(text)
    assert document.text() == "a\nb\nc"


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_converting_there_and_back_settles_at_once(text: str) -> None:
    settled = to_manuscript(to_document(text))
    assert to_manuscript(to_document(settled)) == settled
    assert len(settled) == len(to_document(text))


def test_a_text_loads_nothing(qapp: object) -> None:
    document = ManuscriptDocument(reading_font(19))
    document.replace_text('<img src="/etc/passwd"><a href="https://example.org">')
    assert document.text().startswith("<img")
    assert document.loadResource(2, "/etc/passwd") is None


def test_every_paragraph_has_the_line_height(qapp: object) -> None:
    document = ManuscriptDocument(reading_font(19))
    document.replace_text("one\n\ntwo")
    document.append_text(" and\n\nthree")
    tops = []
    block = document.begin()
    while block.isValid():
        tops.append(document.documentLayout().blockBoundingRect(block).top())
        block = block.next()
    assert len(tops) == 5
    assert all(1.55 * 19 < lower - upper < 1.65 * 19 for upper, lower in pairwise(tops))

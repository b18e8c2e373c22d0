"""The page of a book that is written from right to left."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from quire.book_formats.book import book_of_text
from quire.book_formats.export_settings import ExportSettings
from quire.book_formats.pdf import pages
from quire.book_formats.work_progress import WorkProgress
from quire.domain.manuscript.manuscript import is_right_to_left
from quire.editor.manuscript_editor import ManuscriptEditor

HEBREW = "היא הגיעה מאוחר, ואיש לא ראה את האור."


@pytest.mark.parametrize(
    ("language", "runs"), [("he", True), ("ar-EG", True), ("fa_IR", True), ("en", False), ("arn", False)]
)
def test_the_language_of_a_book_tells_its_direction(language: str, runs: bool) -> None:
    assert is_right_to_left(language) is runs


def test_every_line_of_the_page_begins_at_the_right(qtbot: Any) -> None:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(800, 600)
    editor.show()
    for is_on in (True, False):
        editor.set_right_to_left(is_right_to_left=is_on)
        editor.show_text("1999.\nMara.\n" + HEBREW)
        page = editor.document()
        page.documentLayout().documentSize()
        found = []
        for number in range(3):
            layout = page.findBlockByNumber(number).layout()
            found.append(layout.lineAt(0).naturalTextRect().left() > layout.boundingRect().width() / 3)
        assert found == ([True] * 3 if is_on else [False, False, True])


def test_a_printed_book_begins_its_lines_at_the_right() -> None:
    def places(language: str) -> list[float]:
        book = book_of_text("Mara.", "", "", language)
        data = pages(book, ExportSettings(title_page=False), WorkProgress())
        found = list[float]()
        page = PdfReader(BytesIO(data)).pages[0]
        page.extract_text(
            visitor_text=lambda text, cm, tm, *_: found.append(tm[4] * cm[0] + cm[4]) if "M" in text else None
        )
        return found

    assert min(places("he")) > min(places("en"))

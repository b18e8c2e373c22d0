from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor

from quire.editor.document import ManuscriptDocument
from quire.editor.read_only_text import ReadOnlyText

PARAGRAPHS = "".join(f"Paragraph {number} of the letter.\n\n" for number in range(200))


def shown(page: ReadOnlyText) -> str:
    document = page.document()
    assert isinstance(document, ManuscriptDocument)
    return document.text()


def test_what_is_read_stays_in_its_place_while_the_text_grows_and_changes(qtbot: Any) -> None:
    page = ReadOnlyText()
    qtbot.addWidget(page)
    page.resize(300, 200)
    page.show()
    page.show_text(PARAGRAPHS, "Letters")
    assert page.accessibleName() == "Letters"
    caret = page.textCursor()
    caret.setPosition(PARAGRAPHS.index("Paragraph 90"))
    caret.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    page.setTextCursor(caret)
    scrolled = page.verticalScrollBar().value()
    assert scrolled > 0
    page.update_text(PARAGRAPHS + "The end.")
    assert page.verticalScrollBar().value() == scrolled
    page.update_text(PARAGRAPHS.replace("Paragraph 150 of", "Page 150 of") + "The end.")
    assert page.verticalScrollBar().value() == scrolled
    assert page.textCursor().selectedText() == "Paragraph 90 of the letter."
    assert shown(page) == page.text == PARAGRAPHS.replace("Paragraph 150 of", "Page 150 of") + "The end."


TEXTS = st.text(st.sampled_from(["a", "b", "\n", "\U0001f409", "\u00a0"]), max_size=12)


@given(st.lists(TEXTS, min_size=2, max_size=5))
def test_the_text_is_the_one_that_was_shown_last_whatever_changed(qapp: Any, texts: list[str]) -> None:
    page = ReadOnlyText()
    page.show_text(texts[0], "")
    for text in texts[1:]:
        page.update_text(text)
        assert shown(page) == text
    page.deleteLater()

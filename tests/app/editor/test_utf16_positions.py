from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QTextCursor

from quire.editor.document import ManuscriptDocument
from quire.editor.utf16_positions import Utf16Positions

TEXT = st.text(alphabet="ab é—\n\u00a0😀\U0001d518", max_size=30)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(TEXT)
def test_every_offset_is_a_position_and_back(text: str) -> None:
    positions = Utf16Positions(text)
    for offset in range(len(text) + 1):
        assert positions.to_document(offset) == units(text[:offset])
        assert positions.to_text(units(text[:offset])) == offset


def test_a_place_within_a_character_is_that_character() -> None:
    assert [Utf16Positions("a😀😀b").to_text(position) for position in range(7)] == [0, 1, 1, 2, 2, 3, 4]


def test_a_document_of_qt_counts_so(qapp: object) -> None:
    text = "😀 a line\nand “\U0001d518” another\n\u00a0é"
    document = ManuscriptDocument(QFont())
    document.replace_text(text)
    positions = Utf16Positions(text)
    assert document.characterCount() - 1 == positions.to_document(len(text))
    for offset in range(len(text)):
        cursor = QTextCursor(document)
        cursor.setPosition(positions.to_document(offset))
        cursor.setPosition(positions.to_document(offset + 1), QTextCursor.MoveMode.KeepAnchor)
        assert cursor.selectedText().replace("\u2029", "\n") == text[offset]

"""Keys at the ends of paragraphs, which a blank line parts: to the writer the two line ends are one.

Enter begins a paragraph; Shift+Enter breaks the line within one. A text whose paragraphs are lines, as some
writers type them, stays one: there each key does what it does in any text area.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QTextEdit

from quire.domain.manuscript.markup import has_gaps

_GAP = "\n\n"
_TELLING = 3
"""Lines of a text that show whether each is a paragraph."""


def press(editor: QTextEdit, event: QKeyEvent) -> bool:
    """Handle a key where paragraphs meet; return False if the text area is to handle it."""
    cursor, key = editor.textCursor(), event.key()
    plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    is_enter = plain and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
    is_back = plain and key == Qt.Key.Key_Backspace and cursor.atBlockStart()
    is_delete = plain and key == Qt.Key.Key_Delete and cursor.atBlockEnd()
    is_typed = event.text().isprintable() and event.text() != "" and _is_gap(cursor.block())
    is_join = (is_back or is_delete) and not cursor.hasSelection()
    if editor.isReadOnly() or not (is_enter or is_join or is_typed) or not has_gaps_at(cursor):
        return False
    cursor.beginEditBlock()
    done = True
    if is_join:
        done = _join(cursor, backwards=is_back)
    elif is_enter and not _is_gap(cursor.block()):
        _begin_paragraph(cursor)
    else:
        _make_room(cursor)
        done = is_enter
    cursor.endEditBlock()
    editor.setTextCursor(cursor)
    editor.ensureCursorVisible()
    return done


def _begin_paragraph(cursor: QTextCursor) -> None:
    """Part the text at the caret, unless it is in an empty paragraph already."""
    is_empty = not cursor.block().text() and not cursor.hasSelection()
    if not is_empty or cursor.atStart():
        cursor.insertText(_GAP)


def _make_room(cursor: QTextCursor) -> None:
    """Make a paragraph of the blank line between two."""
    block = cursor.block()
    follows = block.next().isValid() and block.next().text() != ""
    cursor.insertText("\n" * (2 if follows else 1))
    if follows:
        cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter)


def _join(cursor: QTextCursor, *, backwards: bool) -> bool:
    """Remove the line ends between two paragraphs; return False if there is but one."""
    block = cursor.block()
    beside = block.previous() if backwards else block.next()
    if _is_gap(block):  # the caret is between the two: it goes to the one that the key points at
        way = (
            QTextCursor.MoveOperation.PreviousCharacter
            if backwards
            else QTextCursor.MoveOperation.NextCharacter
        )
        cursor.movePosition(way)
        return True
    beyond = beside.previous() if backwards else beside.next()
    if not beside.isValid() or beside.text() or not beyond.isValid():
        return False
    for _ in _GAP:
        cursor.deletePreviousChar() if backwards else cursor.deleteChar()
    return True


def _is_gap(block: QTextBlock) -> bool:
    """Return whether a block is the blank line below a paragraph, and no empty paragraph."""
    above = block.previous()
    return not block.text() and above.isValid() and above.text() != ""


def has_gaps_at(cursor: QTextCursor) -> bool:
    """Return whether blank lines part the paragraphs of the text, or may: it is too short to tell.

    The line of the caret doesn't count while it is blank: Enter has just made it.
    """
    block, here, lines = cursor.document().firstBlock(), cursor.block(), list[str]()
    while block.isValid():
        if block.text() or block != here:
            lines.append(block.text())
        block = block.next()
    return len([line for line in lines if line.strip()]) < _TELLING or has_gaps(lines)

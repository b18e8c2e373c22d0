"""Displays formatting marks as what they mean, and applies them to the selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile

from PySide6.QtGui import QColor, QFont, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextEdit

from quire.domain.manuscript.emphasis import Chosen, Style, has_style, restyled, with_level, word_at
from quire.domain.manuscript.markup import Markup, MarkupRun, markup_of
from quire.domain.manuscript.title_headings import leading_heading
from quire.domain.manuscript.tree import NodeKind
from quire.editor.text_layers import Mark
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.colour_tokens import LIGHT, Tokens
from quire_engine.api.heading_grammar import MAX_HEADING

HEADING_SIZES = {1: 1.3, 2: 1.15, 3: 1.0}
"""Size of headings relative to the text."""
_LEVELS = {NodeKind.PART: 1, NodeKind.CHAPTER: 2}
_BOTH = 3
"""Marks of what is bold and italic."""
_HEADING_LINES = 8
"""Lines in which the heading of a text is looked for."""
SCENE_BREAK = "***"
_REMEMBERED_LINES = 2_000
_LINE_ENDS = ("\u2029", "\u2028")
_MAY_MEAN_SOMETHING = frozenset("*_#\\-–—~⁂❦•")


class FormatLayer:
    """Displays italics, bold, headings and scene breaks; the marks themselves are dimmed."""

    def __init__(self, editor: QTextEdit) -> None:
        self._editor = editor
        self._tokens: Tokens = LIGHT
        self._formats: dict[tuple[int, bool, bool, bool], QTextCharFormat] = {}
        self._text_px = 0

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme; the layers have to be refreshed afterwards."""
        self._tokens = tokens
        self._formats.clear()

    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the formats of one line."""
        line = block.text()
        if level := _heading_level(block):
            self._follow_size()
            plain = MarkupRun(0, len(line), line, italic=False, bold=False)
            return (Mark(0, block.length() - 1, self._format(level, plain, is_mark=False)),)
        if _MAY_MEAN_SOMETHING.isdisjoint(line):
            return ()
        markup = _read(line)
        if markup.is_break:
            return (Mark(0, block.length() - 1, self._soft()),)
        self._follow_size()
        positions = Utf16Positions(line)
        marks = list[Mark]()
        for run in markup.runs:
            for start, end, is_mark in _parts(run):
                if markup.level or run.italic or run.bold or is_mark:
                    first, behind = positions.to_document(start), positions.to_document(end)
                    marks.append(Mark(first, behind - first, self._format(markup.level, run, is_mark)))
        return marks

    def _follow_size(self) -> None:
        if (text_px := self._editor.document().defaultFont().pixelSize()) != self._text_px:
            self._text_px = text_px
            self._formats.clear()

    def _format(self, level: int, run: MarkupRun, is_mark: bool) -> QTextCharFormat:
        italic, bold = run.italic and not is_mark, bool(level) or (run.bold and not is_mark)
        key = (level, italic, bold, is_mark)
        if key not in self._formats:
            look = QTextCharFormat()
            if level:
                pixels = round(HEADING_SIZES[level] * self._text_px)
                look.setProperty(QTextFormat.Property.FontPixelSize.value, pixels)
            if bold:
                look.setFontWeight(QFont.Weight.Bold)
            if italic:
                look.setFontItalic(True)
            if is_mark:
                look.setForeground(QColor(self._tokens.faint_ink))
            self._formats[key] = look
        return self._formats[key]

    def _soft(self) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setForeground(QColor(self._tokens.soft_ink))
        return look


@lru_cache(maxsize=_REMEMBERED_LINES)
def _read(line: str) -> Markup:
    return markup_of(line)


def _heading_level(block: QTextBlock) -> int:
    """Return the level of a line of the heading that the text begins with, if words alone say so; or 0."""
    number = block.blockNumber()
    if number >= _HEADING_LINES or not block.text().strip() or block.text().startswith("#"):
        return 0
    lines, one = list[str](), block.document().firstBlock()
    while one.isValid() and len(lines) <= _HEADING_LINES:
        lines.append(one.text()[: MAX_HEADING + 1])
        one = one.next()
    start, end, level = _heading_in("\n".join(lines))
    place = sum(len(line) + 1 for line in lines[:number])
    return level if start <= place < end else 0


@lru_cache(maxsize=16)
def _heading_in(text: str) -> tuple[int, int, int]:
    """Return where the heading of a text begins and ends, and its level; zeros without one."""
    heading = leading_heading(text)
    return (0, 0, 0) if heading is None else (heading.start, heading.end, _LEVELS.get(heading.kind, 3))


def _parts(run: MarkupRun) -> list[tuple[int, int, bool]]:
    """Return the ranges of a run that are read, and those that are only marks or escapes."""
    num_marks = run.end - run.start - len(run.says)  # backslashes precede what they escape
    parts = [(run.start, run.start + num_marks, True), (run.start + num_marks, run.end, False)]
    return [part for part in parts if part[0] < part[1]]


# ------------------------------------------------------------ commands
def toggle_style(editor: QTextEdit, style: Style) -> QTextCursor | None:
    """Apply a style to the selection or the word around the caret, or remove it if all of it has the style.

    Elsewhere it is for what is typed next: set the caret between a pair of marks, or behind the marks that
    end the style. Return the place between marks that are still empty.
    """
    if editor.isReadOnly():
        return None
    cursor = editor.textCursor()
    if not cursor.hasSelection():
        return _toggle_at_caret(editor, style)
    styles = [(block, one, has_style(one, style)) for block, one in _chosen_lines(cursor)]
    chosen = [(block, one) for block, one, has in styles if has is not None]
    if not chosen:
        return None
    on = not all(has for _, _, has in styles if has is not None)
    backwards = cursor.position() < cursor.anchor()
    done = [(block, restyled(one, style, on=on)) for block, one in chosen]
    cursor.beginEditBlock()
    for (block, before), (_, after) in zip(chosen, done, strict=True):
        _replace_line(block, before.line, after.line)
    cursor.endEditBlock()
    (first, at), (last, behind) = done[0], done[-1]
    places = [_place(first, at.line, at.start), _place(last, behind.line, behind.end)]
    anchor, position = reversed(places) if backwards else places
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    return None


def drop_empty_marks(place: QTextCursor, style: Style) -> None:
    """Remove marks that the caret has left before anything was typed between them."""
    line = place.block().text()
    at = Utf16Positions(line).to_text(place.positionInBlock())
    num_marks = len(style.value)
    if [len(line[:at]) - len(line[:at].rstrip("*")), len(line[at:]) - len(line[at:].lstrip("*"))] == 2 * [
        num_marks
    ]:
        place.setPosition(place.position() - num_marks)
        place.setPosition(place.position() + 2 * num_marks, QTextCursor.MoveMode.KeepAnchor)
        place.removeSelectedText()


def set_heading_level(editor: QTextEdit, level: int) -> None:
    """Turn the selected paragraphs into headings, or back into paragraphs for level 0."""
    _change_lines(editor, lambda line: with_level(line, level))


def insert_scene_break(editor: QTextEdit) -> None:
    """Split the text at the caret with a scene break and place the caret after it."""
    if editor.isReadOnly():
        return
    cursor = editor.textCursor()
    document = cursor.document()
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    while document.characterAt(cursor.position()) == " ":
        cursor.deleteChar()
    while cursor.position() and document.characterAt(cursor.position() - 1) == " ":
        cursor.deletePreviousChar()
    before = _num_line_ends(document, cursor.position() - 1, -1)
    behind = _num_line_ends(document, cursor.position(), 1)
    has_text_before = cursor.position() > before
    cursor.insertText("\n" * (2 - before if has_text_before else 0) + SCENE_BREAK + "\n" * (2 - behind))
    cursor.endEditBlock()
    cursor.setPosition(cursor.position() + behind)
    editor.setTextCursor(cursor)
    editor.ensureCursorVisible()


# ------------------------------------------------------------ inside
def _toggle_at_caret(editor: QTextEdit, style: Style) -> QTextCursor | None:
    cursor, marks = editor.textCursor(), style.value
    block = cursor.block()
    line, positions = block.text(), Utf16Positions(block.text())
    place = positions.to_text(cursor.position() - block.position())
    word = word_at(line, place)
    if _leave_style(cursor, line, place, style):
        pass
    elif word is not None and (word.start < place < word.end or has_style(word, style)):
        has = has_style(word, style)
        if has is None:
            return None
        after = restyled(word, style, on=not has)
        place = after.start + place - word.start
        cursor.beginEditBlock()
        _replace_line(block, line, after.line)
        cursor.endEditBlock()
        cursor.setPosition(_place(block, after.line, min(place, len(after.line))))
    else:
        cursor.insertText(2 * marks)
        cursor.setPosition(cursor.position() - len(marks))
        editor.setTextCursor(cursor)
        return cursor
    editor.setTextCursor(cursor)
    return None


def _leave_style(cursor: QTextCursor, line: str, place: int, style: Style) -> bool:
    """Move the caret behind the marks that end a style right after it; return False if there are none.

    Marks with nothing between them are removed, and spaces typed before the marks end up behind them.
    """
    num_marks, num_after = len(style.value), len(line[place:]) - len(line[place:].lstrip("*"))
    if num_after not in (num_marks, _BOTH):
        return False
    head, tail = line[:place], line[place:]
    if len(head) - len(head.rstrip("*")) == num_after:
        left, place = head[:-num_marks] + tail[num_marks:], place - num_marks
    else:
        words = head.rstrip(" ")
        left = words + tail[:num_after] + head[len(words) :] + tail[num_after:]
        if not words or not has_style(Chosen(left, len(words) - 1, len(words)), style):
            return False
        left = words + style.value + head[len(words) :] + tail[num_marks:]
        place += num_marks
    block = cursor.block()
    cursor.beginEditBlock()
    _replace_line(block, line, left)
    cursor.endEditBlock()
    cursor.setPosition(_place(block, left, place))
    return True


def _change_lines(editor: QTextEdit, changed: Callable[[str], str]) -> None:
    """Change every selected line; empty ones only if the caret is in one."""
    if editor.isReadOnly():
        return
    cursor = editor.textCursor()
    blocks = _blocks_of(cursor)
    cursor.beginEditBlock()
    for block in blocks:
        line = block.text()
        if line.strip() or len(blocks) == 1:
            _replace_line(block, line, changed(line))
    cursor.endEditBlock()


def _blocks_of(cursor: QTextCursor) -> list[QTextBlock]:
    document = cursor.document()
    block = document.findBlock(cursor.selectionStart())
    blocks = [block]
    while block.next().isValid() and block.next().position() < cursor.selectionEnd():
        block = block.next()
        blocks.append(block)
    return blocks


def _chosen_lines(cursor: QTextCursor) -> list[tuple[QTextBlock, Chosen]]:
    """Return the selected part of every line."""
    chosen = list[tuple[QTextBlock, Chosen]]()
    for block in _blocks_of(cursor):
        line, positions = block.text(), Utf16Positions(block.text())
        start = max(cursor.selectionStart() - block.position(), 0)
        end = min(cursor.selectionEnd() - block.position(), block.length() - 1)
        chosen.append((block, Chosen(line, positions.to_text(start), positions.to_text(end))))
    return chosen


def _place(block: QTextBlock, line: str, offset: int) -> int:
    """Return the document position of an offset within a line of a block."""
    return block.position() + Utf16Positions(line).to_document(offset)


def _replace_line(block: QTextBlock, before: str, after: str) -> None:
    """Replace only the part of a line that differs, so that carets and marks around it stay in place."""
    if before == after:
        return
    start = _num_same(before, after)
    same_behind = _num_same(before[start:][::-1], after[start:][::-1])
    cursor = QTextCursor(block)
    cursor.setPosition(_place(block, before, start))
    end = _place(block, before, len(before) - same_behind)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(after[start : len(after) - same_behind])


def _num_same(one: str, other: str) -> int:
    """Return the length of the common prefix of two lines."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _num_line_ends(document: QTextDocument, position: int, step: int) -> int:
    """Return the number of consecutive line ends from a position on, two at most."""
    number, end = 0, document.characterCount() - 1  # the last character belongs to the document
    while number < 2 and 0 <= position < end and document.characterAt(position) in _LINE_ENDS:
        number += 1
        position += step
    return number

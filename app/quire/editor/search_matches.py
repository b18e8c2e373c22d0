"""Search matches in the open text: finding, marking and replacing them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from quire.domain.manuscript.find_replace import Change, Match, Query, changes, effective, matches
from quire.domain.manuscript.manuscript import digest_of
from quire.editor.plain_text import to_document
from quire.editor.utf16_positions import Utf16Positions
from quire.errors import WriterProblem
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.search_colours import found_colour

if TYPE_CHECKING:
    from quire.editor.manuscript_editor import ManuscriptEditor

LIMIT_S = 0.5
"""Time limit of a search here, since the writer waits for it."""
MAX_MARKS = 400
"""More marks on one page would be slow to draw and mark almost everything."""
EDGE_PX = 64
"""A match closer to the edge of the view than this is scrolled further in."""
_SHORTEST_WAIT_MS, _LONGEST_WAIT_MS = 30, 1_000
_WAIT_PER_SEARCH = 10
"""The next search waits for the text to be idle for the duration of the last one times this factor."""


def select_place(editor: ManuscriptEditor, start: int, end: int) -> None:
    """Select the characters from start to end of the open text, as far as they exist."""
    text = editor.text()
    positions = Utf16Positions(text)
    caret = editor.textCursor()
    caret.setPosition(positions.to_document(min(start, len(text))))
    caret.setPosition(positions.to_document(min(end, len(text))), QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(caret)
    _show_around(editor)


def _show_around(editor: ManuscriptEditor) -> None:
    """Move the caret away from the edges of the view, so that a match is shown in context."""
    caret, height = editor.cursorRect(), editor.viewport().height()
    if caret.top() < EDGE_PX or caret.bottom() > height - EDGE_PX:
        bar = editor.verticalScrollBar()
        bar.setValue(bar.value() + caret.top() - height // 3)


class FoundPlaces(QObject):
    """Keeps matches up to date while switched on, and marks those in the visible part.

    Signals:
        changed: the matches, the current match or the lock of the text changed.
        replaced: the digest of the text before, and all changes that were made to it at once.
    """

    changed = Signal()
    replaced = Signal(str, object)

    def __init__(self, editor: ManuscriptEditor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._tokens: Tokens = LIGHT
        self._query = Query("")
        self._problem = ""
        self._text = ""
        self._matches: tuple[Match, ...] = ()
        self._starts: list[int] = []
        self._positions = Utf16Positions("")
        self._chosen: int | None = None
        self._from = 0
        self._is_on = False
        self._is_stale = True
        self._gave_up = False
        self._has_marks = False
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setInterval(_SHORTEST_WAIT_MS)
        self._waiting.timeout.connect(self._search_again)
        editor.document().contentsChange.connect(self._text_changed)
        editor.verticalScrollBar().valueChanged.connect(self._mark)
        editor.installEventFilter(self)

    # ------------------------------------------------------------ results
    @property
    def problem(self) -> str:
        """Return why nothing can be found, as a sentence; empty if there is no problem."""
        return self._problem

    @property
    def num_matches(self) -> int:
        """Return the number of matches in the text."""
        return len(self._matches)

    @property
    def chosen(self) -> int | None:
        """Return the index of the current match."""
        return self._chosen

    @property
    def may_replace(self) -> bool:
        """Return whether the writer can edit the text."""
        return not (self._editor.isReadOnly() or self._editor.is_drafting)

    # ------------------------------------------------------------ searching
    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self._tokens = tokens
        self._mark()

    def switch(self, *, on: bool) -> None:
        """Start searching from the caret, or stop and remove the marks."""
        self._is_on = on
        self._waiting.stop()
        if on:
            self._from = self._editor.textCursor().selectionStart()
            self._search()
        self._mark()

    def look_for(self, query: Query) -> None:
        """Search for something and select the first match from where the writer started to search."""
        was_chosen = self._chosen is not None
        self._query = query
        self._search()
        if self._matches:
            self._choose(self._at_or_after(self._from))
        elif was_chosen:
            self._choose(None)

    def go(self, *, backwards: bool = False) -> None:
        """Select the next match after the caret or the last before it, wrapping around."""
        self._search_if_stale()
        caret = self._editor.textCursor()
        if not self._matches:
            return
        if backwards:
            before = bisect_left(self._starts, self._positions.to_text(caret.selectionStart())) - 1
            self._choose(before % len(self._matches))
        else:
            self._choose(self._at_or_after(caret.selectionEnd()))
        self._from = self._editor.textCursor().selectionStart()

    # ------------------------------------------------------------ replacing
    def replace_chosen(self, replacement: str) -> None:
        """Replace the selected match and go to the next; if none is selected, only go there."""
        self._search_if_stale()
        if not self.may_replace:
            return
        match = self._selected()
        if match is not None:
            wanted = self._wanted([match], replacement)
            if wanted is None:
                return
            (change,) = wanted
            cursor = self._cursor_over(match.start, match.end)
            cursor.insertText(to_document(change.text))
            self._editor.setTextCursor(cursor)
            self._search()
        self.go()

    def replace_all(self, replacement: str) -> int:
        """Replace all matches as one undo step and return their number."""
        if not self.may_replace:
            return 0
        self._search()
        before, count = self._text, len(self._matches)
        wanted = self._wanted(self._matches, replacement)
        if wanted is None:
            return 0
        if wanted := effective(before, wanted):
            cursor = QTextCursor(self._editor.document())
            cursor.beginEditBlock()
            for change in reversed(wanted):
                self._move_over(cursor, change.start, change.end)
                cursor.insertText(to_document(change.text))
            cursor.endEditBlock()
            self._search()
            self.replaced.emit(digest_of(before), wanted)
        return count

    # ------------------------------------------------------------ events
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle resizing of the view and the lock of the text."""
        if self._is_on and event.type() is QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._mark)  # the text is laid out first
        if self._is_on and event.type() is QEvent.Type.ReadOnlyChange:
            self.changed.emit()
        return super().eventFilter(watched, event)

    @Slot(int, int, int)
    def _text_changed(self, position: int, removed: int, added: int) -> None:
        if not self._is_on:
            return
        self._is_stale = True
        # a search that timed out is not repeated for every drafted word
        if not self._waiting.isActive() and not self._gave_up:
            self._waiting.start()

    @Slot()
    def _search_again(self) -> None:
        self._search_if_stale()

    # ------------------------------------------------------------ inside
    def _search_if_stale(self) -> None:
        if self._is_stale and self._is_on:
            self._search()

    def _search(self) -> None:
        self._waiting.stop()
        began = perf_counter()
        self._text = self._editor.text()
        try:
            self._matches, self._problem = matches(self._text, self._query, limit_s=LIMIT_S), ""
        except WriterProblem as problem:
            self._matches, self._problem = (), problem.message
        self._gave_up = bool(self._problem)
        self._starts = [match.start for match in self._matches]
        self._positions = Utf16Positions(self._text)
        self._is_stale = False
        took_ms = round((perf_counter() - began) * 1000)
        wait_ms = min(max(took_ms * _WAIT_PER_SEARCH, _SHORTEST_WAIT_MS), _LONGEST_WAIT_MS)
        self._waiting.setInterval(wait_ms)
        selected = self._selected()
        self._chosen = None if selected is None else self._starts.index(selected.start)
        self._mark()
        self.changed.emit()

    def _wanted(self, found: Sequence[Match], replacement: str) -> tuple[Change, ...] | None:
        """Return what replacing would change; if the replacement is invalid, return None and set the
        problem.
        """
        try:
            return changes(found, self._query, replacement)
        except WriterProblem as problem:
            self._problem = problem.message
            self.changed.emit()
            return None

    def _at_or_after(self, position: int) -> int | None:
        """Return the first match at or after a document position, or else the first of all."""
        if not self._matches:
            return None
        return bisect_left(self._starts, self._positions.to_text(position)) % len(self._matches)

    def _choose(self, number: int | None) -> None:
        caret = self._editor.textCursor()
        if number is None:
            caret.setPosition(min(self._from, self._editor.document().characterCount() - 1))
            self._editor.setTextCursor(caret)
        else:
            self._move_over(caret, self._matches[number].start, self._matches[number].end)
            self._editor.setTextCursor(caret)
            _show_around(self._editor)
        self._chosen = number
        self.changed.emit()

    def _selected(self) -> Match | None:
        """Return the match that is selected."""
        caret = self._editor.textCursor()
        number = bisect_left(self._starts, self._positions.to_text(caret.selectionStart()))
        if not caret.hasSelection() or number == len(self._matches):
            return None
        match = self._matches[number]
        wanted = self._positions.to_document(match.start), self._positions.to_document(match.end)
        return match if (caret.selectionStart(), caret.selectionEnd()) == wanted else None

    def _cursor_over(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self._editor.document())
        self._move_over(cursor, start, end)
        return cursor

    def _move_over(self, cursor: QTextCursor, start: int, end: int) -> None:
        cursor.setPosition(self._positions.to_document(start))
        cursor.setPosition(self._positions.to_document(end), QTextCursor.MoveMode.KeepAnchor)

    @Slot()
    def _mark(self) -> None:
        """Mark the matches in the visible part; marking all would be slow in a long text."""
        if self._is_on and self._is_stale:
            return  # existing marks move along with their words until the next search
        look = QTextCharFormat()
        look.setBackground(found_colour(self._tokens, self._tokens.paper))
        marks: list[QTextEdit.ExtraSelection] = []
        for match in self._in_view()[:MAX_MARKS]:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self._cursor_over(match.start, match.end)
            mark.format = look
            marks.append(mark)
        if marks or self._has_marks:  # marks set by others are kept
            self._editor.setExtraSelections(marks)
        self._has_marks = bool(marks)

    def _in_view(self) -> tuple[Match, ...]:
        if not self._is_on or not self._matches:
            return ()
        view = self._editor.viewport().rect()
        first = self._positions.to_text(self._editor.cursorForPosition(view.topLeft()).position())
        last = self._positions.to_text(self._editor.cursorForPosition(view.bottomRight()).position())
        begin = bisect_right(self._starts, first)
        if begin and self._matches[begin - 1].end > first:
            begin -= 1  # it reaches into the view from above
        return self._matches[begin : bisect_right(self._starts, last)]

"""Misspellings, marked in the text."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextCursor

from quire.domain.manuscript.spelling import Judge, Word, as_in, words_to_check
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.plain_text import to_document
from quire.editor.text_layers import Mark, TextLayers
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.colour_tokens import LIGHT, Tokens

_ASK_AFTER_MS = 15
"""New words within this time are queried together."""
_MARK_AFTER_MS = 60
"""Results within this time are shown together."""
_MAX_SINGLE_BLOCKS = 8
_TURN_S = 0.003
"""Time per turn of the event loop for new paragraphs; the others have to wait."""


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word and its position in its block, in UTF-16 units."""

    word: Word
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A misspelled word and its position in the document."""

    word: Word
    start: int
    end: int


def _placed_words(paragraph: str, passed_by: Container[str]) -> list[PlacedWord]:
    words = words_to_check(paragraph, passed_by)
    if not words:
        return []
    positions = Utf16Positions(paragraph)
    return [
        PlacedWord(word, positions.to_document(word.start), positions.to_document(word.end)) for word in words
    ]


class SpellingLayer(QObject):
    """A layer that marks misspellings, and asks about unknown words.

    What is being typed or drafted is ignored until it is finished.

    Signals:
        words_wanted: words to look up, in the order in which the marks are needed.
        caught_up: every word was looked up.
    """

    words_wanted = Signal(object)
    caught_up = Signal()

    def __init__(self, editor: ManuscriptEditor, layers: TextLayers, judge: Judge) -> None:
        super().__init__(editor)
        self._editor, self._layers, self._judge = editor, layers, judge
        self._is_on = False
        self._wanted: dict[str, None] = {}
        self._asked: set[str] = set()
        self._pending: dict[str, tuple[str, ...]] = {}  # words in the text, and what was queried about them
        self._passed_by: set[str] = set()  # words in the text that are correct or pending
        self._seen_texts: set[int] = set()
        self._put_off: dict[int, None] = {}
        self._spent_s = 0.0
        self._stale_blocks: set[int] = set()
        self._seen_revision = editor.document().revision()
        self._typed_at = self._typed_in = -1  # where typing ended, and in which block
        self._look = QTextCharFormat()
        self._asking = self._timer(_ASK_AFTER_MS, self._ask)
        self._marking = self._timer(_MARK_AFTER_MS, self._mark_again)
        self._turning = self._timer(0, self._take_turn)
        self.set_tokens(LIGHT)
        editor.cursorPositionChanged.connect(self._caret_moved)
        editor.document().contentsChange.connect(self._contents_changed)
        editor.document().blockCountChanged.connect(self._renumber)
        editor.installEventFilter(self)
        layers.add(self)

    # ------------------------------------------------------------ input
    @property
    def is_on(self) -> bool:
        """Return whether spelling is checked."""
        return self._is_on

    @property
    def is_waiting(self) -> bool:
        """Return whether there are words that were not looked up, or whose result is pending."""
        return bool(self._wanted or self._asked or self._put_off)

    def set_on(self, *, on: bool) -> None:
        """Start checking, or remove the marks."""
        self._is_on = on
        self.restart()

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self._look = QTextCharFormat()
        self._look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SpellCheckUnderline)
        self._look.setUnderlineColor(QColor(tokens.alarm))
        self._layers.refresh(self)

    def restart(self) -> None:
        """Check everything again: the dictionary, the text or the word list changed."""
        for known in (self._wanted, self._asked, self._pending, self._passed_by, self._seen_texts):
            known.clear()
        self._put_off.clear()
        self._stale_blocks.clear()
        self.rest()
        self._layers.refresh(self)

    def rest(self) -> None:
        """Treat the word at the caret as finished."""
        self._typed_at, self._seen_revision = -1, self._editor.document().revision()

    def learn(self, right: Sequence[str], wrong: Sequence[str]) -> None:
        """Store results and show soon what they change."""
        self._judge.learn(right, wrong)
        self._asked.difference_update(right)
        self._asked.difference_update(wrong)
        self._sort_out_pending()
        if wrong and not self._marking.isActive():
            self._marking.start()
        if not self.is_waiting:
            self.caught_up.emit()

    # ------------------------------------------------------------ marks
    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the marks of the known misspellings of a block."""
        if not self._is_on:
            return ()
        seen = hash(block.text())
        if seen not in self._seen_texts:
            if self._spent_s > _TURN_S:
                self._put_off[block.blockNumber()] = None
                return ()
            self._seen_texts.add(seen)
        began, begin = perf_counter(), block.position()
        marks = [
            Mark(misspelling.start - begin, misspelling.end - misspelling.start, self._look)
            for misspelling in self._misspellings_of(block)
        ]
        self._spent_s += perf_counter() - began
        if not self._turning.isActive():
            self._turning.start()
        return marks

    # ------------------------------------------------------------ looking for words
    def misspelling_at(self, position: int) -> Misspelling | None:
        """Return the misspelling at a document position or right before it."""
        block = self._editor.document().findBlock(position)
        inside = position - block.position()
        for misspelling in self._misspellings_of(block) if self._is_on else ():
            if misspelling.start - block.position() <= inside <= misspelling.end - block.position():
                return misspelling
        return None

    def next_misspelling(self, position: int) -> Misspelling | None:
        """Return the first misspelling from a position on, wrapping around."""
        if not self._is_on:
            return None
        document = self._editor.document()
        block = first = document.findBlock(position)
        for _ in range(document.blockCount() + 1):
            for misspelling in self._misspellings_of(block):
                if block != first or misspelling.start >= position:
                    return misspelling
            block = block.next() if block.next().isValid() else document.firstBlock()
            if block == first:
                position = 0
        return None

    def select(self, misspelling: Misspelling) -> None:
        """Select a word and bring it into view."""
        self._editor.setTextCursor(self._cursor_over(misspelling))
        self._editor.ensureCursorVisible()

    def may_replace(self, misspelling: Misspelling) -> bool:
        """Return whether the word can be edited, that is, not in the paragraph that a draft is writing."""
        generating = (
            self._editor.is_drafting and misspelling.end >= self._editor.document().lastBlock().position()
        )
        return not generating and not self._editor.isReadOnly()

    def replace(self, misspelling: Misspelling, suggestion: str) -> None:
        """Replace a word with a suggestion, unless the text there has changed meanwhile."""
        cursor = self._cursor_over(misspelling)
        if not self.may_replace(misspelling) or cursor.selectedText() != misspelling.word.text:
            return
        cursor.insertText(to_document(as_in(cursor.block().text(), suggestion)))
        self._editor.setTextCursor(cursor)
        self.rest()

    # ------------------------------------------------------------ events
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the end of a draft: its last paragraph is finished too."""
        if event.type() is QEvent.Type.ReadOnlyChange:
            QTimer.singleShot(0, self, self._finish)
        return super().eventFilter(watched, event)

    @Slot()
    def _finish(self) -> None:
        self.rest()
        self._layers.refresh_block(self._editor.document().lastBlock())

    @Slot()
    def _caret_moved(self) -> None:
        if self._typed_at not in (-1, self._editor.textCursor().position()):
            self.rest()
            block = self._editor.document().findBlockByNumber(self._typed_in)
            if block.isValid():
                self._layers.refresh_block(block)

    @Slot(int, int, int)
    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        document = self._editor.document()
        self._seen_revision = document.revision()
        end = position + added
        is_drafted = self._editor.is_drafting and end >= document.characterCount() - 1
        if not is_drafted:
            self._typed_at, self._typed_in = end, document.findBlock(end).blockNumber()

    # ------------------------------------------------------------ inside
    def _settled_words(self, block: QTextBlock) -> Sequence[PlacedWord]:
        """Return the words of a block that can be checked, without what is being typed or drafted."""
        begin = block.position()
        if self._editor.is_drafting and not block.next().isValid():
            ranges = self._editor.drafted_ranges
            dry_end = (ranges[-1][0] if ranges else 0) - begin
            words = _placed_words(block.text(), self._passed_by) if dry_end > 0 else []
            return [placed for placed in words if placed.end < dry_end]
        words = _placed_words(block.text(), self._passed_by)
        caret = self._editor.textCursor().position()
        # the layers query during a change notification that has not arrived here yet
        is_changing = self._editor.document().revision() != self._seen_revision
        if caret != self._typed_at and not is_changing:
            return words
        return [placed for placed in words if not placed.start <= caret - begin <= placed.end]

    def _misspellings_of(self, block: QTextBlock) -> list[Misspelling]:
        """Return the misspellings of a block; ask about unknown words."""
        begin = block.position()
        misspellings = []
        for placed in self._settled_words(block):
            is_right = self._judge.is_right(placed.word)
            if is_right is None:
                self._want(placed.word)
            elif not is_right:
                misspellings.append(Misspelling(placed.word, begin + placed.start, begin + placed.end))
            elif self._judge.is_right_anywhere(placed.word):
                self._passed_by.add(placed.word.text)
        if self._pending:
            self._stale_blocks.add(block.blockNumber())
        return misspellings

    def _want(self, word: Word) -> None:
        self._pending[word.text] = word.forms
        self._passed_by.add(word.text)
        for form in self._judge.unknown_forms(word):
            if form not in self._asked:
                self._wanted[form] = None
        if self._wanted and not self._asking.isActive():
            self._asking.start()

    def _sort_out_pending(self) -> None:
        """Check words again whose results have all arrived."""
        answered = [
            text
            for text, forms in self._pending.items()
            if not any(form in self._asked or form in self._wanted for form in forms)
        ]
        for text in answered:
            del self._pending[text]
        self._passed_by.difference_update(answered)

    @Slot()
    def _take_turn(self) -> None:
        """Process postponed blocks for the time of one turn."""
        self._spent_s = 0.0
        had_waited = self.is_waiting
        document = self._editor.document()
        while self._put_off and self._spent_s <= _TURN_S:
            number = next(iter(self._put_off))
            del self._put_off[number]
            block = document.findBlockByNumber(number)
            if block.isValid() and self.marks_of(block):
                self._layers.refresh_block(block)
        if had_waited and not self.is_waiting:
            self.caught_up.emit()

    @Slot()
    def _renumber(self) -> None:
        if self._put_off:  # the block numbers are out of date
            self._put_off.clear()
            self._layers.refresh(self)

    @Slot()
    def _ask(self) -> None:
        words = tuple(self._wanted)
        self._wanted.clear()
        self._asked.update(words)
        if words:
            self.words_wanted.emit(words)

    @Slot()
    def _mark_again(self) -> None:
        document = self._editor.document()
        stale, self._stale_blocks = self._stale_blocks, set()
        if len(stale) > _MAX_SINGLE_BLOCKS:
            self._layers.refresh(self)
            return
        for number in stale:
            block = document.findBlockByNumber(number)
            if block.isValid():  # the text may have become shorter since
                self._layers.refresh_block(block)

    def _cursor_over(self, misspelling: Misspelling) -> QTextCursor:
        document = self._editor.document()
        cursor = QTextCursor(document)
        last = document.characterCount() - 1
        cursor.setPosition(min(misspelling.start, last))
        cursor.setPosition(min(misspelling.end, last), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _timer(self, interval_ms: int, action: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(action)
        return timer

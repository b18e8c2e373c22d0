"""The active overlay: its marks on the text, and what is under the pointer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QHelpEvent,
    QMouseEvent,
    QTextBlock,
    QTextCharFormat,
    QTextLine,
)
from PySide6.QtWidgets import QToolTip

from quire.domain.text_quality.overlays import OverlaySpan, SpanKind
from quire.editor.text_layers import Mark
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.overlay_colours import kind_look

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTextEdit

    from quire.editor.manuscript_editor import ManuscriptEditor

_TWIN_CHARS = 220
_LEFT = Qt.MouseButton.LeftButton
_CONTROL = Qt.KeyboardModifier.ControlModifier


def position_under(view: QTextEdit, at: QPoint) -> int | None:
    """Return the position of the character under a point, or None if there is no text.

    Qt's own method returns the nearest gap between characters, which is after the character for half of its
    width.
    """
    cursor = view.cursorForPosition(at)
    block, layout = cursor.block(), cursor.block().layout()
    line = layout.lineForTextPosition(cursor.positionInBlock())
    if not line.isValid():
        return None
    inside = QPointF(at.x(), at.y() + view.verticalScrollBar().value()) - layout.position()
    if not line.naturalTextRect().contains(inside):
        return None
    return block.position() + line.xToCursor(inside.x(), QTextLine.CursorPosition.CursorOnCharacter)


class SpanTable:
    """Spans in document positions, which move along when the document is edited."""

    def __init__(self, spans: Sequence[OverlaySpan] = (), text: str = "") -> None:
        positions = Utf16Positions(text)
        self._spans = tuple(spans)
        self._starts = [positions.to_document(span.start) for span in spans]
        self._ends = [positions.to_document(span.end) for span in spans]

    def __len__(self) -> int:
        return len(self._spans)

    def edited(self, position: int, removed: int, added: int) -> None:
        """Move spans after an edit; removed spans are dropped, and spans around the edit grow or shrink."""
        after, by = position + removed, added - removed
        first, behind = bisect_right(self._ends, position), bisect_left(self._starts, after)
        for number in range(first, behind):
            end = self._ends[number]
            if self._starts[number] > position:
                self._starts[number] = position + added
            self._ends[number] = max(end + by if end >= after else position, self._starts[number])
        behind = max(first, behind)
        if by:  # there are thousands of them for every key press: no Python loop
            self._starts[behind:] = [start + by for start in self._starts[behind:]]
            self._ends[behind:] = [end + by for end in self._ends[behind:]]

    def between(self, start: int, end: int) -> list[tuple[int, int, SpanKind]]:
        """Return the spans between two positions, clipped to them."""
        found: list[tuple[int, int, SpanKind]] = []
        number = bisect_right(self._ends, start)
        while number < len(self._spans) and self._starts[number] < end:
            first, last = max(self._starts[number], start), min(self._ends[number], end)
            if first < last:
                found.append((first, last, self._spans[number].kind))
            number += 1
        return found

    def at(self, position: int) -> OverlaySpan | None:
        """Return the span of the character after a position."""
        number = bisect_right(self._ends, position)
        if number < len(self._spans) and self._starts[number] <= position < self._ends[number]:
            return self._spans[number]
        return None


class OverlayLayer(QObject):
    """Marks spans on the text, and handles the pointer over an echo.

    Signals:
        repeat_chosen: show these characters.
        place_chosen: something was asked about the character after a position.
        menu_asked: open a menu for a position with a matching repeat, at a place on the screen.
    """

    repeat_chosen = Signal(int, int)
    place_chosen = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, editor: ManuscriptEditor, parent: QObject) -> None:
        super().__init__(parent)
        self._editor = editor
        self._table = SpanTable()
        self._formats: dict[SpanKind, QTextCharFormat] = {}
        self._is_on = False
        self._edited_from: int | None = None
        self._edited_to = 0
        self.set_tokens(LIGHT)
        # after the layers were notified: they asked for marks at the positions before the edit
        self._repairing = QTimer(self)
        self._repairing.setSingleShot(True)
        self._repairing.setInterval(0)
        self._repairing.timeout.connect(self._repair)
        editor.document().contentsChange.connect(self._contents_changed)
        editor.viewport().installEventFilter(self)

    # ------------------------------------------------------------ input
    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self._formats = {kind: kind_look(kind, tokens).char_format() for kind in SpanKind}
        if self._is_on:
            self._editor.layers.refresh(self)

    def show_spans(self, spans: Sequence[OverlaySpan], text: str) -> None:
        """Mark spans of the text that is in the editor."""
        self._table = SpanTable(spans, text)
        self._edited_from = None
        if not self._is_on:
            self._is_on = True
            self._editor.layers.add(self)
        else:
            self._editor.layers.refresh(self)

    def clear(self) -> None:
        """Remove all marks."""
        self._table = SpanTable()
        if self._is_on:
            self._is_on = False
            self._editor.layers.remove(self)

    @property
    def num_spans(self) -> int:
        """Return the number of marked spans."""
        return len(self._table)

    # ------------------------------------------------------------ queries
    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the marks of a block."""
        start = block.position()
        return [
            Mark(first - start, last - first, self._formats[kind])
            for first, last, kind in self._table.between(start, start + block.length() - 1)
            if self._formats[kind].propertyCount()
        ]

    def span_at(self, position: int) -> OverlaySpan | None:
        """Return the span at a document position."""
        return self._table.at(position)

    def repeat_text(self, position: int | None) -> str:
        """Return the sentence around the matching repeat of the words at a position, or an empty string."""
        span = None if position is None else self._table.at(position)
        if span is None or span.twin is None:
            return ""
        words = " ".join(self._editor.text()[slice(*span.twin)].split())
        shown = words if len(words) <= _TWIN_CHARS else f"{words[:_TWIN_CHARS]}…"
        if span.kind is SpanKind.ECHO:
            return self.tr("Also appears earlier: “{0}”. Ctrl+click to go there.").format(shown)
        return self.tr("Repeated later: “{0}”. Ctrl+click to go there.").format(shown)

    def go_to_twin(self, position: int) -> bool:
        """Ask to show the matching repeat of the words at a position; return whether there is one."""
        span = self._table.at(position)
        if span is None or span.twin is None:
            return False
        self.repeat_chosen.emit(*span.twin)
        return True

    # ------------------------------------------------------------ events
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the matching repeat of an echo under the pointer, and go there on Ctrl+click."""
        if not self._is_on:
            return False
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            sentence = self.repeat_text(position_under(self._editor, event.pos()))
            if sentence:
                QToolTip.showText(event.globalPos(), sentence, self._editor.viewport())
                return True
            QToolTip.hideText()
        if isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonRelease:
            return self._clicked(event)
        if isinstance(event, QContextMenuEvent):
            return self._asked_for_menu(event)
        return False

    def _asked_for_menu(self, event: QContextMenuEvent) -> bool:
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            return False  # this one follows the caret, and is also in the Inspect menu
        position = position_under(self._editor, event.pos())
        span = None if position is None else self._table.at(position)
        if span is None or span.twin is None:
            return False
        self.menu_asked.emit(position, event.globalPos())
        return True

    def _clicked(self, event: QMouseEvent) -> bool:
        if event.button() is not _LEFT or event.modifiers() != _CONTROL:
            return False
        position = position_under(self._editor, event.position().toPoint())
        if position is None:
            return False
        if self.go_to_twin(position):
            return True
        self.place_chosen.emit(position)
        return False

    @Slot(int, int, int)
    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        if not len(self._table):
            return
        self._table.edited(position, removed, added)
        if self._edited_from is None:
            self._edited_from, self._edited_to = position, position + added
        else:
            self._edited_from = min(self._edited_from, position)
            self._edited_to = max(self._edited_to + added - removed, position + added)
        self._repairing.start()

    @Slot()
    def _repair(self) -> None:
        """Mark edited blocks again, now that the spans have moved."""
        if self._edited_from is None or not self._is_on:
            return
        document = self._editor.document()
        block, end = document.findBlock(self._edited_from), self._edited_to
        self._edited_from = None
        if not block.isValid() or document.findBlock(end).blockNumber() - block.blockNumber() > 20:
            self._editor.layers.refresh(self)
            return
        while block.isValid() and block.position() <= end:
            self._editor.layers.refresh_block(block)
            block = block.next()

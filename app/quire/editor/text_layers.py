"""Marks over the text: formats of ranges, from any number of layers.

They are layout formats, as a syntax highlighter sets them: they affect neither the text, nor its undo steps,
nor whether it counts as modified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from PySide6.QtCore import QObject, QPoint, QTimer, Slot
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextLayout
from PySide6.QtWidgets import QTextEdit

SLICE_S = 0.004
"""Time for marking per turn of the event loop."""
_AT_ONCE_S = 0.001
"""Time for marking per change of the text; a key press needs a fraction of it, another text more."""
_BLOCKS_AT_ONCE = 24
"""Number of blocks laid out together: each layout costs something for all blocks below."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The format of a range within one block; start and length are in UTF-16 units, as in Qt."""

    start: int
    length: int
    format: QTextCharFormat


class MarkLayer(Protocol):
    """One reason to mark the text: formatting, spelling, names."""

    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the marks of a block; this is called at every key press, so it must be fast."""
        ...


class TextLayers(QObject):
    """Shows the marks of the layers: immediately where the text changed or is visible, elsewhere soon."""

    def __init__(self, editor: QTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._document: QTextDocument = editor.document()
        self._layers: list[MarkLayer] = []
        self._next: int | None = None  # from this position on marks may be missing or out of date
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._mark_slice)
        self._document.contentsChange.connect(self._contents_changed)
        editor.verticalScrollBar().valueChanged.connect(self._scrolled)

    @property
    def is_done(self) -> bool:
        """Return whether every block shows its current marks."""
        return self._next is None

    def add(self, layer: MarkLayer) -> None:
        """Add a layer on top of the others."""
        self._layers.append(layer)
        self.refresh(layer)

    def remove(self, layer: MarkLayer) -> None:
        """Remove a layer and its marks."""
        self._layers.remove(layer)
        self.refresh()

    def refresh(self, layer: MarkLayer | None = None) -> None:
        """Query all marks again: the visible ones immediately, the rest in small slices of time."""
        if layer is None or layer in self._layers:
            self._wait_from(0)
            self._mark_visible()

    def refresh_block(self, block: QTextBlock) -> None:
        """Query the marks of one block again immediately."""
        if self._set_marks(block):
            self._lay_out(block, block)

    # ------------------------------------------------------------ scheduling
    @Slot(int, int, int)
    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        if self._next is not None and self._next > position:
            passed = self._next >= position + removed
            self._next = self._next + added - removed if passed else position
        if not self._layers:
            return
        began = perf_counter()
        # a joined or split block affects the block after the change
        last = self._document.findBlock(position + added + (1 if removed else 0))
        block = self._document.findBlock(position)
        while block.isValid():
            self._set_marks(block)  # the change itself is laid out only after this signal
            if block == last:
                return
            if perf_counter() - began > _AT_ONCE_S:
                self._wait_from(block.position())
                QTimer.singleShot(0, self, self._mark_visible)  # this arrives before the text is painted
                return
            block = block.next()

    @Slot()
    def _scrolled(self) -> None:
        if self._next is not None:
            self._mark_visible()

    def _wait_from(self, position: int) -> None:
        self._next = position if self._next is None else min(self._next, position)
        self._slices.start()

    @Slot()
    def _mark_visible(self) -> None:
        if self._next is None:
            return
        block = self._first_visible()
        bottom = self._editor.verticalScrollBar().value() + self._editor.viewport().height()
        shape = self._document.documentLayout()
        last = block
        while last.next().isValid() and shape.blockBoundingRect(last).bottom() < bottom:
            last = last.next()
        self._mark_blocks(block, last)

    @Slot()
    def _mark_slice(self) -> None:
        began = perf_counter()
        while self._next is not None and perf_counter() - began < SLICE_S / 2:
            first = last = self._document.findBlock(self._next)
            for _ in range(_BLOCKS_AT_ONCE):
                if not last.next().isValid():
                    break
                last = last.next()
            after = last.next()
            self._mark_blocks(first, last)
            self._next = after.position() if after.isValid() else None
        if self._next is None:
            self._slices.stop()

    # ------------------------------------------------------------ marking
    def _mark_blocks(self, first: QTextBlock, last: QTextBlock) -> None:
        changed_first = changed_last = None
        block = first
        while block.isValid():
            if self._set_marks(block):
                changed_first = block if changed_first is None else changed_first
                changed_last = block
            if block == last:
                break
            block = block.next()
        if changed_first is not None and changed_last is not None:
            self._lay_out(changed_first, changed_last)

    def _set_marks(self, block: QTextBlock) -> bool:
        """Set the marks of a block; return whether they changed."""
        marks = [mark for layer in self._layers for mark in layer.marks_of(block)]
        layout = block.layout()
        before = layout.formats()
        if not marks and not before:
            return False
        wanted = list[QTextLayout.FormatRange]()
        for mark in marks:
            part = QTextLayout.FormatRange()
            part.start, part.length, part.format = mark.start, mark.length, mark.format
            wanted.append(part)
        if preedit := layout.preeditAreaText():
            start, length = layout.preeditAreaPosition(), len(preedit.encode("utf-16-le")) // 2
            _make_room(wanted, start, length)
            wanted += [part for part in before if _is_within(part, start, length)]
        if _same(before, wanted):
            return False
        layout.setFormats(wanted)  # where they overlap, Qt merges later ones over earlier ones
        return True

    def _lay_out(self, first: QTextBlock, last: QTextBlock) -> None:
        """Lay out and paint marked blocks again; what the writer is looking at stays in place."""
        bar, shape = self._editor.verticalScrollBar(), self._document.documentLayout()
        was_at_bottom = bar.maximum() > 0 and bar.value() == bar.maximum()
        top = self._first_visible()
        stood_at = shape.blockBoundingRect(top).top()
        start = first.position()
        self._document.markContentsDirty(start, last.position() + last.length() - start)
        moved = round(shape.blockBoundingRect(top).top() - stood_at)
        if was_at_bottom:
            bar.setValue(bar.maximum())
        elif moved:
            bar.setValue(bar.value() + moved)

    def _first_visible(self) -> QTextBlock:
        return self._editor.cursorForPosition(QPoint(0, 0)).block()


def _same(before: Sequence[QTextLayout.FormatRange], wanted: Sequence[QTextLayout.FormatRange]) -> bool:
    return len(before) == len(wanted) and all(
        old.start == new.start and old.length == new.length and old.format == new.format
        for old, new in zip(before, wanted, strict=True)
    )


def _is_within(part: QTextLayout.FormatRange, start: int, length: int) -> bool:
    return start <= part.start and part.start + part.length <= start + length


def _make_room(parts: Sequence[QTextLayout.FormatRange], start: int, length: int) -> None:
    """Shift marks to make room for the preedit text of an input method."""
    for part in parts:
        if part.start >= start:
            part.start += length
        elif part.start + part.length > start:
            part.length += length

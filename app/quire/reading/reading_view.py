"""The whole book as one scroll with the layout of a page; only what is near is laid out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from quire.book_formats.blocks import BlockKind
from quire.editor.document import LINE_HEIGHT_EM
from quire.editor.manuscript_editor import DEFAULT_TEXT_PX
from quire.editor.utf16_positions import Utf16Positions
from quire.reading.passage_layout import LaidPassages, Setting
from quire.reading.passages import ReadingPassage, index_of_place
from quire.reading.scroll_layout import ReadingFlow
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.scroll_bars import keep_room_for_scroll_bar

_SIDE_PX = 44
_FADE_PX = 26
_LINES_KEPT = 2
"""Lines of one screen that are repeated on the next."""
_HEAD_SHARE = 0.25
"""The passage at this distance from the top decides which text is current."""
Spot = tuple[int, int]
"""A passage, and a position in it as Qt counts."""


class ReadingView(QAbstractScrollArea):
    """Shows passages, which cannot be edited.

    Signals:
        place_chosen: a text and a position in it, to open in the editor.
        text_read: the text that is visible now.
        zoom_asked: steps to a larger (positive) or smaller text.
    """

    place_chosen = Signal(int, int)
    text_read = Signal(int)
    zoom_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("readingView")
        self.setAccessibleName(self.tr("Reading view"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_room_for_scroll_bar(self)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self._tokens: Tokens = LIGHT
        self._text_px = DEFAULT_TEXT_PX
        self._passages: tuple[ReadingPassage, ...] = ()
        self._read_id: int | None = None
        self._selection: tuple[Spot, Spot] | None = None
        self._selects = False
        self._set_up((0, 0))
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.sliderReleased.connect(self._show_bar)

    # ------------------------------------------------------------ input
    def show_passages(self, passages: Sequence[ReadingPassage], node_id: int, place: int) -> None:
        """Show a book from a position in one of its texts on."""
        self._passages = tuple(passages)
        self._selection, self._read_id = None, None
        self._set_up((index_of_place(self._passages, node_id, place), 0))

    def clear(self) -> None:
        """Show nothing."""
        self.show_passages((), 0, 0)

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self._tokens = tokens
        self.viewport().update()

    def set_text_px(self, size_px: int) -> None:
        """Set the size of the text."""
        if size_px != self._text_px:
            self._text_px = size_px
            self._set_up(self._top_spot())

    def go_to(self, index: int) -> None:
        """Scroll a passage to the top."""
        self._flow.show(index)
        self._moved()

    def find_words(self, words: str, *, backwards: bool = False) -> bool:
        """Select the next occurrence from the selection or the view on; return whether there is one."""
        pattern = re.compile(r"\s+".join(re.escape(word) for word in words.split()), re.IGNORECASE)
        if not words.strip() or not self._passages:
            return False
        start = self._selection or ((self._flow.index, 0), (self._flow.index, 0))
        first, last = sorted(start)
        index, edge = first if backwards else last
        order = range(len(self._passages) + 1)
        for step in order:
            place = (index - step if backwards else index + step) % len(self._passages)
            bounds: tuple[int, int | None] = (0, None)
            if step == 0:
                bounds = (0, edge) if backwards else (edge, None)
            if found := self._found_in(place, pattern, bounds, backwards=backwards):
                self._select_found(place, *found)
                return True
        return False

    # ------------------------------------------------------------ queries
    @property
    def passages(self) -> tuple[ReadingPassage, ...]:
        """Return the passages that are shown."""
        return self._passages

    @property
    def flow(self) -> ReadingFlow:
        """Return the layout of the passages."""
        return self._flow

    @property
    def column_px(self) -> int:
        """Return the width of the column."""
        return self._setting.width_px

    @property
    def num_laid(self) -> int:
        """Return how many passages are laid out at the moment."""
        return len(self._laid)

    @property
    def place(self) -> tuple[int, int]:
        """Return the current text and position: the selection if it is visible, else the top."""
        index, position = self._flow.index, 0
        seen = dict(self._flow.visible())
        if self._selection is not None and self._selection[1][0] in seen:
            index, position = self._selection[1]
        elif index + 1 in seen and self._flow.above_px:
            index += 1  # the first passage whose beginning is visible
        return self._place_of((index, position))

    def selected_text(self) -> str:
        """Return the selection as plain text."""
        if self._selection is None:
            return ""
        (first, start), (last, end) = sorted(self._selection)
        lines = list[str]()
        for index in range(first, last + 1):
            text = self._passages[index].text
            counted = Utf16Positions(text)
            begin = counted.to_text(start) if index == first else 0
            stop = counted.to_text(end) if index == last else len(text)
            lines.append(("" if self._passages[index].goes_on and lines else "\n\n") + text[begin:stop])
        return "".join(lines).strip("\n")

    # ------------------------------------------------------------ events
    def event(self, event: QEvent) -> bool:
        """Keep shortcuts that have a meaning here from the window."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (
                event.matches(QKeySequence.StandardKey.Copy)
                or event.matches(QKeySequence.StandardKey.SelectAll)
            )
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scroll, move or copy."""
        page = max(self.viewport().height() - _LINES_KEPT * self._line_px, self._line_px)
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        ways = {
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_Space: -page if back else page,
            Qt.Key.Key_Down: 2 * self._line_px,
            Qt.Key.Key_Up: -2 * self._line_px,
        }
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_chapter()
        elif event.key() in ways and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._flow.scroll_by(ways[Qt.Key(event.key())])
            self._moved()
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go_to(0 if event.key() == Qt.Key.Key_Home else len(self._passages) - 1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._passages:
            self.place_chosen.emit(*self.place)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or ask for another text size when Ctrl is held."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if turned := event.angleDelta().y():
                self.zoom_asked.emit(1 if turned > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection."""
        if event.button() is Qt.MouseButton.LeftButton and self._passages:
            spot, extends = (
                self._spot_at(event.position()),
                event.modifiers() & Qt.KeyboardModifier.ShiftModifier,
            )
            anchor = self._selection[0] if extends and self._selection is not None else spot
            self._selection, self._selects = (anchor, spot), True
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select up to the mouse; scroll beyond an edge."""
        if not self._selects or self._selection is None:
            return
        y, height = event.position().y(), self.viewport().height()
        if y < 0 or y > height:
            self._flow.scroll_by(-self._line_px if y < 0 else self._line_px)
            self._moved()
        inside = QPointF(event.position().x(), min(max(y, 0.0), height - 1.0))
        self._selection = (self._selection[0], self._spot_at(inside))
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the selection."""
        self._selects = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the place in the editor."""
        if event.button() is Qt.MouseButton.LeftButton and self._passages:
            self.place_chosen.emit(*self._place_of(self._spot_at(event.position())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out again if the column's width changed; the current line stays in place."""
        super().resizeEvent(event)
        if self._setting != self._wanted_setting():
            self._set_up(self._top_spot())
        else:
            self._flow.set_view(self.viewport().height())
            self._moved()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible passages."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(self._tokens.paper))
        left = self._left
        for index, y in self._flow.visible():
            self._laid[index].draw(painter, QPointF(left, y), self._selected_in(index), self._tokens)
        if self._flow.top > 0:
            painter.fillRect(0, 0, self.viewport().width(), _FADE_PX, self._fade())
        painter.end()

    # ------------------------------------------------------------ commands
    @Slot()
    def copy(self) -> None:
        """Copy the selection to the clipboard."""
        if text := self.selected_text():
            QGuiApplication.clipboard().setText(text)

    @Slot()
    def select_chapter(self) -> None:
        """Select the current chapter."""
        if not self._passages:
            return
        first = self._flow.index
        while first > 0 and self._passages[first].kind not in (BlockKind.CHAPTER, BlockKind.PART):
            first -= 1
        last = first
        while last + 1 < len(self._passages) and self._passages[last + 1].kind not in (
            BlockKind.CHAPTER,
            BlockKind.PART,
        ):
            last += 1
        self._selection = ((first, 0), (last, self._laid[last].num_units))
        self.viewport().update()

    @Slot(int)
    def _scrolled(self, value: int) -> None:
        """Follow the scroll bar: exactly for short distances, approximately for long ones."""
        way = value - self._flow.top
        if abs(way) <= 2 * self.viewport().height():
            self._flow.scroll_by(way)
        else:
            self._flow.scroll_to(value)
        self._moved()

    @Slot()
    def _show_bar(self) -> None:
        bar = self.verticalScrollBar()
        with QSignalBlocker(bar):
            bar.setRange(0, self._flow.furthest)
            bar.setPageStep(max(self.viewport().height(), 1))
            bar.setSingleStep(self._line_px)
            if not bar.isSliderDown():
                bar.setValue(self._flow.top)

    # ------------------------------------------------------------ inside
    @property
    def _line_px(self) -> int:
        return round(LINE_HEIGHT_EM * self._text_px)

    @property
    def _left(self) -> int:
        return max((self.viewport().width() - self._setting.width_px) // 2, 0)

    def _wanted_setting(self) -> Setting:
        return Setting.fitting(self._text_px, self.viewport().width() - 2 * _SIDE_PX)

    def _fade(self) -> QLinearGradient:
        """Fade out lines at the top instead of cutting them off."""
        fade, paper = QLinearGradient(0, 0, 0, _FADE_PX), QColor(self._tokens.paper)
        fade.setColorAt(0, paper)
        paper.setAlpha(0)
        fade.setColorAt(1, paper)
        return fade

    def _top_spot(self) -> Spot:
        return self._spot_at(QPointF(self._left, 1.0))

    def _set_up(self, spot: Spot) -> None:
        """Lay out everything again, with the line of a position at the top."""
        self._setting = self._wanted_setting()
        self._laid = LaidPassages(self._passages, self._setting)
        estimates = [self._setting.estimate(passage) for passage in self._passages]
        self._flow = ReadingFlow(estimates, self._laid.height_of, self.viewport().height())
        index, position = spot
        self._flow.show(index, self._laid[index].line_top(position) if position else 0)
        self._moved()

    def _moved(self) -> None:
        self._show_bar()
        self.viewport().update()
        if not self._passages:
            return
        head = _HEAD_SHARE * self.viewport().height()
        above = [index for index, y in self._flow.visible() if y <= head]
        node_id = self._passages[above[-1] if above else self._flow.index].node_id
        if node_id != self._read_id:
            self._read_id = node_id
            self.text_read.emit(node_id)

    def _spot_at(self, point: QPointF) -> Spot:
        spot = (self._flow.index, 0)
        for index, y in self._flow.visible():
            if y > point.y():
                break
            spot = index, self._laid[index].position_at(QPointF(point.x() - self._left, point.y() - y))
        return spot

    def _place_of(self, spot: Spot) -> tuple[int, int]:
        passage = self._passages[spot[0]]
        return passage.node_id, passage.place_of(Utf16Positions(passage.text).to_text(spot[1]))

    def _selected_in(self, index: int) -> tuple[int, int]:
        if self._selection is None:
            return 0, 0
        (first, start), (last, end) = sorted(self._selection)
        if not first <= index <= last:
            return 0, 0
        return (start if index == first else 0), (end if index == last else self._laid[index].num_units)

    def _found_in(
        self, index: int, pattern: re.Pattern[str], bounds: tuple[int, int | None], *, backwards: bool
    ) -> tuple[int, int] | None:
        """Return a match in a passage between two of Qt's positions."""
        passage = self._passages[index]
        if not ("*" in passage.source or "\\" in passage.source or pattern.search(passage.source)):
            return None  # excludes most passages quickly
        text = passage.text
        counted = Utf16Positions(text)
        start = counted.to_text(bounds[0])
        end = len(text) if bounds[1] is None else counted.to_text(bounds[1])
        found = list(pattern.finditer(text, start, end))
        if not found:
            return None
        chosen = found[-1 if backwards else 0]
        return counted.to_document(chosen.start()), counted.to_document(chosen.end())

    def _select_found(self, index: int, start: int, end: int) -> None:
        self._selection = ((index, start), (index, end))
        seen = dict(self._flow.visible())
        y = seen.get(index, -1) + self._laid[index].line_top(start)
        if index not in seen or not 0 <= y <= self.viewport().height() - 3 * self._line_px:
            third = self.viewport().height() // 3
            self._flow.show(index, self._laid[index].line_top(start) - third)
        self._moved()

"""Two texts side by side with synchronized scrolling and marked differences."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QColor, QShowEvent, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QHBoxLayout, QTextEdit, QWidget

from quire.domain.manuscript.paragraph_merge import ParagraphCopy, opposite, paragraph_copy, turned
from quire.editor.read_only_text import ReadOnlyText
from quire.editor.utf16_positions import Utf16Positions
from quire.takes.compare_choices import Compared
from quire.theme.theme_switch import ThemeSwitch


class ComparedTexts(QWidget):
    """Scrolls both texts to the same words.

    Signals:
        copy_changed: another paragraph is selected.
    """

    copy_changed = Signal()

    def __init__(self, compared: Compared, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compared, self._themes = compared, themes
        self._following = False
        self._at = -1
        self.copy: ParagraphCopy | None = None
        self.left, self.right = ComparedColumn(self), ComparedColumn(self)
        self.columns = self.left, self.right
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(14)
        for column in self.columns:
            layout.addWidget(column, 1)
        self.left.verticalScrollBar().valueChanged.connect(self._follow_left)
        self.right.verticalScrollBar().valueChanged.connect(self._follow_right)
        for column in self.columns:
            column.cursorPositionChanged.connect(self._find_copy)
        themes.changed.connect(self._mark)
        self.show_compared(compared)

    # ------------------------------------------------------------ input
    def show_compared(self, compared: Compared) -> None:
        """Show two texts from their first difference on."""
        self._compared = compared
        self._following = True
        for column, side in zip(self.columns, compared.sides, strict=True):
            column.show_text(side.text, side.name)
        self._following = False
        self._mark()
        self._at = -1
        if compared.changed:
            self.step(1)
        self._find_copy()

    def step(self, steps: int) -> None:
        """Go to another difference, wrapping around."""
        changed = self._compared.changed
        if not changed:
            return
        self._at = (self._at + steps) % len(changed) if self._at >= 0 else 0
        self._show_difference(caret=True)

    def show_place(self, side: int, place: int) -> None:
        """Show a position of one of the texts, and its counterpart."""
        self.columns[side].put_caret(place)
        self._show(side, place)

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to the difference: before this the widget had no height."""
        super().showEvent(event)
        if 0 <= self._at < len(self._compared.changed):
            self._show_difference(caret=False)

    # ------------------------------------------------------------ marks
    @Slot()
    def _mark(self) -> None:
        tokens, changed = self._themes.tokens, self._compared.changed
        self.left.mark([(d.left_start, d.left_end) for d in changed], tokens.error_paper)
        self.right.mark([(d.right_start, d.right_end) for d in changed], tokens.note_paper)
        self._point_out()

    @Slot()
    def _find_copy(self) -> None:
        """Find out what copying the paragraph at the caret would do."""
        if self._following:
            return
        target, found = self._compared.target, self._compared.differences
        self.copy = None
        if target is not None:
            source = self._compared.sides[1 - target].text
            facing = found if target == 1 else turned(found)
            caret = self.columns[1 - target].caret
            copy = paragraph_copy(source, self._compared.sides[target].text, facing, caret)
            same = copy is not None and copy.text == self._compared.sides[target].text[copy.start : copy.end]
            self.copy = None if same else copy
        self._point_out()
        self.copy_changed.emit()

    def _point_out(self) -> None:
        target, copy, colour = self._compared.target, self.copy, self._themes.tokens.hover
        for side, column in enumerate(self.columns):
            stretch = None
            if copy is not None and side != target:
                stretch = copy.source, copy.source_end
            elif copy is not None and copy.replaces:
                stretch = copy.start, copy.end
            column.point_out(stretch, colour)

    # ------------------------------------------------------------ scrolling
    @Slot()
    def _follow_left(self) -> None:
        self._follow(0)

    @Slot()
    def _follow_right(self) -> None:
        self._follow(1)

    def _follow(self, side: int) -> None:
        if not self._following:
            self._show_beside(side, self.columns[side].place_read)

    def _show(self, side: int, place: int) -> None:
        self._following = True
        self.columns[side].show_at_third(place)
        self._following = False
        self._show_beside(side, place)

    def _show_beside(self, side: int, place: int) -> None:
        found = self._compared.differences
        self._following = True
        self.columns[1 - side].show_at_third(opposite(found if side == 0 else turned(found), place))
        self._following = False

    def _show_difference(self, *, caret: bool) -> None:
        found = self._compared.changed[self._at]
        self._following = True
        for column, start in zip(self.columns, (found.left_start, found.right_start), strict=True):
            if caret:
                column.put_caret(start)
            column.show_at_third(start)
        self._following = False
        self._find_copy()


class ComparedColumn(ReadOnlyText):
    """Shows a read-only text with marked ranges; positions are in characters of the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compared")
        self._positions = Utf16Positions("")

    def show_text(self, text: str, name: str) -> None:
        """Show another text."""
        super().show_text(text, name)
        self._positions = Utf16Positions(text)

    @property
    def caret(self) -> int:
        """Return the position of the caret."""
        return self._positions.to_text(self.textCursor().position())

    @property
    def third(self) -> int:
        """Return a third of the height, the usual reading position."""
        return self.viewport().height() // 3

    @property
    def place_read(self) -> int:
        """Return the position at a third of the height."""
        return self._positions.to_text(self.cursorForPosition(QPoint(0, self.third)).position())

    def put_caret(self, place: int) -> None:
        """Set the caret without scrolling."""
        bar = self.verticalScrollBar()
        before = bar.value()
        self.setTextCursor(self._cursor(place, place))
        bar.setValue(before)

    def show_at_third(self, place: int) -> None:
        """Scroll a position to a third of the height, as far as the text allows."""
        # a long text is laid out gradually; the bar must cover all of it
        self._manuscript.documentLayout().blockBoundingRect(self._manuscript.lastBlock())
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(self._cursor(place, place)).top() - self.third)

    def mark(self, stretches: Sequence[tuple[int, int]], colour: str) -> None:
        """Underline ranges on a background colour."""
        marks = QTextCharFormat()
        marks.setBackground(QColor(colour))
        marks.setFontUnderline(True)  # never colour alone
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for start, end in stretches:
            self._over(cursor, start, end)
            cursor.setCharFormat(marks)
        cursor.endEditBlock()

    def point_out(self, stretch: tuple[int, int] | None, colour: str) -> None:
        """Highlight one paragraph, or none."""
        if stretch is None:
            self.setExtraSelections([])
            return
        shown = QTextEdit.ExtraSelection()
        shown.cursor = self._cursor(*stretch)
        look = QTextCharFormat()
        look.setBackground(QColor(colour))
        look.setProperty(QTextFormat.Property.FullWidthSelection, True)
        shown.format = look
        self.setExtraSelections([shown])

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        self._over(cursor, start, end)
        return cursor

    def _over(self, cursor: QTextCursor, start: int, end: int) -> None:
        cursor.setPosition(self._positions.to_document(start))
        cursor.setPosition(self._positions.to_document(end), QTextCursor.MoveMode.KeepAnchor)

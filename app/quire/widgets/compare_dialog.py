"""Two texts side by side, with what differs marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTextEdit, QVBoxLayout, QWidget

from quire.domain.differences import Difference
from quire.editor.document import ManuscriptDocument
from quire.editor.positions import Positions
from quire.theme.fonts import reading_font
from quire.theme.keeper import ThemeKeeper
from quire.widgets.labels import plain_label

_SIZE = QSize(1080, 720)
_TEXT_PX = 16


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts with their names, and how they differ."""

    left_name: str
    left: str
    right_name: str
    right: str
    differences: tuple[Difference, ...]


class CompareDialog(QDialog):
    """Shows two texts; scrolling one takes the other along to the same words."""

    def __init__(self, compared: Compared, themes: ThemeKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Compare"))
        self.resize(_SIZE)
        self._compared, self._themes = compared, themes
        self._positions = Positions(compared.left), Positions(compared.right)
        self._following = False
        self._changed = [found for found in compared.differences if not found.same]
        self._at = -1
        self.left = self._column(compared.left, compared.left_name)
        self.right = self._column(compared.right, compared.right_name)
        self.summary = plain_label(self, text=self._summary_text())
        self.summary.setObjectName("caption")
        self.next_button = QPushButton(self.tr("Next Difference"), self)
        self.next_button.setEnabled(bool(self._changed))
        self.next_button.clicked.connect(self.show_next)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.clicked.connect(self.accept)
        self._lay_out()
        self.left.verticalScrollBar().valueChanged.connect(self._follow_left)
        self.right.verticalScrollBar().valueChanged.connect(self._follow_right)
        themes.changed.connect(self._mark)
        self._mark()

    @Slot()
    def show_next(self) -> None:
        """Go to the next difference, after the last one to the first."""
        self._at = (self._at + 1) % len(self._changed)
        found = self._changed[self._at]
        self._following = True
        for side, start in enumerate((found.left_start, found.right_start)):
            column = (self.left, self.right)[side]
            place = self._positions[side].to_document(start)
            self._show_at(column, place, column.viewport().height() // 3)
        self._following = False

    # ------------------------------------------------------------ building
    def _column(self, text: str, name: str) -> QTextEdit:
        column = QTextEdit(self)
        column.setObjectName("compared")
        column.setReadOnly(True)
        column.setAccessibleName(name)
        document = ManuscriptDocument(reading_font(_TEXT_PX), column)
        document.setDocumentMargin(18)
        column.setDocument(document)
        document.replace_text(text)
        return column

    def _lay_out(self) -> None:
        columns = QHBoxLayout()
        columns.setSpacing(14)
        for column, name in ((self.left, self._compared.left_name), (self.right, self._compared.right_name)):
            side = QVBoxLayout()
            side.setSpacing(6)
            side.addWidget(plain_label(self, weight=QFont.Weight.DemiBold, text=name))
            side.addWidget(column, 1)
            columns.addLayout(side, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.summary, 1)
        buttons.addWidget(self.next_button)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.setSpacing(14)
        layout.addLayout(columns, 1)
        layout.addLayout(buttons)

    def _summary_text(self) -> str:
        if not self._changed:
            return self.tr("The two texts are the same.")
        if len(self._changed) == 1:
            return self.tr("They differ in one place.")
        return self.tr("They differ in {0} places.").format(f"{len(self._changed):,}")

    # ------------------------------------------------------------ marks
    @Slot()
    def _mark(self) -> None:
        tokens = self._themes.tokens
        self._mark_column(
            self.left, [(d.left_start, d.left_end) for d in self._changed], 0, tokens.error_paper
        )
        self._mark_column(
            self.right, [(d.right_start, d.right_end) for d in self._changed], 1, tokens.note_paper
        )

    def _mark_column(
        self, column: QTextEdit, stretches: Sequence[tuple[int, int]], side: int, colour: str
    ) -> None:
        marks = QTextCharFormat()
        marks.setBackground(QColor(colour))
        marks.setFontUnderline(True)  # never colour alone
        positions = self._positions[side]
        cursor = QTextCursor(column.document())
        cursor.beginEditBlock()
        for start, end in stretches:
            cursor.setPosition(positions.to_document(start))
            cursor.setPosition(positions.to_document(end), QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(marks)
        cursor.endEditBlock()

    # ------------------------------------------------------------ scrolling
    @Slot()
    def _follow_left(self) -> None:
        self._follow(self.left, self.right, 0)

    @Slot()
    def _follow_right(self) -> None:
        self._follow(self.right, self.left, 1)

    def _follow(self, leader: QTextEdit, follower: QTextEdit, side: int) -> None:
        if self._following:
            return
        self._following = True
        height = leader.viewport().height() // 3
        shown = leader.cursorForPosition(QPoint(0, height)).position()
        offset = self._opposite(self._positions[side].to_text(shown), side)
        self._show_at(follower, self._positions[1 - side].to_document(offset), height)
        self._following = False

    def _opposite(self, place: int, side: int) -> int:
        """Return the place in the other text that stands beside one of this text."""
        last = 0
        for found in self._compared.differences:
            start, end, other_start, other_end = (
                (found.left_start, found.left_end, found.right_start, found.right_end)
                if side == 0
                else (found.right_start, found.right_end, found.left_start, found.left_end)
            )
            if end >= place:
                share = (place - start) / max(end - start, 1)
                return other_start + round(share * (other_end - other_start))
            last = other_end
        return last

    @staticmethod
    def _show_at(column: QTextEdit, place: int, height: int) -> None:
        cursor = QTextCursor(column.document())
        cursor.setPosition(place)
        bar = column.verticalScrollBar()
        bar.setValue(bar.value() + column.cursorRect(cursor).top() - height)

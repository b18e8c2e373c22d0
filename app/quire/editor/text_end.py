"""What is shown at the end of the text: a mark where Continue writes, and a bar about the last draft."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from quire.theme.colour_tokens import Tokens

_MARK_PX = 9.0
_MARK_GAP_PX = 9.0
_BAR_GAP_PX = 6


class TextEnd(QObject):
    """Keeps a mark and a bar at the end of the text of an editor, wherever it is scrolled to."""

    def __init__(self, editor: QTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._is_target = False
        self._bar: QWidget | None = None
        self._shows_bar = False
        editor.verticalScrollBar().valueChanged.connect(self.place)
        editor.verticalScrollBar().rangeChanged.connect(self.place)
        editor.viewport().installEventFilter(self)

    @property
    def is_target(self) -> bool:
        """Return whether Continue writes at this end."""
        return self._is_target

    def show_target(self, *, on: bool) -> None:
        """Mark the end as the place where Continue writes."""
        self._is_target = on
        self._editor.viewport().update()

    def set_bar(self, bar: QWidget) -> None:
        """Set the widget below the last line."""
        self._bar = bar
        bar.setParent(self._editor.viewport())
        self.place()

    def show_bar(self, *, on: bool) -> None:
        """Show the bar below the last line, or hide it."""
        self._shows_bar = on
        self.place()

    @Slot()
    def place(self) -> None:
        """Put the bar below the last line, within the column."""
        bar = self._bar
        if bar is None:
            return
        if not self._shows_bar:
            bar.hide()
            return
        end, size = self._end(), bar.sizeHint()
        room = self._editor.viewport().rect()
        left = max(min(int(self._editor.document().documentMargin()), room.width() - size.width()), 0)
        bar.setGeometry(left, end.bottom() + _BAR_GAP_PX, min(size.width(), room.width()), size.height())
        bar.setVisible(bar.y() < room.height())

    def paint(self, painter: QPainter, tokens: Tokens) -> None:
        """Paint the triangle of Continue after the last word."""
        if not self._is_target:
            return
        end, half = self._end(), _MARK_PX / 2
        centre = QPointF(end.right() + _MARK_GAP_PX + half, end.center().y())
        corners = [QPointF(-half, -half), QPointF(half - 1, 0), QPointF(-half, half)]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.mark))
        painter.drawPolygon([centre + corner for corner in corners])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the editor."""
        if isinstance(event, QResizeEvent):
            self.place()
        return super().eventFilter(watched, event)

    def _end(self) -> QRect:
        """Return where the caret would be at the end, in the viewport."""
        end = QTextCursor(self._editor.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        return self._editor.cursorRect(end)

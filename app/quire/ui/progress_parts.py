"""The custom-painted parts of the run strip."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from quire.domain.drafting.draft_status import DraftState
from quire.theme.colour_tokens import LIGHT, Tokens


class StateDot(QWidget):
    """A dot whose colour and fill show the state; the text beside it says it in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colour = QColor("#888888")
        self._hollow = False
        self.setFixedSize(14, 14)

    def show_state(self, state: DraftState, tokens: Tokens) -> None:
        """Show a state; a hollow dot means that it waits for the writer."""
        colours = {
            DraftState.LOADING: tokens.busy,
            DraftState.READING: tokens.busy,
            DraftState.PAUSING: tokens.busy,
            DraftState.DRAFTING: tokens.live,
            DraftState.PAUSED: tokens.rest,
            DraftState.FINISHED: tokens.live,
            DraftState.FAILED: tokens.alarm,
        }
        before = self._colour, self._hollow
        self._colour = QColor(colours.get(state, tokens.calm))
        self._hollow = state in {DraftState.IDLE, DraftState.NO_MODEL, DraftState.PAUSED}
        if (self._colour, self._hollow) != before:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a disc or a ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._hollow:
            painter.setPen(self._colour)
            pen = painter.pen()
            pen.setWidthF(2.0)
            painter.setPen(pen)
            painter.drawEllipse(QRectF(3, 3, 8, 8))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colour)
            painter.drawEllipse(QRectF(2, 2, 10, 10))
        painter.end()


class GoalBar(QProgressBar):
    """A thin progress bar without a number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: Tokens = LIGHT
        self.setRange(0, 1000)
        self.setTextVisible(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Progress towards the goal"))

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        if tokens is not self._tokens:
            self._tokens = tokens
            self.update()

    def setValue(self, value: int) -> None:
        """Set the value; Qt's own bar would repaint the whole window immediately, in the middle of a batch
        of words.
        """
        if value != self.value():
            self.setUpdatesEnabled(False)
            super().setValue(value)
            self.setUpdatesEnabled(True)

    def sizeHint(self) -> QSize:
        """Return a comfortable width."""
        return QSize(200, 8)

    def minimumSizeHint(self) -> QSize:
        """Return a small width: in a small window the numbers come first."""
        return QSize(90, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a groove and the finished part of it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        groove = QRectF(0, self.height() / 2 - 3, self.width(), 6)
        painter.setBrush(QColor(self._tokens.line))
        painter.drawRoundedRect(groove, 3, 3)
        fraction = self.value() / max(self.maximum(), 1)
        if fraction > 0:
            painter.setBrush(QColor(self._tokens.accent))
            groove.setWidth(max(groove.width() * fraction, 6.0))
            painter.drawRoundedRect(groove, 3, 3)
        painter.end()

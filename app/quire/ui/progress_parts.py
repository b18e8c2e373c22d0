"""The drawn parts of the run strip."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from quire.domain.drafting.draft_status import DraftState
from quire.theme.colour_tokens import LIGHT, Tokens


class StateDot(QWidget):
    """A dot whose colour and filling tell the state apart; the phrase beside it says it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colour = QColor("#888888")
        self._hollow = False
        self.setFixedSize(14, 14)

    def show_state(self, state: DraftState, tokens: Tokens) -> None:
        """Take a state; what waits for the writer is hollow."""
        colours = {
            DraftState.LOADING: tokens.busy,
            DraftState.READING: tokens.busy,
            DraftState.PAUSING: tokens.busy,
            DraftState.DRAFTING: tokens.live,
            DraftState.PAUSED: tokens.rest,
            DraftState.FINISHED: tokens.live,
            DraftState.FAILED: tokens.alarm,
        }
        self._colour = QColor(colours.get(state, tokens.calm))
        self._hollow = state in {DraftState.IDLE, DraftState.NO_MODEL, DraftState.PAUSED}
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
    """A thin progress bar without a figure in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: Tokens = LIGHT
        self.setRange(0, 1000)
        self.setTextVisible(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Progress towards the goal"))

    def set_tokens(self, tokens: Tokens) -> None:
        """Take the colours of another theme."""
        self._tokens = tokens
        self.update()

    def setValue(self, value: int) -> None:
        """Take how far it is; Qt would paint the whole window at once, in the middle of a batch of words."""
        if value != self.value():
            self.setUpdatesEnabled(False)
            super().setValue(value)
            self.setUpdatesEnabled(True)

    def sizeHint(self) -> QSize:
        """Ask for room to breathe."""
        return QSize(200, 8)

    def minimumSizeHint(self) -> QSize:
        """Give way to the figures when the window is small."""
        return QSize(90, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a groove and what is done of it."""
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

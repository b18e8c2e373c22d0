"""The echo map: a strip beside the scroll bar that shows where the open text repeats itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollBar, QSizePolicy, QToolTip, QWidget

from quire.overlays.echo_density import EchoDensity
from quire.theme.overlay_colours import blended, heat_colour
from quire.theme.theme_switch import ThemeSwitch

WIDTH_PX = 14
NUM_SLICES = 240
_EDGE_PX = 2
_FULL_SHARE = 0.3
"""Share of repetition that is drawn in the strongest colour and at full width."""
_LEAST_SHARE = 0.002
_WEAKEST, _STRONGEST = 0.3, 1.0


class EchoMap(QWidget):
    """Draws echo density; more repetition is also drawn wider, not to rely on colour alone.

    Signals:
        place_chosen: the character to go to.
        list_asked: show the list of echoes.
    """

    place_chosen = Signal(int)
    list_asked = Signal()

    def __init__(
        self, heat: EchoDensity, themes: ThemeSwitch, scroll_bar: QScrollBar, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._heat, self._themes, self._bar = heat, themes, scroll_bar
        self._part: int | None = None
        self.setFixedWidth(WIDTH_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Echo map"))
        heat.changed.connect(self._heat_changed)
        themes.changed.connect(self.update)
        scroll_bar.valueChanged.connect(self.update)
        scroll_bar.rangeChanged.connect(self.update)
        self._heat_changed()

    def sizeHint(self) -> QSize:
        """Return the size of a narrow strip."""
        return QSize(WIDTH_PX, 200)

    def tip_at(self, y: int) -> str:
        """Return the tooltip for a height of the strip."""
        part = self._heat.part_at(y / max(self.height(), 1))
        if part is None:
            return self._heat.summary()
        where = (part + 0.5) / len(self._heat.shares)
        share = f"{self._heat.shares[part]:.0%}" if self._heat.shares[part] else self.tr("none")
        return self.tr("Echoes here: {0}. {1} through the text. Click to go there.").format(
            share, f"{where:.0%}"
        )

    # ------------------------------------------------------------ events
    def event(self, event: QEvent) -> bool:
        """Show the share under the pointer as a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos().y()), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the clicked place."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._go_to(self._heat.part_at(event.position().y() / max(self.height(), 1)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between repetitive parts with the arrow keys; Enter opens the list."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.list_asked.emit()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._step(1 if key is Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each part, and the visible range of the text."""
        tokens = self._themes.tokens
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(tokens.paper))
        painter.fillRect(0, 0, 1, self.height(), QColor(tokens.line))
        colour, shares = heat_colour(tokens).name(), self._heat.shares
        height = self.height() / max(len(shares), 1)
        room = self.width() - 2 * _EDGE_PX
        for number, share in enumerate(shares):
            if share < _LEAST_SHARE:
                continue
            strength = min(share / _FULL_SHARE, 1.0) ** 0.5
            width = max(room * strength, 2.0)
            top = number * height
            box = QRectF(_EDGE_PX + (room - width) / 2, top, width, max(height, 1.5))
            painter.fillRect(
                box, blended(colour, tokens.paper, _WEAKEST + (_STRONGEST - _WEAKEST) * strength)
            )
        self._draw_view(painter, tokens.edge)
        if self.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    # ------------------------------------------------------------ inside
    def _draw_view(self, painter: QPainter, colour: str) -> None:
        """Draw a frame around the visible part of the text."""
        whole = self._bar.maximum() + self._bar.pageStep()
        if self._bar.maximum() <= 0 or whole <= 0:
            return
        top = self.height() * self._bar.value() / whole
        height = max(self.height() * self._bar.pageStep() / whole, 6.0)
        painter.setPen(QPen(QColor(colour), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(1.5, top + 0.5, self.width() - 3, height - 1), 3, 3)

    def _step(self, by: int) -> None:
        shares = self._heat.shares
        start = (-1 if by > 0 else len(shares)) if self._part is None else self._part
        numbers = range(start + by, len(shares) if by > 0 else -1, by)
        found = next((number for number in numbers if shares[number] >= _LEAST_SHARE), None)
        if found is not None:
            self._part = found
            self._go_to(found)
            y = round((found + 0.5) * self.height() / len(shares))
            QToolTip.showText(self.mapToGlobal(QPoint(0, y)), self.tip_at(y), self)

    def _go_to(self, part: int | None) -> None:
        if part is not None:
            self._part = part
            self.place_chosen.emit(self._heat.place_of(part))

    @Slot()
    def _heat_changed(self) -> None:
        self._part = None
        self.setAccessibleDescription(self._heat.summary())
        self.update()

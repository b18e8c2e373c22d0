"""The edge by which the charts are dragged taller."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

_GRIP_PX = 6


class HeightGrip(QWidget):
    """A thin row; dragging it up asks for more height.

    Signals:
        dragged: by how many pixels it was dragged up since it was pressed; below 0 down.
        pressed: a drag may begin.
        released: a drag has ended; not after a click.
        reset: it was double-clicked.
    """

    dragged = Signal(int)
    pressed = Signal()
    released = Signal()
    reset = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(_GRIP_PX)
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        self._pressed_at: float | None = None
        self._is_dragged = False

    @property
    def is_pressed(self) -> bool:
        """Whether the mouse holds it."""
        return self._pressed_at is not None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a drag."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed_at, self._is_dragged = event.globalPosition().y(), False
            self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with a drag."""
        if self._pressed_at is not None:
            up = round(self._pressed_at - event.globalPosition().y())
            if up or self._is_dragged:
                self._is_dragged = True
                self.dragged.emit(up)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag."""
        if self._pressed_at is not None:
            self._pressed_at = None
            if self._is_dragged:
                self.released.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Ask for the usual height."""
        self.reset.emit()

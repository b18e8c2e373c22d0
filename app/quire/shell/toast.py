"""A message that goes by itself, over the line at the bottom and never over the line that is written."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent, QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from quire.theme.text_size import scaled

_SHOWN_MS, _MS_PER_CHARACTER = 5_000, 50
_GAP_PX, _EDGE_PX = 18, 3
_MAX_WIDTH_PX = 620
_CLEAR_PX = 6
_MOVES = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Move, QEvent.Type.Resize)


class Toast(QFrame):
    """Floats over the lower right corner of a widget for some seconds, longer while the pointer is on it.

    Signals:
        action_asked: its button was pressed.
        gone: it is hidden: time is up, or the writer closed it.
    """

    action_asked = Signal()
    gone = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setObjectName("toast")
        self._over = over
        self._clear_of: QWidget | None = None
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.action_button = QPushButton(self)
        self.close_button = QToolButton(self)
        self.close_button.setText("×")
        self.close_button.setAutoRaise(True)
        self.close_button.setAccessibleName(self.tr("Dismiss"))
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 2, 6, 2)
        layout.setSpacing(12)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.action_button)
        layout.addWidget(self.close_button)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.timeout.connect(self.dismiss)
        self.action_button.clicked.connect(self._act)
        self.close_button.clicked.connect(self.dismiss)
        over.installEventFilter(self)
        self.hide()

    def keep_clear_of(self, widget: QWidget) -> None:
        """Never cover a widget with things to press; it is below the one that the toast floats over."""
        self._clear_of = widget
        widget.installEventFilter(self)

    def show_message(self, text: str, action: str = "") -> None:
        """Show a message in place of the current one; action: the text of its button, empty for none."""
        self.label.setText(text)
        self.setAccessibleName(text)
        self.action_button.setText(action)
        self.action_button.setVisible(bool(action))
        self.timer.start(_SHOWN_MS + _MS_PER_CHARACTER * len(text))
        self._place()
        self.show()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    @Slot()
    def dismiss(self) -> None:
        """Hide it."""
        self.timer.stop()
        if not self.isHidden():
            self.hide()
            self.gone.emit()

    # ------------------------------------------------------------ events
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner, and clear of what must not be covered."""
        moved = _MOVES if watched is self._clear_of else (QEvent.Type.Resize,)
        if event.type() in moved and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Wait while it is being read."""
        self.timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Go soon after it was read."""
        self.timer.start(_SHOWN_MS)
        super().leaveEvent(event)

    @Slot()
    def _act(self) -> None:
        self.action_asked.emit()
        self.dismiss()

    def _place(self) -> None:
        room = self._over.rect()
        beside = self.sizeHint().width() - self.label.sizeHint().width()
        wanted = beside + self.label.fontMetrics().horizontalAdvance(self.label.text()) + 4
        width = min(wanted, scaled(_MAX_WIDTH_PX), room.width() - 2 * _GAP_PX)
        height = max(self._layout.heightForWidth(width), self.sizeHint().height())
        # at the right: the bar below a draft begins at the left of its column
        place = QRect(room.width() - width - _GAP_PX, room.height() - height - _EDGE_PX, width, height)
        self.setGeometry(self._above(place) if self._covers(place) else place)

    def _covers(self, place: QRect) -> bool:
        return self._clear_of is not None and place.intersects(self._room_of(self._clear_of))

    def _above(self, place: QRect) -> QRect:
        """Return a place above what must not be covered, as far as there is room."""
        if self._clear_of is None:
            return place
        top = self._room_of(self._clear_of).top() - _CLEAR_PX - place.height()
        return place.translated(0, max(top, 0) - place.top())

    def _room_of(self, widget: QWidget) -> QRect:
        """Return where a widget is; nothing while it is hidden."""
        if not widget.isVisible() or not self._over.isAncestorOf(widget):
            return QRect()
        return QRect(widget.mapTo(self._over, QPoint(0, 0)), widget.size())

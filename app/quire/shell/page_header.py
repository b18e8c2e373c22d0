"""The head of the page: the title as books have it, which overlay is on, and the overlay's legend."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from quire.overlays.overlay_picker import OverlayLegend, OverlayPicker
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel

_HEIGHT_PX = 44
_TITLE_PX = 620
_GAP_PX = 12


class PageHead(QFrame):
    """Keeps the title in the middle of the page whatever stands beside it."""

    def __init__(self, title: ElidedLabel, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        self.picker = OverlayPicker(themes, self)
        self.legend = OverlayLegend(themes, self)
        self._line = _HeaderLine(self)
        title.setParent(self._line)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picker.setParent(self._line)
        self._line.take(title, self.picker)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._line)
        layout.addWidget(self.legend)


class _HeaderLine(QWidget):
    """Places two widgets by hand: one centred, one at the right; no layout of Qt does both."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title: ElidedLabel | None = None
        self._picker: OverlayPicker | None = None
        self.setFixedHeight(_HEIGHT_PX)

    def take(self, title: ElidedLabel, picker: OverlayPicker) -> None:
        self._title, self._picker = title, picker
        picker.overlay_shown.connect(self._place)
        self._place()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _HEIGHT_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        if self._title is None or self._picker is None:
            return
        size = self._picker.sizeHint()
        right = self.width() - size.width() - _GAP_PX
        self._picker.setGeometry(right, (_HEIGHT_PX - size.height()) // 2, size.width(), size.height())
        beside = size.width() + 2 * _GAP_PX
        width = max(min(_TITLE_PX, self.width() - 2 * beside), 0)
        self._title.setGeometry((self.width() - width) // 2, 0, width, _HEIGHT_PX)

"""The header of the page: the title as in books, and room for a feature beside and below it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from quire.theme.text_size import fit_line, scaled, with_line
from quire.ui.labels import ElidedLabel

_HEIGHT_PX = 32
_TITLE_PX = 620
_GAP_PX = 12


class PageHead(QFrame):
    """Keeps the title in the middle of the page whatever is beside it."""

    def __init__(self, title: ElidedLabel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = title
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._line = _HeaderLine(title, self)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._line)

    def add(self, beside: QWidget, below: QWidget) -> None:
        """Put a widget to the right of the title, and another one below."""
        self._line.add(beside)
        self._layout.addWidget(below)

    def place(self) -> None:
        """Lay out the title and the widget beside it again after a change of size."""
        self._line.place()


class _HeaderLine(QWidget):
    """Positions two widgets: one centred, one at the right; no layout of Qt does both."""

    def __init__(self, title: ElidedLabel, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = title
        self._beside: QWidget | None = None
        fit_line(self, _HEIGHT_PX)
        title.setParent(self)
        self.place()

    def add(self, beside: QWidget) -> None:
        self._beside = beside
        beside.setParent(self)
        self.place()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, with_line(_HEIGHT_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        size = QSize(0, 0) if self._beside is None else self._beside.sizeHint()
        height = with_line(_HEIGHT_PX)
        right = self.width() - size.width() - _GAP_PX
        if self._beside is not None:
            self._beside.setGeometry(right, (height - size.height()) // 2, size.width(), size.height())
        beside = size.width() + 2 * _GAP_PX
        width = max(min(scaled(_TITLE_PX), self.width() - 2 * beside), 0)
        self._title.setGeometry((self.width() - width) // 2, 0, width, height)

"""A column of buttons that scrolls where there is little room, and is never squeezed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget


class SideColumn(QScrollArea):
    """Is as wide as its content; a scroll bar, where one is needed, lies outside of it."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setObjectName("sideColumn")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setStyleSheet("#sideColumn, #sideColumn > QWidget > QWidget { background: transparent; }")
        self.setWidget(content)

    def sizeHint(self) -> QSize:
        """Return the size of the content, with the scroll bar if it does not fit."""
        content = self._content.sizeHint()
        is_cut = self.height() < content.height()
        return QSize(content.width() + (self.verticalScrollBar().sizeHint().width() if is_cut else 0), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make room for the scroll bar, or take it back."""
        super().resizeEvent(event)
        self.updateGeometry()

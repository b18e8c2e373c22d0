"""Labels that show text as text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from quire.theme.fonts import interface_font
from quire.theme.text_size import INTERFACE_PX, set_scaled_font


def plain_label(
    parent: QWidget, size_px: int = INTERFACE_PX, weight: QFont.Weight = QFont.Weight.Normal, text: str = ""
) -> QLabel:
    """Return a label that never interprets its text as markup."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    set_scaled_font(label, interface_font, size_px, weight)
    label.setText(text)
    return label


class ElidedLabel(QLabel):
    """A label that shortens its text instead of pushing its neighbours out of the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole_text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        set_scaled_font(self, interface_font)

    @property
    def whole_text(self) -> str:
        """Return the full text."""
        return self._whole_text

    def show_text(self, text: str) -> None:
        """Show as much of a text as fits."""
        if text == self._whole_text:
            return
        self._whole_text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        """Return the size of the full text."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self._whole_text) + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return no width."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text again."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = QFontMetrics(self.font())
        self.setText(metrics.elidedText(self._whole_text, Qt.TextElideMode.ElideRight, self.width()))
        self.setToolTip("" if self.text() == self._whole_text else self._whole_text)

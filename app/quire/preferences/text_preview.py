"""A paragraph as the manuscript would show it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QWidget

from quire.editor.manuscript_editor import DEFAULT_TEXT_PX
from quire.editor.page_layout import PageLayout
from quire.settings.settings import Settings
from quire.theme.theme_switch import ThemeSwitch

_MARGIN_PX = 16.0
_HEIGHT_PX = 176


class TextSample(QWidget):
    """Draws a paragraph in the font, size, line height and width of the settings."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._look = PageLayout(DEFAULT_TEXT_PX)
        self._text = self.tr(
            "The ferry left without him. He stood on the wet boards and counted the lamps along the other"
            " shore until the rain had put out all but one, and that one, he thought, might be hers. Nobody"
            " came. Behind him the harbour went on with its night: a chain, a dog, a laugh at some window."
        )
        self.setFixedHeight(_HEIGHT_PX)
        self.setAccessibleName(self.tr("Text preview"))
        themes.changed.connect(self.update)

    def show_settings(self, settings: Settings) -> None:
        """Show the sample with these settings."""
        self._look = PageLayout(
            settings.text_px, settings.font_family, settings.line_height, settings.text_width
        )
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size of a few lines."""
        return QSize(480, _HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw paper and paragraph; what does not fit is cut off."""
        tokens = self._themes.tokens
        painter = QPainter(self)
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.setBrush(QColor(tokens.paper))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.setClipRect(self.rect().adjusted(1, 1, -1, -1))
        painter.setPen(QColor(tokens.ink))
        self._paragraph().draw(painter, QPointF(_MARGIN_PX, _MARGIN_PX))
        painter.end()

    def _paragraph(self) -> QTextLayout:
        layout = QTextLayout(self._text, self._look.font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(option)
        width = min(self._look.column_px, self.width() - 2 * _MARGIN_PX)
        step = self._look.line_height_em * self._look.text_px
        y = 0.0
        layout.beginLayout()
        line = layout.createLine()
        while line.isValid() and y < self.height():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, y))
            y += step
            line = layout.createLine()
        layout.endLayout()
        return layout

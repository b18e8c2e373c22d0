"""The themes to choose from, each shown as a miniature page."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QWidget

from quire.theme.colour_tokens import DARK, LIGHT, Tokens
from quire.theme.fonts import interface_font
from quire.theme.text_size import follow, set_scaled_font
from quire.theme.theme_switch import TOKENS_OF, ThemeChoice, ThemeSwitch

_PICTURE = QRectF(5, 5, 100, 66)
_WIDTH_PX, _NAME_TOP_PX = 110, 77
_NAME_FLAGS = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
_LINES = (0.74, 0.82, 0.5)
"""Length of each line of the miniature, relative to its width."""


class ThemeCard(QAbstractButton):
    """One theme: a page in its colours, and its name."""

    def __init__(self, choice: ThemeChoice, name: str, themes: ThemeSwitch, parent: QWidget) -> None:
        super().__init__(parent)
        self._choice, self._themes = choice, themes
        self.setText(name)
        self.setAccessibleName(name)
        self.setCheckable(True)
        set_scaled_font(self, interface_font, 12)
        follow(self, "size", lambda card: card.setFixedSize(card.sizeHint()))
        themes.changed.connect(self.update)

    @property
    def choice(self) -> ThemeChoice:
        """Return the theme of this card."""
        return self._choice

    def sizeHint(self) -> QSize:
        """Return the size of the miniature and the name below it."""
        room = QRect(0, 0, _WIDTH_PX, 1_000)
        name = self.fontMetrics().boundingRect(room, int(_NAME_FLAGS), self.text())
        return QSize(_WIDTH_PX, _NAME_TOP_PX + name.height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the page, a frame around the active one, and the name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._choice is ThemeChoice.SYSTEM:
            _draw_page(painter, LIGHT)
            half = QPainterPath()
            half.addRect(QRectF(_PICTURE.center().x(), _PICTURE.top(), _PICTURE.width(), _PICTURE.height()))
            painter.setClipPath(half)
            _draw_page(painter, DARK)
            painter.setClipping(False)
        else:
            _draw_page(painter, TOKENS_OF[self._choice])
        tokens = self._themes.tokens
        chosen = self.isChecked()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.accent if chosen else tokens.edge), 2.5 if chosen else 1.0))
        painter.drawRoundedRect(_PICTURE.adjusted(-2, -2, 2, 2) if chosen else _PICTURE, 7, 7)
        painter.setPen(QColor(tokens.ink))
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold if chosen else QFont.Weight.Normal)
        font.setUnderline(self.hasFocus())
        painter.setFont(font)
        painter.drawText(self.rect().adjusted(0, _NAME_TOP_PX, 0, 0), int(_NAME_FLAGS), self.text())
        painter.end()


class ThemeCards(QWidget):
    """A row of themes.

    Signals:
        chosen: the theme that the writer selected.
    """

    chosen = Signal(object)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Theme"))
        names = {
            ThemeChoice.SYSTEM: self.tr("Same as system"),
            ThemeChoice.LIGHT: self.tr("Light"),
            ThemeChoice.DARK: self.tr("Dark"),
            ThemeChoice.SEPIA: self.tr("Sepia"),
            ThemeChoice.HIGH_CONTRAST: self.tr("High contrast"),
        }
        self.cards = {choice: ThemeCard(choice, name, themes, self) for choice, name in names.items()}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        group = QButtonGroup(self)
        for card in self.cards.values():
            row.addWidget(card, 0, Qt.AlignmentFlag.AlignTop)
            group.addButton(card)
            card.toggled.connect(self._toggled)
        row.addStretch(1)

    def show_choice(self, choice: ThemeChoice) -> None:
        """Mark a theme as active."""
        with QSignalBlocker(self):
            self.cards[choice].setChecked(True)

    def _toggled(self, on: bool) -> None:
        card = self.sender()
        if on and isinstance(card, ThemeCard):
            self.chosen.emit(card.choice)


def _draw_page(painter: QPainter, tokens: Tokens) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tokens.desk))
    painter.drawRoundedRect(_PICTURE, 6, 6)
    page = _PICTURE.adjusted(14, 10, -14, 0)
    painter.setBrush(QColor(tokens.paper))
    painter.drawRect(page)
    painter.setBrush(QColor(tokens.accent))
    painter.drawRoundedRect(QRectF(page.left() + 8, page.top() + 8, 22, 5), 2.5, 2.5)
    painter.setBrush(QColor(tokens.ink))
    for line, share in enumerate(_LINES):
        width = (page.width() - 12) * share
        painter.drawRect(QRectF(page.left() + 8, page.top() + 20 + 10 * line, width, 2.5))

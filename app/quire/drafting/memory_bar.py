"""Memory usage in the status bar: now, and when the draft reaches its goal."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from quire.drafting.memory_usage import MemoryModel, MemoryUse
from quire.system.file_sizes import size_text
from quire.theme.fonts import figures_font
from quire.theme.text_size import set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

_SIZE_PX = 12
_WIDTH_PX, _HEIGHT_PX = 64, 8
_MARK_PX = 2.0


class MemoryStripe(QWidget):
    """The bar: Quire's own part dark, other programs' light, a mark for the goal."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._use = MemoryUse()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        themes.changed.connect(self.update)

    def show_use(self, use: MemoryUse) -> None:
        """Show the measured usage."""
        self._use = use
        self.update()

    def sizeHint(self) -> QSize:
        """Return a small size."""
        return QSize(_WIDTH_PX, _HEIGHT_PX + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a groove, its used part, and the mark."""
        use, tokens = self._use, self._themes.tokens
        painter = QPainter(self)
        groove = QRectF(0.5, 2.5, self.width() - 1, _HEIGHT_PX - 1)
        painter.setPen(QColor(tokens.edge))
        painter.setBrush(QColor(tokens.raised))
        painter.drawRect(groove)
        own = use.share(min(use.own, use.used))
        for share, colour in ((use.share(use.used), tokens.mark), (own, tokens.accent)):
            painter.fillRect(QRectF(1, 3, (self.width() - 2) * share, _HEIGHT_PX - 2), QColor(colour))
        if use.peak:
            left = (self.width() - _MARK_PX) * use.share(use.peak)
            colour = tokens.alarm if use.is_short else tokens.ink
            painter.fillRect(QRectF(left, 0, _MARK_PX, _HEIGHT_PX + 4), QColor(colour))
        painter.end()


class MemoryBar(QWidget):
    """Shows memory usage in small print; hidden while it is unknown."""

    def __init__(self, memory: MemoryModel, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._is_research = False
        self.label = plain_label(self, _SIZE_PX)
        set_scaled_font(self.label, figures_font, _SIZE_PX)
        self.stripe = MemoryStripe(themes, self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.stripe)
        layout.addWidget(self.label)
        memory.changed.connect(self._refresh)
        self._refresh()

    def set_research(self, *, on: bool) -> None:
        """Show it always, or only when memory is short for the goal."""
        self._is_research = on
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        use = self._memory.use
        self.setVisible(use.is_known and (self._is_research or use.is_short))
        self.stripe.show_use(use)
        place = self.tr("GPU") if use.is_on_gpu else self.tr("RAM")
        self.label.setText(self.tr("{0} {1} of {2}").format(place, size_text(use.used), size_text(use.total)))
        sentence = self._sentence(use, place)
        for widget in (self, self.label, self.stripe):
            widget.setToolTip(sentence)
            widget.setAccessibleName(sentence)

    def _sentence(self, use: MemoryUse, place: str) -> str:
        said = self.tr("{0}: {1} of {2} used, {3} by Quire.").format(
            place, size_text(use.used), size_text(use.total), size_text(use.own)
        )
        if not use.peak:
            return said
        if use.is_short:
            return self.tr("{0} The goal would need {1}. Choose a smaller goal or model.").format(
                said, size_text(use.peak)
            )
        return self.tr("{0} About {1} at the goal.").format(said, size_text(use.peak))

"""The share of the context window used by each part, as a bar with a legend."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from quire.domain.drafting.context_usage import ContextUsage, SpaceShare, words_in
from quire.steering.prompt_source_style import origin_brush, origin_name, round_number
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font, interface_font
from quire.theme.text_size import set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel, plain_label

_SMALL_PX = 12
_BAR_PX = 12
_LEAST_PX = 3.0
"""Minimum width, so that every part is visible."""


class Swatch(QWidget):
    """A small square filled like a share of the bar."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._share: int | None = None
        self._use: ContextUsage | None = None
        self.setFixedSize(12, 12)
        themes.changed.connect(self.update)

    def show_share(self, use: ContextUsage, number: int | None) -> None:
        """Show the fill of a share; None: of the space that is left."""
        self._use, self._share = use, number
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the square."""
        painter = QPainter(self)
        tokens = self._themes.tokens
        square = QRectF(1.5, 1.5, 9, 9)
        painter.setPen(QColor(tokens.edge))
        painter.setBrush(QColor(tokens.raised))
        painter.drawRect(square)
        if self._use is not None and self._share is not None:
            painter.setBrush(origin_brush(self._use.shares[self._share].origin, tokens))
            painter.drawRect(square)
        painter.end()


class SpaceStripe(QWidget):
    """The bar itself."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._use: ContextUsage | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        themes.changed.connect(self.update)

    def show_use(self, use: ContextUsage | None) -> None:
        """Show the usage by part."""
        self._use = use
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of a thin line."""
        return QSize(200, _BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shares side by side, and the space that is left."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = self._themes.tokens
        frame = QRectF(0.5, 0.5, self.width() - 1, self.height() - 1)
        outline = QPainterPath()
        outline.addRoundedRect(frame, 4, 4)
        painter.fillPath(outline, QColor(tokens.raised))
        painter.save()
        painter.setClipPath(outline)
        left = 0.0
        use = self._use or ContextUsage((), 1)
        for share in use.shares:
            width = max(share.tokens / max(use.context, 1) * self.width(), _LEAST_PX)
            painter.fillRect(QRectF(left, 0, width, self.height()), origin_brush(share.origin, tokens))
            left += width
            painter.fillRect(QRectF(left - 1, 0, 1, self.height()), QColor(tokens.desk))
        painter.restore()
        painter.setPen(QColor(tokens.edge))
        painter.drawPath(outline)
        painter.end()


class SpaceBar(QFrame):
    """Context usage: the bar, the totals, and the legend."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self.setAccessibleName(self.tr("Context used"))
        self.title = ElidedLabel(self)
        set_scaled_font(self.title, interface_font, _SMALL_PX)
        self.title.show_text(self.tr("Context used"))
        self.total = plain_label(self, _SMALL_PX)
        set_scaled_font(self.total, figures_font, _SMALL_PX)
        self.stripe = SpaceStripe(themes, self)
        self._legend_box = QWidget(self)
        self._legend = QGridLayout(self._legend_box)
        self._legend.setContentsMargins(0, 0, 0, 0)
        self._legend.setHorizontalSpacing(6)
        self._legend.setVerticalSpacing(1)
        self._legend.setColumnStretch(1, 1)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.total)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addLayout(head)
        layout.addWidget(self.stripe)
        layout.addWidget(self._legend_box)
        self._is_research = False
        self.show_use(None)

    @property
    def summary(self) -> str:
        """Return the usage as a sentence; also its accessible name."""
        return self.stripe.accessibleName()

    def show_legend(self, *, shown: bool) -> None:
        """Show the legend below the bar, or only as a tooltip."""
        self._legend_box.setVisible(shown)

    @Slot(object)
    def show_use(self, use: ContextUsage | None) -> None:
        """Show the usage by part, or that it is unknown for None."""
        self._use = use
        self._clear_legend()
        self.stripe.show_use(use)
        if use is None:
            self.total.setText("")
            self._say(self.tr("Context use not known yet"))
            return
        about = "" if use.is_counted else self.tr("about ")
        used, context = round_number(words_in(use.used)), round_number(words_in(use.context))
        self.total.setText(self.tr("{0}{1} of {2} words").format(about, used, context))
        said = [self.tr("Context used: {0}{1} of {2} words").format(about, used, context)]
        for number, share in enumerate(use.shares):
            name, percent = origin_name(share.origin), _percent(use, share.tokens)
            self._add_row(use, number, name, percent, self._tip(share, about))
            said.append(f"{name} {percent}")
        self._add_row(use, None, self.tr("Room to write"), _percent(use, use.room))
        said.append(self.tr("room to write {0}").format(_percent(use, use.room)))
        self._say(", ".join(said))

    def set_research(self, *, on: bool) -> None:
        """Show or hide tokens, which only the research view has."""
        self._is_research = on
        self.show_use(self._use)

    def changeEvent(self, event: QEvent) -> None:
        """Redraw after a change of language or theme."""
        super().changeEvent(event)
        self.stripe.update()

    def _tip(self, share: SpaceShare, about: str) -> str:
        if not self._is_research:
            return self.tr("{0} words").format(number_text(share.words))
        tip = self.tr("{0} words ({1}{2} tokens)")
        return tip.format(number_text(share.words), about, number_text(share.tokens))

    def _say(self, sentence: str) -> None:
        self.stripe.setAccessibleName(sentence)
        self.stripe.setToolTip(sentence)

    def _add_row(self, use: ContextUsage, number: int | None, name: str, percent: str, tip: str = "") -> None:
        row = self._legend.rowCount()
        swatch = Swatch(self._themes, self._legend_box)
        swatch.show_share(use, number)
        label = plain_label(self._legend_box, _SMALL_PX, text=name)
        figure = plain_label(self._legend_box, _SMALL_PX, text=percent)
        set_scaled_font(figure, figures_font, _SMALL_PX)
        for widget in (label, figure):
            widget.setObjectName("caption")
            widget.setToolTip(tip)
        self._legend.addWidget(swatch, row, 0)
        self._legend.addWidget(label, row, 1)
        self._legend.addWidget(figure, row, 2, Qt.AlignmentFlag.AlignRight)

    def _clear_legend(self) -> None:
        while (item := self._legend.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


def _percent(use: ContextUsage, tokens: int) -> str:
    percent = use.percent(tokens)
    return "<1%" if tokens and not percent else f"{percent}%"

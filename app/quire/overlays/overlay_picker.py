"""The choice of the overlay: a button in the page's header, and the legend under it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QActionGroup, QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from quire.domain.text_quality.overlays import KINDS, Overlay, SpanKind
from quire.overlays.overlay_labels import OverlayTexts
from quire.theme.fonts import interface_font
from quire.theme.overlay_colours import KindLook, kind_look, overlay_sheet
from quire.theme.text_size import fit_line, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel, plain_label

_TEXT_PX = 12
_SAMPLE = QSize(24, 14)
_LEGEND_PX = 26


class OverlayPicker(QToolButton):
    """Shows which overlay is on and lets the writer choose another.

    Signals:
        overlay_chosen: by the writer.
        overlay_shown: the button's text changed.
    """

    overlay_chosen = Signal(Overlay)
    overlay_shown = Signal()

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overlayButton")
        self._themes, self._texts = themes, OverlayTexts(self)
        self._overlay = Overlay.NONE
        set_scaled_font(self, interface_font, _TEXT_PX)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # clicking must not move the caret
        self.setMenu(self._make_menu())
        themes.changed.connect(self._dress)
        self._dress()
        self.show_overlay(Overlay.NONE)

    @property
    def overlay(self) -> Overlay:
        """Return which overlay is on."""
        return self._overlay

    def show_overlay(self, overlay: Overlay) -> None:
        """Set the overlay without emitting a signal."""
        self._overlay = overlay
        name = self._texts.overlay(overlay)
        self.setText(self.tr("Highlight: {0} ▾").format(name))
        self.setAccessibleName(self.tr("Highlight: {0}").format(name))
        self.setToolTip(self.tr("{0}. Press F7 for the next one.").format(self._texts.hint(overlay)))
        for action in self.menu().actions():
            action.setChecked(action.data() == overlay.value)
        self.overlay_shown.emit()

    @Slot()
    def choose_next(self) -> None:
        """Switch to the next overlay."""
        self._choose(self._overlay.following)

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for overlay in Overlay:
            action = menu.addAction(self._texts.overlay(overlay))
            action.setCheckable(True)
            action.setData(overlay.value)
            action.setToolTip(self._texts.hint(overlay))
            group.addAction(action)
        menu.setToolTipsVisible(True)
        group.triggered.connect(lambda action: self._choose(Overlay(action.data())))
        return menu

    def _choose(self, overlay: Overlay) -> None:
        self.show_overlay(overlay)
        self.overlay_chosen.emit(overlay)

    @Slot()
    def _dress(self) -> None:
        self.setStyleSheet(overlay_sheet(self._themes.tokens))


class OverlayLegend(QWidget):
    """The meaning of the marks: a sample and a name each, and a sentence where one is needed."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes, self._texts = themes, OverlayTexts(self)
        self._chips: list[_Chip] = []
        # must never make the window wider
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        fit_line(self, _LEGEND_PX)
        self.note = ElidedLabel(self)
        self.note.setObjectName("overlayNote")
        set_scaled_font(self.note, interface_font, _TEXT_PX)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 0, 16, 6)
        self._row.setSpacing(16)
        self._row.addStretch(1)
        self._row.addWidget(self.note)
        self._row.addStretch(1)
        themes.changed.connect(self._dress)
        self._dress()
        self.show_overlay(Overlay.NONE)

    def show_overlay(self, overlay: Overlay, *, by_pass: bool = False, is_empty: bool = False) -> None:
        """Show the legend of an overlay, or why it marks nothing; hide it if there is no overlay."""
        kinds = () if is_empty else KINDS[overlay]
        self._show_kinds(kinds)
        note = self._texts.by_pass() if by_pass else ""
        text = self._texts.empty(overlay) if is_empty else note
        self.note.show_text(text)
        self.note.setVisible(bool(text))
        self.setVisible(overlay is not Overlay.NONE)
        names = ", ".join(self._texts.kind(kind) for kind in kinds)
        self.setAccessibleName(self.tr("Legend: {0}").format(names) if names else text)

    def texts(self) -> list[str]:
        """Return the texts of the legend."""
        shown = [chip.label.text() for chip in self._chips if not chip.isHidden()]
        return shown if self.note.isHidden() else [*shown, self.note.whole_text]

    def _show_kinds(self, kinds: Sequence[SpanKind]) -> None:
        for chip in self._chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [_Chip(self._texts.kind(kind), kind, self) for kind in kinds]
        for place, chip in enumerate(self._chips, start=1):
            self._row.insertWidget(place, chip)
            chip.show()
        self._dress()

    @Slot()
    def _dress(self) -> None:
        self.setStyleSheet(overlay_sheet(self._themes.tokens))
        for chip in self._chips:
            chip.sample.show_look(kind_look(chip.kind, self._themes.tokens), self._themes.tokens.paper)


class _Chip(QWidget):
    def __init__(self, name: str, kind: SpanKind, parent: QWidget) -> None:
        super().__init__(parent)
        self.kind = kind
        self.sample = _OverlaySwatch(self)
        self.label = plain_label(self, _TEXT_PX, QFont.Weight.Normal, name)
        self.label.setObjectName("overlayNote")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.sample)
        row.addWidget(self.label)


class _OverlaySwatch(QWidget):
    """A sample of the background and the line as they are drawn on the text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._look: KindLook | None = None
        self._paper = QColor()
        self.setFixedSize(_SAMPLE)

    def show_look(self, look: KindLook, paper: str) -> None:
        self._look, self._paper = look, QColor(paper)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._look is None:
            return
        painter = QPainter(self)
        box = QRectF(0, 0, self.width(), self.height())
        painter.fillRect(box, self._look.wash or self._paper)
        if self._look.pen is Qt.PenStyle.NoPen:
            painter.setPen(QPen(self._look.colour, 1, Qt.PenStyle.SolidLine))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))  # words without a mark
        else:
            painter.setPen(QPen(self._look.colour, 2, self._look.pen))
            painter.drawLine(2, self.height() - 2, self.width() - 2, self.height() - 2)
        painter.end()

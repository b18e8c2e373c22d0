"""The line at the bottom: a feature's state, what is saved, the length of the manuscript, the model."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from quire.domain.manuscript.writing_statistics import signed
from quire.shell.project_status import ProjectStatus, SaveState
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font, interface_font
from quire.theme.text_size import fit_line, set_scaled_font
from quire.ui.labels import ElidedLabel, plain_label
from quire.ui.translated import translated
from quire_engine.api.model_identity import ON_SERVER

LINE_HEIGHT_PX = 32
_SIZE_PX = 12
_MODEL_PX = 280
"""Of a longer name the end is cut off before anything else is left out."""


class StatusLine(QFrame):
    """Shows a ProjectStatus in small print."""

    def __init__(self, status: ProjectStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        fit_line(self, LINE_HEIGHT_PX)
        self._status = status
        self._is_research = self._is_open = False
        self.saved_label = plain_label(self, _SIZE_PX)
        self.words_label = plain_label(self, _SIZE_PX)
        set_scaled_font(self.words_label, figures_font, _SIZE_PX)
        self.words_label.setToolTip(
            self.tr(
                "Chinese and Japanese are counted in characters, Thai in its words; Lao, Khmer and Burmese "
                "in what spaces part."
            )
        )
        self.today_label = plain_label(self, _SIZE_PX)
        set_scaled_font(self.today_label, figures_font, _SIZE_PX)
        self.today_label.setToolTip(
            self.tr("Words you wrote and words drafted today. See Tools > Writing Statistics.")
        )
        self.spelling_label = plain_label(self, _SIZE_PX)
        self.spelling_label.setToolTip(self.tr("Spelling language. Change it in Edit > Spelling."))
        self.model_label = ElidedLabel(self)
        self.dtype_label = plain_label(self, _SIZE_PX)
        self.dtype_label.setToolTip(self.tr("Model precision"))
        set_scaled_font(self.model_label, interface_font, _SIZE_PX)
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 0)
        layout.setSpacing(18)
        layout.addStretch()
        layout.addWidget(self.saved_label)
        layout.addWidget(self.words_label)
        layout.addWidget(self.today_label)
        layout.addWidget(self.spelling_label)
        layout.addWidget(self.model_label)
        layout.addWidget(self.dtype_label)
        self._optional = [self.spelling_label, self.today_label, self.words_label]
        status.changed.connect(self._refresh)
        status.counted.connect(self._show_counts)
        status.saved.connect(self._show_saved)
        self.hide()
        self._refresh()

    def add_state(self, widget: QWidget) -> None:
        """Put a widget at the left, which gets the width that is left."""
        self._layout.insertWidget(0, widget, 1)

    def add_before_model(self, widget: QWidget) -> None:
        """Put a widget to the left of the model's name."""
        self._layout.insertWidget(self._layout.indexOf(self.model_label), widget)

    def set_research(self, *, on: bool) -> None:
        """Show or hide the precision of the model, which only the research view has."""
        self._is_research = on
        self._refresh()

    @Slot(str)
    def show_spelling(self, state: str) -> None:
        """Show the language of spelling, or that it is off."""
        self.spelling_label.setText(state)

    @Slot()
    def _refresh(self) -> None:
        status = self._status
        if status.is_open is not self._is_open:  # and at no other time: focus mode hides it as well
            self._is_open = status.is_open
            self.setVisible(status.is_open)
        self._show_saved()
        self._show_counts()
        self.model_label.show_text(translated(status.model_name))
        self.dtype_label.setText(self.tr("Fast (int8)") if status.dtype == "int8" else status.dtype)
        self.dtype_label.setVisible(self._is_research and status.dtype not in ("", ON_SERVER))
        self._fit()

    @Slot()
    def _show_saved(self) -> None:
        self.saved_label.setText(
            {
                SaveState.SAVED: self.tr("Saved"),
                SaveState.SAVING: self.tr("Saving…"),
                SaveState.NOT_SAVED: self.tr("Not saved"),
            }[self._status.save_state]
        )

    @Slot()
    def _show_counts(self) -> None:
        status = self._status
        words = (
            self.tr("1 word")
            if status.num_words == 1
            else self.tr("{0} words").format(number_text(status.num_words))
        )
        place = self.tr("{0} in this text") if status.shows_part else self.tr("{0} in the manuscript")
        self.words_label.setText(place.format(words))
        written, drafted = status.today.words_written, status.today.words_drafted
        target = status.daily_target
        parts: list[str] = []
        if target:
            parts.append(self.tr("{0} of {1} written").format(_count(written), number_text(target)))
        elif written:
            parts.append(self.tr("{0} written").format(_count(written)))
        if drafted:
            parts.append(self.tr("{0} drafted").format(_count(drafted)))
        said = self.tr("Today: {0}").format(", ".join(parts)) if parts else ""
        had_today = bool(self.today_label.text())
        self.today_label.setText(said)
        if had_today is not bool(said):
            self._fit()

    def event(self, event: QEvent) -> bool:
        """Leave out what there is no room for."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Show the labels that have a text, as far as there is room."""
        margins, gap = self._layout.contentsMargins(), self._layout.spacing()
        items = [self._layout.itemAt(place) for place in range(self._layout.count())]
        parts = [None if item is None else item.widget() for item in items]
        needed = margins.left() + margins.right() - gap + min(self.model_label.sizeHint().width(), _MODEL_PX)
        for part in parts:
            if part is not None and part not in self._optional and not part.isHidden():
                needed += part.minimumSizeHint().width() + gap
        for label in reversed(self._optional):
            needed += label.sizeHint().width() + gap
            label.setVisible(bool(label.text()) and needed <= self.width())


def _count(words: int) -> str:
    """Return a number of words; more may be deleted in a day than are written."""
    return number_text(words) if words >= 0 else signed(words)

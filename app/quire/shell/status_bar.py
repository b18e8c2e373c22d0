"""The status bar: what is saved, the length of the manuscript, the model."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from quire.domain.manuscript.writing_statistics import signed
from quire.shell.project_status import ProjectStatus, SaveState
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font, interface_font
from quire.theme.text_size import fit_line, set_scaled_font
from quire.ui.labels import ElidedLabel, plain_label
from quire.ui.translated import translated
from quire_engine.api.model_identity import ON_SERVER

LINE_HEIGHT_PX = 28
_SIZE_PX = 12


class StatusLine(QWidget):
    """Shows a ProjectStatus in small print."""

    def __init__(self, status: ProjectStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        fit_line(self, LINE_HEIGHT_PX)
        self._status = status
        self._is_research = False
        self.saved_label = plain_label(self, _SIZE_PX)
        self.words_label = plain_label(self, _SIZE_PX)
        set_scaled_font(self.words_label, figures_font, _SIZE_PX)
        self.words_label.setToolTip(
            self.tr("Chinese and Japanese are counted in characters, Thai in its words.")
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
        layout.setContentsMargins(24, 0, 24, 6)
        layout.setSpacing(20)
        layout.addWidget(self.saved_label)
        layout.addWidget(self.words_label)
        layout.addWidget(self.today_label)
        layout.addStretch(1)
        layout.addWidget(self.spelling_label)
        layout.addWidget(self.model_label)
        layout.addWidget(self.dtype_label)
        status.changed.connect(self._refresh)
        self._refresh()

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
        for label in (self.saved_label, self.words_label):
            label.setVisible(status.is_open)
        self.saved_label.setText(
            {
                SaveState.SAVED: self.tr("Saved"),
                SaveState.SAVING: self.tr("Saving…"),
                SaveState.NOT_SAVED: self.tr("Not saved"),
            }[status.save_state]
        )
        words = (
            self.tr("1 word")
            if status.num_words == 1
            else self.tr("{0} words").format(number_text(status.num_words))
        )
        place = self.tr("{0} in this text") if status.shows_part else self.tr("{0} in the manuscript")
        self.words_label.setText(place.format(words))
        written, drafted = status.today.words_written, status.today.words_drafted
        target = status.daily_target
        self.today_label.setVisible(status.is_open and bool(written or drafted or target))
        if target:
            said = self.tr("Today: {0} of {1} written, {2} drafted")
            self.today_label.setText(said.format(signed(written), number_text(target), signed(drafted)))
        else:
            said = self.tr("Today: {0} written, {1} drafted")
            self.today_label.setText(said.format(signed(written), signed(drafted)))
        self.model_label.show_text(translated(status.model_name))
        self.dtype_label.setText(self.tr("Fast (int8)") if status.dtype == "int8" else status.dtype)
        self.dtype_label.setVisible(self._is_research and status.dtype not in ("", ON_SERVER))

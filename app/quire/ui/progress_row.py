"""The progress of work, and the button that stops it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from quire.ui.labels import ElidedLabel

_STEPS = 1000


class WorkRow(QWidget):
    """A sentence, a bar and a button; hidden while no work is running."""

    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = ElidedLabel(self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.stop_button = QPushButton(self.tr("Stop"), self)
        self.stop_button.setAutoDefault(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(14)
        layout.addWidget(self.label, 1)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self.stop_button)
        self.stop_button.clicked.connect(self._stop)
        self.hide()

    def begin(self, sentence: str) -> None:
        """Show that work has started."""
        self.label.show_text(sentence)
        self.bar.setAccessibleName(sentence)
        self.bar.setValue(0)
        self.stop_button.setEnabled(True)
        self.show()

    def show_share(self, share: float) -> None:
        """Show the progress, from 0 to 1."""
        self.bar.setValue(round(_STEPS * share))

    def end(self) -> None:
        """Hide the row when work has ended."""
        self.hide()

    @Slot()
    def _stop(self) -> None:
        self.stop_button.setEnabled(False)
        self.label.show_text(self.tr("Stopping…"))
        self.stop_wanted.emit()

"""The progress of an import above the manuscript, while the list of models is closed."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from quire.ui.progress_row import WorkRow

_BAR_PX = 240


class ImportBar(QFrame):
    """A row in the form of a notice; hidden while nothing is imported or the list of models shows it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("kind", "note")
        self.row = WorkRow(self)
        self.row.bar.setMaximumWidth(_BAR_PX)
        self._is_needed = self._is_elsewhere = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 10, 16, 10)
        layout.addWidget(self.row)
        self.hide()

    def begin(self, name: str) -> None:
        """Show that a model is being imported."""
        self.row.begin(self.tr("Importing {0}…").format(name))
        self._is_needed = True
        self._refresh()

    def end(self) -> None:
        """Show that the import has ended."""
        self.row.end()
        self._is_needed = False
        self._refresh()

    def set_elsewhere(self, *, elsewhere: bool) -> None:
        """Set whether another widget shows the progress."""
        self._is_elsewhere = elsewhere
        self._refresh()

    def _refresh(self) -> None:
        self.setVisible(self._is_needed and not self._is_elsewhere)

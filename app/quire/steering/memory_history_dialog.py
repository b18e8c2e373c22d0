"""Earlier versions of Memory."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.steering import Memory
from quire.domain.written_time import WrittenTime
from quire.theme.fonts import interface_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.translated import translated

_SIZE = QSize(640, 420)


class MemoryVersionsDialog(QDialog):
    """Lists earlier versions.

    Signals:
        version_chosen: the text to restore.
    """

    version_chosen = Signal(str)

    def __init__(self, memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Memory History"))
        self.resize(_SIZE)
        self._versions = memory.earlier
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        set_scaled_font(self.list, interface_font)
        self.list.setAccessibleName(self.tr("Versions, newest first"))
        fit(self.list.setFixedWidth, 210)
        for version in self._versions:
            until = translated(WrittenTime(version.when))
            self.list.addItem(self.tr("Until {0}").format(until))
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        set_scaled_font(self.text, interface_font)
        self.text.setAccessibleName(self.tr("Text of this version"))
        self.take_button = QPushButton(self.tr("Use This Version"), self)
        self.take_button.setProperty("primary", True)
        self.take_button.setEnabled(bool(self._versions))
        self.close_button = QPushButton(self.tr("Close"), self)
        columns = QHBoxLayout()
        columns.setSpacing(14)
        columns.addWidget(self.list)
        columns.addWidget(self.text, 1)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.take_button)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(12)
        layout.addLayout(columns, 1)
        layout.addLayout(buttons)
        self.list.currentRowChanged.connect(self._show)
        self.take_button.clicked.connect(self._take)
        self.close_button.clicked.connect(self.reject)
        self.list.setCurrentRow(0)

    @Slot(int)
    def _show(self, row: int) -> None:
        self.text.setPlainText(self._versions[row].text if row >= 0 else "")

    @Slot()
    def _take(self) -> None:
        if (row := self.list.currentRow()) >= 0:
            self.version_chosen.emit(self._versions[row].text)
            self.accept()

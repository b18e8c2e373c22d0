"""What the writer may send after an error: shown, copied or saved; nothing is sent from here."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, QTimer, Slot
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.theme.fonts import headline_font
from quire.theme.text_size import set_scaled_font
from quire.ui.dialog_size import resize_within_screen
from quire.ui.file_dialogs import ThemedFileDialog
from quire.ui.labels import plain_label

_SIZE = QSize(760, 560)
_SAID_MS = 4000


class ReportDialog(QDialog):
    """Shows a report verbatim, so that the writer can check it before sending it."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Report a Problem"))
        self._report = report
        self.headline = plain_label(self, text=self.tr("Problem report"))
        set_scaled_font(self.headline, headline_font, 22)
        self.sentence = plain_label(
            self,
            text=self.tr(
                "This report lists versions, places in the program and types of error. It contains none of"
                " your writing and no file names. Quire sends nothing by itself: copy the report into an"
                " email or an issue, and add a sentence about what you were doing."
            ),
        )
        self.sentence.setObjectName("caption")
        self.sentence.setWordWrap(True)
        self.text_edit = QPlainTextEdit(report, self)
        self.text_edit.setAccessibleName(self.tr("Report text"))
        self.text_edit.setReadOnly(True)
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.said_label = plain_label(self)
        self.said_label.setObjectName("caption")
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.timeout.connect(self.said_label.clear)
        self.copy_button = QPushButton(self.tr("Copy"), self)
        self.copy_button.setProperty("primary", True)
        self.copy_button.setDefault(True)
        self.save_button = QPushButton(self.tr("Save…"), self)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.copy_button.clicked.connect(self._copy)
        self.save_button.clicked.connect(self.ask_where_to_save)
        self.close_button.clicked.connect(self.reject)
        self._lay_out()
        self.copy_button.setFocus()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.said_label, 1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.save_button)
        buttons.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 20)
        layout.setSpacing(12)
        layout.addWidget(self.headline)
        layout.addWidget(self.sentence)
        layout.addWidget(self.text_edit, 1)
        layout.addLayout(buttons)
        resize_within_screen(self, _SIZE)

    @Slot()
    def ask_where_to_save(self) -> QFileDialog:
        """Let the writer choose where to save the report."""
        dialog = ReportFileDialog(self)
        dialog.fileSelected.connect(self._save)
        dialog.open()
        return dialog

    @Slot()
    def _copy(self) -> None:
        QApplication.clipboard().setText(self._report)
        self._say(self.tr("Copied."))

    @Slot(str)
    def _save(self, path: str) -> None:
        try:
            Path(path).write_text(self._report, encoding="utf-8")
        except OSError as error:
            self._say(
                self.tr("Could not save the report there ({0}). Choose another folder.").format(
                    error.strerror
                )
            )
        else:
            self._say(self.tr("Saved."))

    def _say(self, sentence: str) -> None:
        self.said_label.setText(sentence)
        self.said_label.setAccessibleName(sentence)
        self._said.start(_SAID_MS)


class ReportFileDialog(ThemedFileDialog):
    """Chooses where to save the report; it opens none of the files it shows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", None, parent)
        self.setWindowTitle(self.tr("Save Report"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setNameFilters([self.tr("Text files (*.txt)"), self.tr("All files (*)")])
        self.setDefaultSuffix("txt")
        self.selectFile("Quire report.txt")

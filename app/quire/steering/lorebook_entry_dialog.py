"""One entry of the lorebook: its name, its text, and its keywords."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.steering import LoreEntry
from quire.steering.prompt_source_style import words_text
from quire.ui.chapter_picker import BOX_STYLE
from quire.ui.form_parts import caption
from quire_engine.metrics.word_count import count_words


class LoreDialog(QDialog):
    """Edits an entry.

    Signals:
        entry_wanted: the edited entry.
    """

    entry_wanted = Signal(LoreEntry)

    def __init__(self, entry: LoreEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        is_note = entry.node_id is not None
        self.setWindowTitle(self.tr("Lorebook Entry"))
        self.resize(480, 420)
        self.name_edit = QLineEdit(entry.name, self)
        self.name_edit.setPlaceholderText(self.tr("Who or what, e.g. Mara"))
        self.name_edit.setReadOnly(is_note)
        self.keys_edit = QLineEdit(", ".join(entry.keys), self)
        self.keys_edit.setPlaceholderText(self.tr("Comma-separated keywords (default: the name)"))
        self.text_edit = QPlainTextEdit(entry.text, self)
        self.text_edit.setPlaceholderText(self.tr("A few plain sentences, as a narrator would put them"))
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.setReadOnly(is_note)
        self.pinned_box = QCheckBox(self.tr("Always include"), self)
        self.pinned_box.setChecked(entry.pinned)
        self.on_box = QCheckBox(self.tr("Enabled"), self)
        self.on_box.setChecked(entry.on)
        self.hint = caption(self)
        self.save_button = QPushButton(self.tr("Save"), self)
        self.save_button.setProperty("primary", True)
        self.save_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self._lay_out()
        self.save_button.clicked.connect(self._save)
        self.cancel_button.clicked.connect(self.reject)
        self.name_edit.textChanged.connect(self._check)
        self.text_edit.textChanged.connect(self._check)
        (self.keys_edit if is_note else self.text_edit if entry.name else self.name_edit).setFocus()
        self._check()

    @property
    def entry(self) -> LoreEntry:
        """Return the entry with the values of the fields."""
        keys = tuple(key.strip() for key in self.keys_edit.text().split(",") if key.strip())
        changed = replace(
            self._entry, keys=keys, pinned=self.pinned_box.isChecked(), on=self.on_box.isChecked()
        )
        if self._entry.node_id is not None:
            return changed
        name = " ".join(self.name_edit.text().split())
        return replace(changed, name=name, text=self.text_edit.toPlainText().strip())

    @Slot()
    def _save(self) -> None:
        self.entry_wanted.emit(self.entry)
        self.accept()

    @Slot()
    def _check(self) -> None:
        entry = self.entry
        self.save_button.setEnabled(bool(entry.name and entry.text.strip()))
        size = words_text(count_words(entry.text))
        if entry.node_id is not None:
            said = self.tr("This is one of your notes ({0}). Open the note to edit its text.")
        elif not (entry.name and entry.text):
            said = self.tr("Enter a name and some text.")
        else:
            said = self.tr("Included when a keyword appears in recent pages ({0}).")
        self.hint.setText(said.format(size))

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setSpacing(8)
        for name, widget in (
            (self.tr("&Name"), self.name_edit),
            (self.tr("&Keywords"), self.keys_edit),
            (self.tr("&Text"), self.text_edit),
        ):
            form.addRow(name, widget)
            widget.setAccessibleName(name.replace("&", ""))
        for box in (self.pinned_box, self.on_box):
            box.setStyleSheet(BOX_STYLE.replace("@", "QCheckBox"))
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(10)
        layout.addLayout(form, 1)
        layout.addWidget(self.pinned_box)
        layout.addWidget(self.on_box)
        layout.addWidget(self.hint)
        layout.addLayout(buttons)

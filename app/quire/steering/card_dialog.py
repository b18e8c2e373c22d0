"""A card: a character, a place or a note, and when the model is told about it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.steering import Inclusion, LoreEntry, NewCard
from quire.steering.card_fields import InclusionBox, KeywordsEdit, KindBox
from quire.steering.prompt_source_style import words_text
from quire.ui.form_parts import caption
from quire_engine.metrics.word_count import count_words


class CardDialog(QDialog):
    """Edits a card; its title and text are edited on the page once it is in the tree.

    Signals:
        card_wanted: a new card, and when the model is told about it.
        entry_wanted: the changed entry of a card that is there.
        open_asked: show the card on the page.
    """

    card_wanted = Signal(NewCard, LoreEntry)
    entry_wanted = Signal(LoreEntry)
    open_asked = Signal(int)

    def __init__(self, entry: LoreEntry, parent: QWidget | None = None, *, is_new: bool = False) -> None:
        super().__init__(parent)
        self._entry, self._is_new = entry, is_new
        in_tree = entry.node_id is not None
        self.setWindowTitle(self.tr("New Card") if is_new else self.tr("Card"))
        self.resize(500, 440)
        self.name_edit = QLineEdit(entry.name, self)
        self.name_edit.setPlaceholderText(self.tr("Who or what, e.g. Mara"))
        self.name_edit.setReadOnly(in_tree)
        self.kind_box = KindBox(self)
        self.inclusion_box = InclusionBox(self)
        self.inclusion_box.show_inclusion(Inclusion.MENTIONED if is_new else entry.inclusion)
        self.keys_edit = KeywordsEdit(self)
        self.keys_edit.show_keys(entry.keys)
        self.text_edit = QPlainTextEdit(entry.text, self)
        self.text_edit.setPlaceholderText(self.tr("A few plain sentences, as a narrator would put them"))
        self.text_edit.setTabChangesFocus(True)
        self.text_edit.setReadOnly(in_tree)
        self.hint = caption(self)
        self.open_button = QPushButton(self.tr("Open Card"), self)
        self.open_button.setAutoDefault(False)
        self.open_button.setVisible(in_tree)
        self.save_button = QPushButton(self.tr("Save"), self)
        self.save_button.setProperty("primary", True)
        self.save_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self._lay_out()
        self.save_button.clicked.connect(self._save)
        self.cancel_button.clicked.connect(self._discard)
        self.open_button.clicked.connect(self._open)
        self.name_edit.textChanged.connect(self._check)
        self.text_edit.textChanged.connect(self._check)
        self.inclusion_box.currentIndexChanged.connect(self._check)
        self._shown = self._filled
        (self.keys_edit if in_tree else self.text_edit if entry.name else self.name_edit).setFocus()
        self._check()

    @property
    def entry(self) -> LoreEntry:
        """Return the entry with the values of the fields."""
        changed = replace(self._entry, keys=self.keys_edit.keys).included(self.inclusion_box.inclusion)
        if self._entry.node_id is not None:
            return changed
        return replace(changed, name=self._name, text=self.text_edit.toPlainText().strip())

    def reject(self) -> None:
        """Close, unless something was filled in: Esc and the close button throw nothing away."""
        if self._filled == self._shown:
            super().reject()
        else:
            self.hint.setText(self.tr("Press Save to keep this card, or Cancel to discard it."))
            self.save_button.setFocus()

    @property
    def _filled(self) -> tuple[LoreEntry, str, str]:
        """Return what the fields hold."""
        return self.entry, self.name_edit.text(), self.text_edit.toPlainText()

    @property
    def _name(self) -> str:
        return " ".join(self.name_edit.text().split())

    @Slot()
    def _discard(self) -> None:
        super().reject()

    @Slot()
    def _save(self) -> None:
        if self._is_new:
            card = NewCard(self.kind_box.kind, self._name, self.text_edit.toPlainText().strip())
            self.card_wanted.emit(card, self.entry)
        else:
            self.entry_wanted.emit(self.entry)
        self.accept()

    @Slot()
    def _open(self) -> None:
        if self._filled != self._shown:  # to look at a card tells the model nothing
            self.entry_wanted.emit(self.entry)
        self.accept()
        self.open_asked.emit(self._entry.node_id)

    @Slot()
    def _check(self) -> None:
        entry = self.entry
        has_text = bool(entry.text.strip())
        self.save_button.setEnabled(bool(entry.name) and (has_text or self._is_new or not entry.on))
        self.keys_edit.setEnabled(entry.inclusion is Inclusion.MENTIONED)
        size = words_text(count_words(entry.text))
        if not entry.name:
            said = self.tr("Enter a name.")
        elif not has_text:
            said = self.tr(
                "Add a few sentences, here or later on the page. An empty card tells the model nothing."
            )
        elif not entry.on:
            said = self.tr("The model is not told about this card ({0}).")
        elif entry.pinned:
            said = self.tr("Included in every draft ({0}).")
        else:
            said = self.tr("Included when a keyword appears in recent pages ({0}).")
        self.hint.setText(said.format(size))

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setSpacing(8)
        form.addRow(self.tr("&Name"), self.name_edit)
        if self._is_new:
            form.addRow(self.tr("&Kind"), self.kind_box)
        else:
            self.kind_box.hide()
        form.addRow(self.tr("Tell the &model"), self.inclusion_box)
        form.addRow(self.tr("Ke&ywords"), self.keys_edit)
        form.addRow(self.tr("&Text"), self.text_edit)
        self.name_edit.setAccessibleName(self.tr("Name"))
        self.text_edit.setAccessibleName(self.tr("Text"))
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(10)
        layout.addLayout(form, 1)
        layout.addWidget(self.hint)
        layout.addLayout(buttons)

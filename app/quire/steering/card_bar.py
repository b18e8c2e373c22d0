"""The head of a character, a place or a note on the page: its kind, and what the model is told about it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from quire.domain.drafting.steering import LoreEntry
from quire.domain.manuscript.tree import NodeKind
from quire.steering.card_fields import InclusionBox, KeywordsEdit, KindBox


class CardBar(QFrame):
    """Shown above the text of a card.

    Signals:
        entry_changed: when the model is told about the card.
        kind_chosen: the card, and its new kind.
    """

    entry_changed = Signal(LoreEntry)
    kind_chosen = Signal(int, NodeKind)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cardBar")
        self.setAccessibleName(self.tr("Card"))
        self._entry = LoreEntry(0)
        self._kind = NodeKind.NOTE
        self.kind_box = KindBox(self)
        self.inclusion_box = InclusionBox(self)
        self.keys_edit = KeywordsEdit(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 8, 24, 0)
        layout.setSpacing(10)
        layout.addWidget(self.kind_box)
        layout.addWidget(self.inclusion_box)
        layout.addWidget(self.keys_edit, 1)
        self.kind_box.activated.connect(self._choose_kind)
        self.inclusion_box.activated.connect(self._choose_inclusion)
        self.keys_edit.textEdited.connect(self._keep_keys)  # at once: another card may be shown next
        self.hide()

    def show_card(self, kind: NodeKind, entry: LoreEntry, *, may_edit: bool) -> None:
        """Show a card; entry: what the lorebook keeps of it."""
        is_other = entry.node_id != self._entry.node_id
        self._kind, self._entry = kind, entry
        self.kind_box.show_kind(kind)
        self.inclusion_box.show_inclusion(entry.inclusion)
        if is_other or not self.keys_edit.hasFocus():
            self.keys_edit.show_keys(entry.keys)
        for field in (self.kind_box, self.inclusion_box, self.keys_edit):
            field.setEnabled(may_edit)
        self.show()

    @Slot()
    def _choose_kind(self) -> None:
        if self._entry.node_id is not None and self.kind_box.kind is not self._kind:
            self.kind_chosen.emit(self._entry.node_id, self.kind_box.kind)

    @Slot()
    def _choose_inclusion(self) -> None:
        self._change(self._entry.included(self.inclusion_box.inclusion))

    @Slot()
    def _keep_keys(self) -> None:
        self._change(replace(self._entry, keys=self.keys_edit.keys))

    def _change(self, entry: LoreEntry) -> None:
        if entry != self._entry:
            self._entry = entry
            self.entry_changed.emit(entry)

"""The notes of the project beside the page, to read while writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.theme.fonts import interface_font
from quire.theme.text_size import set_scaled_font
from quire.ui.form_parts import caption

_ID = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A note; is_included: whether it is in the lorebook."""

    node_id: int
    title: str
    kind: str
    text: str
    is_included: bool = False


class NotesPanel(QFrame):
    """Lists notes, characters and places, and shows the selected one.

    Signals:
        open_asked: show it in the editor.
        told_asked: whether to include it in the lorebook.
    """

    open_asked = Signal(int)
    inclusion_asked = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Notes"))
        self._lines: dict[int, NoteLine] = {}
        self._may_edit = True
        self.hint = caption(self)
        self.hint.setText(self.tr("No notes yet. To add one, choose Manuscript > New Note."))
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        set_scaled_font(self.list, interface_font)
        self.list.setAccessibleName(self.tr("Notes, characters and places"))
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        set_scaled_font(self.text, interface_font)
        self.text.setAccessibleName(self.tr("Note text"))
        self.lorebook_box = QCheckBox(self.tr("Tell the model"), self)
        self.lorebook_box.setToolTip(self.tr("Let the model see this card when the story mentions it"))
        self.open_button = QPushButton(self.tr("Open"), self)
        self.list.currentItemChanged.connect(self._show)
        self.list.itemActivated.connect(self._open)
        self.open_button.clicked.connect(self._open)
        self.lorebook_box.clicked.connect(self._notify)
        row = QHBoxLayout()
        row.addWidget(self.lorebook_box, 1)
        row.addWidget(self.open_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 2)
        layout.addWidget(self.text, 3)
        layout.addLayout(row)
        self.show_notes((), may_edit=True)

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Notes")

    def show_notes(self, lines: Sequence[NoteLine], *, may_edit: bool) -> None:
        """List these notes, keeping the selection."""
        chosen = self._chosen()
        self._may_edit = may_edit
        self._lines = {line.node_id: line for line in lines}
        with QSignalBlocker(self.list):
            self.list.clear()
            for line in lines:
                item = QListWidgetItem(line.title or self.tr("Untitled"))
                item.setData(_ID, line.node_id)
                item.setToolTip(line.kind)
                self.list.addItem(item)
                if chosen is not None and chosen.node_id == line.node_id:
                    self.list.setCurrentItem(item)
            if lines and self.list.currentItem() is None:
                self.list.setCurrentRow(0)
        self.hint.setVisible(not lines)
        for widget in (self.list, self.text, self.lorebook_box, self.open_button):
            widget.setVisible(bool(lines))
        self._show()

    def _chosen(self) -> NoteLine | None:
        item = self.list.currentItem()
        return None if item is None else self._lines.get(int(item.data(_ID)))

    @Slot()
    def _show(self) -> None:
        line = self._chosen()
        if line is not None and self.text.toPlainText() != line.text:
            self.text.setPlainText(line.text)
        self.lorebook_box.setChecked(line is not None and line.is_included)
        self.lorebook_box.setEnabled(self._may_edit and line is not None)

    @Slot()
    def _open(self) -> None:
        if (line := self._chosen()) is not None:
            self.open_asked.emit(line.node_id)

    @Slot(bool)
    def _notify(self, is_included: bool) -> None:
        if (line := self._chosen()) is not None:
            self.inclusion_asked.emit(line.node_id, is_included)

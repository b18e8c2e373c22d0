"""The lorebook in a small space: pinned and active entries, and their lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QListWidget, QListWidgetItem, QMenu, QVBoxLayout, QWidget

from quire.domain.drafting.steering import LoreEntry
from quire.steering.prompt_source_style import words_text
from quire.theme.fonts import interface_font
from quire.theme.text_size import scaled, set_scaled_font
from quire.ui.form_parts import caption, small_button
from quire_engine.metrics.word_count import count_words

_ID = Qt.ItemDataRole.UserRole
_MOST_ROWS = 7
_ROW_PX = 20


class LoreList(QWidget):
    """Lists the entries; a tick enables one.

    Signals:
        changed: an edited entry.
        edit_asked: the number of an entry.
        removed: the number of an entry.
    """

    changed = Signal(LoreEntry)
    edit_asked = Signal(int)
    removed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[int, LoreEntry] = {}
        self._may_edit = True
        self.hint = caption(self)
        self.hint.setText(
            self.tr("People, places and things. The model sees an entry when the story mentions it.")
        )
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        self.list.setAccessibleName(self.tr("Lorebook"))
        set_scaled_font(self.list, interface_font)
        self.list.setStyleSheet("QListView::item { padding: 3px 4px; }")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.edit_button = small_button(self.tr("Edit"), self)
        self.pin_button = small_button(self.tr("Pin"), self)
        self.remove_button = small_button(self.tr("Remove"), self)
        self.edit_button.clicked.connect(self._edit)
        self.pin_button.clicked.connect(self._pin)
        self.remove_button.clicked.connect(self._remove)
        self.list.itemChanged.connect(self._switch)
        self.list.itemActivated.connect(self._edit)
        self.list.currentItemChanged.connect(self._refresh)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(0)
        for button in (self.edit_button, self.pin_button, self.remove_button):
            self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.hint)
        layout.addWidget(self.list)
        layout.addLayout(self._buttons)
        self.show_entries((), may_edit=True)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the longest button: without room for all, they are below each other."""
        buttons = (self.edit_button, self.pin_button, self.remove_button)
        return QSize(max(button.sizeHint().width() for button in buttons), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons beside each other where they have room."""
        super().resizeEvent(event)
        beside = QBoxLayout.Direction.LeftToRight
        buttons = (self.edit_button, self.pin_button, self.remove_button)
        has_room = sum(button.sizeHint().width() for button in buttons) <= self.width()
        self._buttons.setDirection(beside if has_room else QBoxLayout.Direction.TopToBottom)

    def show_entries(self, entries: Sequence[LoreEntry], *, may_edit: bool) -> None:
        """List these entries, keeping the selection."""
        chosen = self._chosen()
        self._may_edit = may_edit
        same = list(self._entries) == [entry.entry_id for entry in entries]
        self._entries = {entry.entry_id: entry for entry in entries}
        with QSignalBlocker(self.list):
            if not same:  # a row must not be removed while it is being ticked
                self.list.clear()
                for entry in entries:
                    self.list.addItem(QListWidgetItem())
                    if chosen is not None and entry.entry_id == chosen.entry_id:
                        self.list.setCurrentRow(self.list.count() - 1)
            for row, entry in enumerate(entries):
                self._dress(self.list.item(row), entry)
        self.hint.setVisible(not entries)
        self.list.setVisible(bool(entries))
        row_px = max(self.list.sizeHintForRow(0), scaled(_ROW_PX))
        self.list.setFixedHeight(min(len(entries), _MOST_ROWS) * row_px + 4)
        self._refresh()

    def choose(self, entry_id: int) -> None:
        """Select an entry."""
        for row in range(self.list.count()):
            if self.list.item(row).data(_ID) == entry_id:
                self.list.setCurrentRow(row)

    def _dress(self, item: QListWidgetItem, entry: LoreEntry) -> None:
        name = entry.name or self.tr("Unnamed")
        size = words_text(count_words(entry.text))
        pinned = self.tr(" (pinned)") if entry.pinned else ""
        item.setText(f"{name}{pinned}  \u00b7  {size}")
        item.setData(_ID, entry.entry_id)
        selectable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        item.setFlags(selectable | Qt.ItemFlag.ItemIsUserCheckable if self._may_edit else selectable)
        item.setCheckState(Qt.CheckState.Checked if entry.on else Qt.CheckState.Unchecked)
        keys = self.tr("Keywords: {0}").format(", ".join(entry.calls))
        item.setToolTip(self.tr("Always included") if entry.pinned else keys)

    def _chosen(self) -> LoreEntry | None:
        item = self.list.currentItem()
        return None if item is None else self._entries.get(int(item.data(_ID)))

    @Slot(QListWidgetItem)
    def _switch(self, item: QListWidgetItem) -> None:
        entry = self._entries.get(int(item.data(_ID)))
        is_on = item.checkState() is Qt.CheckState.Checked
        if entry is not None and entry.on != is_on:
            self.changed.emit(replace(entry, on=is_on))

    @Slot()
    def _edit(self) -> None:
        if self._may_edit and (entry := self._chosen()) is not None:
            self.edit_asked.emit(entry.entry_id)

    @Slot()
    def _pin(self) -> None:
        if self._may_edit and (entry := self._chosen()) is not None:
            self.changed.emit(replace(entry, pinned=not entry.pinned))

    @Slot()
    def _remove(self) -> None:
        if self._may_edit and (entry := self._chosen()) is not None:
            self.removed.emit(entry.entry_id)

    @Slot(QPoint)
    def _show_menu(self, place: QPoint) -> None:
        if self._chosen() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button, slot in (
            (self.edit_button, self._edit),
            (self.pin_button, self._pin),
            (self.remove_button, self._remove),
        ):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(slot)
        menu.popup(self.list.viewport().mapToGlobal(place))

    @Slot()
    def _refresh(self) -> None:
        entry = self._chosen()
        for button in (self.edit_button, self.pin_button, self.remove_button):
            button.setVisible(bool(self._entries))
            button.setEnabled(self._may_edit and entry is not None)
        self.pin_button.setText(self.tr("Unpin") if entry is not None and entry.pinned else self.tr("Pin"))

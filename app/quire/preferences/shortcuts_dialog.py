"""Every shortcut in one list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from quire.ui.dialog_size import resize_within_screen
from quire.ui.form_parts import finish_dialog
from quire.ui.labels import plain_label

if TYPE_CHECKING:
    from quire.preferences.shortcuts import ShortcutLine

_ROW = QSize(0, 26)


_LIST_SIZE = QSize(560, 560)


class ShortcutsDialog(QDialog):
    """Every shortcut, menu by menu, with a search field."""

    def __init__(self, lines: Iterable[ShortcutLine], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._lines = tuple(lines)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search by name or key"))
        self.search.setAccessibleName(self.tr("Search the shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QTreeWidget(self)
        self.list.setObjectName("shortcutList")
        self.list.setAccessibleName(self.tr("Actions and keys"))
        self.list.setHeaderLabels([self.tr("Action"), self.tr("Keys")])
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        self.list.setRootIsDecorated(False)
        self.list.setItemsExpandable(False)
        self.list.setIndentation(10)
        self.list.setUniformRowHeights(True)
        self.nothing = plain_label(self, text=self.tr("No matching action or key."))
        self.nothing.setObjectName("caption")
        content = QVBoxLayout()
        content.setSpacing(10)
        for widget in (self.search, self.list, self.nothing):
            content.addWidget(widget)
        finish_dialog(self, content, self.tr("Close"))
        resize_within_screen(self, _LIST_SIZE)
        self._filter("")

    @Slot(str)
    def _filter(self, wanted: str) -> None:
        """List the lines that contain every word of the search."""
        words = wanted.casefold().split()
        fitting = [
            line
            for line in self._lines
            if all(word in f"{line.menu} {line.text} {line.keys}".casefold() for word in words)
        ]
        self.list.clear()
        groups: dict[str, QTreeWidgetItem] = {}
        for line in fitting:
            if line.menu not in groups:
                groups[line.menu] = self._group(line.menu)
            item = QTreeWidgetItem(groups[line.menu], [line.text, line.keys])
            item.setSizeHint(0, _ROW)
        self.list.expandAll()
        self.nothing.setVisible(not fitting)

    def _group(self, menu: str) -> QTreeWidgetItem:
        group = QTreeWidgetItem(self.list, [menu, ""])
        group.setSizeHint(0, _ROW)
        group.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = QFont()  # its size is that of the list
        font.setWeight(QFont.Weight.DemiBold)
        group.setFont(0, font)
        return group

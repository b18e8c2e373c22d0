"""The chapters of a book with check boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from quire.domain.manuscript.tree import Node

_ID = Qt.ItemDataRole.UserRole
_ROW = 24


class ChapterPicker(QTreeWidget):
    """Parts with their chapters; ticking a part ticks its chapters."""

    choice_changed = Signal()

    def __init__(self, nodes: Sequence[Node], chosen: Sequence[int] | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setAccessibleName(self.tr("Chapters to export"))
        self.setUniformRowHeights(True)
        self._items = dict[int, QTreeWidgetItem]()
        for node in nodes:
            above = self._items.get(node.parent_id or 0)
            item = QTreeWidgetItem(self if above is None else above, [" ".join(node.title.split())])
            item.setData(0, _ID, node.node_id)
            item.setSizeHint(0, QSize(0, _ROW))
            item.setText(0, item.text(0) or self.tr("Untitled"))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsAutoTristate)
            self._items[node.node_id] = item
        self.tick(None if chosen is None else set(chosen))
        self.expandAll()
        self.itemChanged.connect(self._notify)

    @property
    def chosen(self) -> tuple[int, ...] | None:
        """Return what is ticked, with a part in place of all of its chapters; None if everything is."""
        if all(item.checkState(0) is Qt.CheckState.Checked for item in self._items.values()):
            return None
        return tuple(
            item.data(0, _ID)
            for item in self._items.values()
            if item.checkState(0) is Qt.CheckState.Checked and not self._is_covered(item)
        )

    def tick(self, chosen: set[int] | None) -> None:
        """Tick nodes with their children, and nothing else; None ticks everything."""
        for item in self._leaves():
            line = (item, item.parent())
            ids = {one.data(0, _ID) for one in line if one is not None}
            is_chosen = chosen is None or bool(ids & chosen)
            item.setCheckState(0, Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)

    def _leaves(self) -> Iterator[QTreeWidgetItem]:
        yield from (item for item in self._items.values() if not item.childCount())

    def _is_covered(self, item: QTreeWidgetItem) -> bool:
        above = item.parent()
        return above is not None and above.checkState(0) is Qt.CheckState.Checked

    @Slot()
    def _notify(self) -> None:
        self.choice_changed.emit()

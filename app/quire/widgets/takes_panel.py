"""The alternative continuations of the open text, beside the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.models.take_list import TakeGroup, TakeLine
from quire.theme.fonts import interface_font
from quire.widgets.labels import plain_label

_TAKE_ID = Qt.ItemDataRole.UserRole
_STANDS = Qt.ItemDataRole.UserRole + 1


class TakesPanel(QFrame):
    """Lists takes by where they begin.

    take_chosen: put this one into the text. compare_asked: show it beside the text as it is.
    """

    take_chosen = Signal(int)
    compare_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked = False
        self.hint = plain_label(self, text=self.tr("No takes yet. Retry or Redraft From Here begins one."))
        self.hint.setObjectName("caption")
        self.hint.setWordWrap(True)
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        self.list.setAccessibleName(self.tr("Takes"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFont(interface_font())
        self.choose_button = QPushButton(self.tr("Put in the Text"), self)
        self.compare_button = QPushButton(self.tr("Compare"), self)
        self.choose_button.clicked.connect(self._choose)
        self.compare_button.clicked.connect(self._compare)
        self.list.itemActivated.connect(self._choose)
        self.list.currentItemChanged.connect(self._refresh)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.choose_button, 1)
        buttons.addWidget(self.compare_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)
        self.show_takes(())

    def show_takes(self, groups: Sequence[TakeGroup]) -> None:
        """List these takes; the one that stands last is marked."""
        self.list.clear()
        for group in groups:
            self.list.addItem(self._heading(group))
            for line in group.lines:
                self.list.addItem(self._item(line))
                if line.stands:
                    self.list.setCurrentRow(self.list.count() - 1)
        self.hint.setVisible(not groups)
        self.list.setVisible(bool(groups))
        self.choose_button.setVisible(bool(groups))
        self.compare_button.setVisible(bool(groups))
        self._refresh()

    def set_locked(self, *, locked: bool) -> None:
        """Let nothing be chosen while the text cannot change."""
        self._locked = locked
        self._refresh()

    def _heading(self, group: TakeGroup) -> QListWidgetItem:
        after = self.tr("After \u2026 {0}").format(group.after)
        item = QListWidgetItem(after if group.after else self.tr("From the beginning"))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setFont(interface_font(11, QFont.Weight.Medium))
        return item

    def _item(self, line: TakeLine) -> QListWidgetItem:
        words = (
            self.tr("1 word") if line.num_words == 1 else self.tr("{0} words").format(f"{line.num_words:,}")
        )
        title = self.tr("Take {0} \u00b7 {1}").format(line.number, words)
        if line.stands:
            title = self.tr("{0} \u00b7 in the text").format(title)
        item = QListWidgetItem(f"{title}\n{line.opening}" if line.opening else title)
        item.setData(_TAKE_ID, line.take_id)
        item.setData(_STANDS, line.stands)
        if line.seeds:
            item.setToolTip(self.tr("Seed {0}").format(", ".join(map(str, line.seeds))))
        if line.stands:
            item.setFont(interface_font(weight=QFont.Weight.DemiBold))
        return item

    def _chosen(self) -> int | None:
        item = self.list.currentItem()
        if item is None or item.data(_TAKE_ID) is None or item.data(_STANDS):
            return None
        return int(item.data(_TAKE_ID))

    @Slot()
    def _choose(self) -> None:
        if not self._locked and (take_id := self._chosen()) is not None:
            self.take_chosen.emit(take_id)

    @Slot()
    def _compare(self) -> None:
        if (take_id := self._chosen()) is not None:
            self.compare_asked.emit(take_id)

    @Slot()
    def _refresh(self) -> None:
        other = self._chosen() is not None
        self.choose_button.setEnabled(other and not self._locked)
        self.compare_button.setEnabled(other)

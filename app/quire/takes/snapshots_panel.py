"""Earlier versions of the manuscript, beside the page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.system.number_text import number_text
from quire.theme.fonts import interface_font
from quire.theme.text_size import set_scaled_font
from quire.ui.labels import plain_label
from quire.ui.translated import short_day

_SNAPSHOT_ID, _UNCOUNTED = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class SnapshotsPanel(QFrame):
    """Lists snapshots that contain the open text.

    Signals:
        take_asked: take a snapshot of the manuscript now.
        compare_asked: the number of the snapshot.
        restore_asked: the number of the snapshot.
    """

    take_asked = Signal()
    compare_asked = Signal(int)
    restore_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._locked = False
        self.take_button = QPushButton(self.tr("Take Snapshot"), self)
        self.hint = plain_label(self, text=self.tr("No snapshots yet. Quire takes one before each draft."))
        self.hint.setObjectName("caption")
        self.hint.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        self.list.setAccessibleName(self.tr("Snapshots"))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_scaled_font(self.list, interface_font)
        self.restore_button = QPushButton(self.tr("Restore This Text"), self)
        self.compare_button = QPushButton(self.tr("Compare"), self)
        self.take_button.clicked.connect(self.take_asked)
        self.restore_button.clicked.connect(self._restore)
        self.compare_button.clicked.connect(self._compare)
        self.list.itemActivated.connect(self._compare)
        self.list.currentItemChanged.connect(self._refresh)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.restore_button, 1)
        buttons.addWidget(self.compare_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.take_button)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)
        self.show_snapshots((), 0)

    @property
    def title(self) -> str:
        """Return the title of its tab."""
        return self.tr("Snapshots")

    def show_snapshots(self, snapshots: Sequence[Snapshot], document_id: int) -> None:
        """List the snapshots that contain a text, the newest first."""
        here = [snapshot for snapshot in snapshots if document_id in snapshot.document_ids]
        self.list.clear()
        for snapshot in here:
            item = QListWidgetItem(f"{self._title(snapshot)}\n{self._when(snapshot)}")
            item.setData(_SNAPSHOT_ID, snapshot.snapshot_id)
            item.setData(_UNCOUNTED, item.text())
            self.list.addItem(item)
        self.hint.setVisible(not here)
        self.list.setVisible(bool(here))
        self.restore_button.setVisible(bool(here))
        self.compare_button.setVisible(bool(here))
        self._refresh()

    @property
    def listed(self) -> tuple[int, ...]:
        """Return the numbers of the snapshots in the list."""
        return tuple(int(self.list.item(row).data(_SNAPSHOT_ID)) for row in range(self.list.count()))

    def show_words(self, snapshot_id: int, num_words: int) -> None:
        """Show how many words the text has in a snapshot."""
        for row in range(self.list.count()):
            item = self.list.item(row)
            if item.data(_SNAPSHOT_ID) == snapshot_id:
                words = (
                    self.tr("1 word")
                    if num_words == 1
                    else self.tr("{0} words").format(number_text(num_words))
                )
                item.setText(f"{item.data(_UNCOUNTED)} · {words}")

    def set_locked(self, *, locked: bool) -> None:
        """Disable restoring while the text cannot change."""
        self._locked = locked
        self._refresh()

    def _title(self, snapshot: Snapshot) -> str:
        return {
            SnapshotReason.BEFORE_DRAFT: self.tr("Before drafting"),
            SnapshotReason.BEFORE_RESTORE: self.tr("Before restoring"),
            SnapshotReason.BEFORE_IMPORT: self.tr("Before an import"),
        }.get(snapshot.reason, snapshot.title or self.tr("Snapshot"))

    def _when(self, snapshot: Snapshot) -> str:
        local = snapshot.created.astimezone()
        return self.tr("{0}, {1}").format(short_day(local), local.strftime("%H:%M"))

    def _chosen(self) -> int | None:
        item = self.list.currentItem()
        return None if item is None else int(item.data(_SNAPSHOT_ID))

    @Slot()
    def _restore(self) -> None:
        if not self._locked and (snapshot_id := self._chosen()) is not None:
            self.restore_asked.emit(snapshot_id)

    @Slot()
    def _compare(self) -> None:
        if (snapshot_id := self._chosen()) is not None:
            self.compare_asked.emit(snapshot_id)

    @Slot()
    def _refresh(self) -> None:
        self.take_button.setEnabled(not self._locked)
        self.restore_button.setEnabled(self._chosen() is not None and not self._locked)
        self.compare_button.setEnabled(self._chosen() is not None)

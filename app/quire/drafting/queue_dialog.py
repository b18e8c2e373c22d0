"""Drafts that are written one after another, for example overnight."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.draft_queue import Queue, QueuedDraft, QueuedDraftState
from quire.system.number_text import number_text
from quire.theme.fonts import interface_font
from quire.theme.text_size import set_scaled_font
from quire.ui.form_parts import caption
from quire.ui.translated import translated

_SIZE = QSize(720, 480)
_ID = Qt.ItemDataRole.UserRole


class QueueDialog(QDialog):
    """Shows the queue of a project; it changes nothing itself.

    Signals:
        add_asked: add the window's current choices.
        beats_asked: add a draft for each beat of the open chapter.
        removed: a queued draft.
        moved: a queued draft, and by how many places.
        stop_asked: whether to stop after this draft.
    """

    add_asked = Signal()
    beats_asked = Signal()
    removed = Signal(int)
    moved = Signal(int, int)
    clear_asked = Signal()
    start_asked = Signal()
    stop_asked = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Draft Queue"))
        self.resize(_SIZE)
        self._queue = Queue()
        self.hint = caption(self)
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        set_scaled_font(self.list, interface_font)
        self.list.setWordWrap(True)
        self.list.setAccessibleName(self.tr("Drafts to write, in order"))
        self.add_button = self._button(self.tr("Add Current Chapter"))
        self.add_button.setToolTip(
            self.tr("The open chapter with the current goal, preset and author's note")
        )
        self.beats_button = self._button(self.tr("Add One per Beat"))
        self.up_button = self._button(self.tr("Up"))
        self.down_button = self._button(self.tr("Down"))
        self.remove_button = self._button(self.tr("Remove"))
        self.clear_button = self._button(self.tr("Clear Finished"))
        self.said = caption(self)
        self.start_button = self._button(self.tr("Start the Queue"))
        self.start_button.setProperty("primary", True)
        self.stop_button = self._button(self.tr("Stop After This One"))
        self.stop_button.setCheckable(True)
        self.close_button = self._button(self.tr("Close"))
        self._lay_out()
        self._connect()

    def show_queue(
        self,
        queue: Queue,
        titles: Mapping[int, str],
        *,
        is_working: bool = False,
        stops_after_this: bool = False,
        num_beats: int = 0,
        said: str = "",
    ) -> None:
        """Show the queue.

        Args:
            queue: the queued drafts.
            titles: the titles of the texts.
            is_working: whether the queue is running.
            stops_after_this: whether it stops after the current draft.
            num_beats: the number of unused beats of the open chapter.
            said: a message.
        """
        chosen = self._chosen_id()
        self._queue = queue
        with QSignalBlocker(self.list):
            self.list.clear()
            for number, queued in enumerate(queue.drafts, start=1):
                item = QListWidgetItem(self._line(number, queued, titles))
                item.setData(_ID, queued.draft_id)
                self.list.addItem(item)
                if queued.draft_id == chosen:
                    self.list.setCurrentItem(item)
        with QSignalBlocker(self.stop_button):
            self.stop_button.setChecked(stops_after_this)
        self.stop_button.setVisible(is_working)
        self.start_button.setVisible(not is_working)
        self.beats_button.setEnabled(num_beats > 0)
        self.hint.setText(
            self.tr("Each draft is added at the end of its chapter. Nothing runs until you start the queue.")
        )
        if said:
            self.said.setText(said)
        self._refresh()

    def _line(self, number: int, queued: QueuedDraft, titles: Mapping[int, str]) -> str:
        title = titles.get(queued.document_id) or self.tr("Deleted text")
        words = self.tr("{0} words").format(number_text(queued.goal_words))
        state = {
            QueuedDraftState.WAITING: self.tr("waiting"),
            QueuedDraftState.WORKING: self.tr("drafting"),
            QueuedDraftState.DONE: self.tr("✓ finished"),
            QueuedDraftState.STOPPED: self.tr("stopped"),
        }[queued.state]
        lines = [
            f"{number}.  {title}  \u00b7  {words}  \u00b7  {translated(queued.preset.title)}  \u00b7  {state}"
        ]
        if queued.direction:
            lines.append(self.tr("Author's note: {0}").format(queued.direction))
        if queued.sentence:
            lines.append(translated(queued.sentence))
        return "\n".join(lines)

    def _chosen_id(self) -> int | None:
        item = self.list.currentItem()
        return None if item is None else int(item.data(_ID))

    @Slot()
    def _refresh(self) -> None:
        draft_id = self._chosen_id()
        queued = None if draft_id is None else self._queue.queued(draft_id)
        row, last = self.list.currentRow(), self.list.count() - 1
        self.up_button.setEnabled(queued is not None and row > 0)
        self.down_button.setEnabled(queued is not None and row < last)
        self.remove_button.setEnabled(queued is not None and queued.state is not QueuedDraftState.WORKING)
        self.clear_button.setEnabled(any(one.state is QueuedDraftState.DONE for one in self._queue.drafts))
        self.start_button.setEnabled(self._queue.num_due > 0)

    @Slot()
    def _up(self) -> None:
        self._move(-1)

    @Slot()
    def _down(self) -> None:
        self._move(1)

    def _move(self, steps: int) -> None:
        if (draft_id := self._chosen_id()) is not None:
            self.moved.emit(draft_id, steps)

    @Slot()
    def _remove(self) -> None:
        if self.remove_button.isEnabled() and (draft_id := self._chosen_id()) is not None:
            self.removed.emit(draft_id)

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        return button

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._refresh)
        self.add_button.clicked.connect(self.add_asked)
        self.beats_button.clicked.connect(self.beats_asked)
        self.up_button.clicked.connect(self._up)
        self.down_button.clicked.connect(self._down)
        self.remove_button.clicked.connect(self._remove)
        self.clear_button.clicked.connect(self.clear_asked)
        self.start_button.clicked.connect(self.start_asked)
        self.stop_button.toggled.connect(self.stop_asked)
        self.close_button.clicked.connect(self.accept)
        for keys, slot in (("Alt+Up", self._up), ("Alt+Down", self._down), ("Del", self._remove)):
            shortcut = QShortcut(QKeySequence(keys), self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(slot)

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.setSpacing(8)
        for button in (
            self.add_button,
            self.beats_button,
            self.up_button,
            self.down_button,
            self.remove_button,
            self.clear_button,
        ):
            side.addWidget(button)
        side.addStretch(1)
        middle = QHBoxLayout()
        middle.setSpacing(14)
        middle.addWidget(self.list, 1)
        middle.addLayout(side)
        buttons = QHBoxLayout()
        buttons.addWidget(self.said, 1)
        buttons.addWidget(self.start_button)
        buttons.addWidget(self.stop_button)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(12)
        layout.addWidget(self.hint)
        layout.addLayout(middle, 1)
        layout.addLayout(buttons)

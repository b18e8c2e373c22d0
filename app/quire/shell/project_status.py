"""The state of the open project."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject, Signal

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.manuscript.writing_statistics import WritingTally


@dataclass(frozen=True, slots=True)
class DraftTargetShown:
    """Where Continue writes, in words for the screen.

    Attributes:
        title: of the text; empty where the book has only one.
        other: the title of the other place that can be chosen, or None.
        is_here: whether it is the open text.
        in_book: whether the open text is part of the book; drafts have no place in notes.
    """

    title: str = ""
    other: str | None = None
    is_here: bool = True
    in_book: bool = True


_BUSY = {DraftState.LOADING, DraftState.READING, DraftState.DRAFTING, DraftState.PAUSING}


class SaveState(Enum):
    """The save state of what is on the screen."""

    SAVED = "saved"
    SAVING = "saving"
    NOT_SAVED = "not saved"


class ProjectStatus(QObject):
    """The open project, its state, what is saved of it, and the model that drafts in it.

    Signals:
        changed: what is open, its state or the model, on which it depends what can be done.
        counted: the words of the text or of today, many times a second while a draft grows.
        saved: whether everything is on the disk, with every few keys.
    """

    changed = Signal()
    counted = Signal()
    saved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._status = DraftStatus(DraftState.IDLE)
        self._title: str | None = None
        self._num_words = 0
        self._save_state = SaveState.SAVED
        self._model_name = ""
        self._dtype = ""
        self._words_go_to = ""
        self._leaving = False
        self._switching = False
        self._read_only = False
        self._shows_part = False
        self._fast_resume_bytes = 0
        self._today, self._daily_target = WritingTally(), 0
        self._target = DraftTargetShown()

    @property
    def status(self) -> DraftStatus:
        """Return the state and its message."""
        return self._status

    @property
    def title(self) -> str | None:
        """Return the title of the open project, or None."""
        return self._title

    @property
    def num_words(self) -> int:
        """Return the number of words in the manuscript."""
        return self._num_words

    @property
    def today(self) -> WritingTally:
        """Return what was written in this project today, and how long."""
        return self._today

    @property
    def daily_target(self) -> int:
        """Return how many words of their own the writer wants to write each day; 0: no target."""
        return self._daily_target

    @property
    def save_state(self) -> SaveState:
        """Return whether everything on the screen is on the disk, as Autosave knows it."""
        return self._save_state

    @property
    def model_name(self) -> str:
        """Return the model's name on the screen."""
        return self._model_name

    @property
    def dtype(self) -> str:
        """Return the model's data type; empty until it was loaded."""
        return self._dtype

    @property
    def words_go_to(self) -> str:
        """Return who gets the words of a draft, for the screen; empty while they stay in Quire."""
        return self._words_go_to

    @property
    def leaving(self) -> bool:
        """Return whether Quire is about to close."""
        return self._leaving

    @property
    def switching(self) -> bool:
        """Return whether another project is about to replace this one."""
        return self._switching

    @property
    def read_only(self) -> bool:
        """Return whether the open project is read-only."""
        return self._read_only

    @property
    def shows_part(self) -> bool:
        """Return whether the open text is only a part of the manuscript."""
        return self._shows_part

    @property
    def is_open(self) -> bool:
        """Return whether a project is open."""
        return self._title is not None

    @property
    def is_busy(self) -> bool:
        """Return whether a draft is running, from the request to the pause."""
        return self._status.state in _BUSY

    @property
    def target(self) -> DraftTargetShown:
        """Return where Continue writes."""
        return self._target

    @property
    def is_at_rest(self) -> bool:
        """Return whether the open text can be replaced, as by another take."""
        going_away = self._leaving or self._switching
        return self.is_open and not self.is_busy and not self._read_only and not going_away

    @property
    def can_continue(self) -> bool:
        """Return whether a draft can be started or continued."""
        return self.is_at_rest and not self._lacks_model and self._target.in_book

    @property
    def can_pause(self) -> bool:
        """Return whether there is something to pause that is not pausing already."""
        return self.is_busy and self._status.state is not DraftState.PAUSING

    @property
    def fast_resume_bytes(self) -> int:
        """Return the size of a resume file for the paused draft, which avoids a prefill; 0: not available."""
        is_resting = self._status.state in (DraftState.PAUSED, DraftState.FINISHED)
        return self._fast_resume_bytes if is_resting and self.can_continue else 0

    @property
    def _lacks_model(self) -> bool:
        return self._status.state is DraftState.NO_MODEL

    def open(self, title: str) -> None:
        """Show another project; its state is set afterwards."""
        self._title = title
        self._fast_resume_bytes = 0
        self._today, self._daily_target = WritingTally(), 0
        self._read_only = False
        self.changed.emit()

    def rename(self, title: str) -> None:
        """Show the project under another title."""
        if title != self._title:
            self._title = title
            self.changed.emit()

    def close(self) -> None:
        """Show that no project is open."""
        self._title = None
        self._num_words = 0
        self._status, self._target = DraftStatus(DraftState.IDLE), DraftTargetShown()
        self.changed.emit()

    def show_status(self, status: DraftStatus) -> None:
        """Set the state."""
        self._status = status
        self.changed.emit()

    def show_model(self, name: str, dtype: str) -> None:
        """Set the model; dtype is empty until it was loaded."""
        self._model_name, self._dtype = name, dtype
        self.changed.emit()

    def show_words_go_to(self, words_go_to: str) -> None:
        """Set who gets the words of a draft; empty: nobody."""
        if words_go_to != self._words_go_to:
            self._words_go_to = words_go_to
            self.changed.emit()

    def show_leaving(self, *, leaving: bool) -> None:
        """Set whether Quire is about to close."""
        self._leaving = leaving
        self.changed.emit()

    def show_switching(self, *, switching: bool) -> None:
        """Set whether another project is about to replace this one."""
        self._switching = switching
        self.changed.emit()

    def show_target(self, target: DraftTargetShown) -> None:
        """Set where Continue writes."""
        if target != self._target:
            self._target = target
            self.changed.emit()

    def show_read_only(self, *, read_only: bool) -> None:
        """Set whether the open project is read-only."""
        self._read_only = read_only
        self.changed.emit()

    def show_part(self, *, is_part: bool) -> None:
        """Set whether the open text is only a part of the manuscript."""
        self._shows_part = is_part
        self.changed.emit()

    def show_fast_resume(self, num_bytes: int) -> None:
        """Set the size of a resume file for the paused draft."""
        self._fast_resume_bytes = num_bytes
        self.changed.emit()

    def count_words(self, num_words: int) -> None:
        """Set the number of words of the manuscript."""
        if num_words != self._num_words:
            self._num_words = num_words
            self.counted.emit()

    def show_today(self, today: WritingTally, daily_target: int = 0) -> None:
        """Set what was written in this project today, and how much the writer wants to; 0: no target."""
        if (today, daily_target) != (self._today, self._daily_target):
            self._today, self._daily_target = today, daily_target
            self.counted.emit()

    def show_save_state(self, save_state: SaveState) -> None:
        """Set whether everything on the screen is on the disk."""
        if save_state is not self._save_state:
            self._save_state = save_state
            self.saved.emit()

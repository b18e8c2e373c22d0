"""What is said above the manuscript, and what the writer can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire.domain.desk import DeskState
from quire.domain.run import Run


class NoticeKind(Enum):
    """How serious a notice is; the values are what the style sheet calls it."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class Remedy(Enum):
    """What a button on a notice does."""

    RESUME = "resume"
    READ_TAIL = "read tail"
    CHOOSE_MODEL = "choose model"
    SAVE_AGAIN = "save again"
    OPEN_BACKUP = "open backup"
    REWIND = "rewind"
    SHOW_REPORT = "show report"
    SWITCH_ON = "switch drafting on"
    DISCARD_TAKE = "discard take"


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence or two for the writer; remedy None leaves only Dismiss. more: other ways on."""

    kind: NoticeKind
    text: str
    remedy: Remedy | None = None
    more: tuple[Remedy, ...] = ()

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        """Every way on, the suggested one first."""
        return self.more if self.remedy is None else (self.remedy, *self.more)


def notice_of_failure(run: Run, sentence: str, failed_in: DeskState) -> Notice:
    """Return what to say when drafting ended on an error.

    run: as it is stored; one that could not even be gone on with stands as it did before.
    failed_in: what Quire was doing. While loading, another model may help; before the prompt was read,
    what the model cannot do is hold so long a text.
    """
    remedy = None
    if failed_in is DeskState.LOADING:
        remedy = Remedy.CHOOSE_MODEL
    elif not run.started and not run.read_tail:
        remedy = Remedy.READ_TAIL
    return Notice(NoticeKind.ERROR, sentence or run.error, remedy)

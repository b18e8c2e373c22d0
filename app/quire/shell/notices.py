"""Notices above the manuscript, and the actions they offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from quire.domain.drafting.draft_status import DraftProblem, DraftState
from quire.domain.drafting.low_memory_options import WaysOn
from quire.domain.drafting.run import Run

NO_WAYS = WaysOn()


class NoticeKind(Enum):
    """The severity of a notice; the values are the names in the style sheet."""

    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class NoticeAction(Enum):
    """What a button on a notice does."""

    RESUME = "resume"
    CHOOSE_MODEL = "choose model"
    SAVE_AGAIN = "save again"
    SAVE_ELSEWHERE = "save elsewhere"
    OPEN_BACKUP = "open backup"
    RESTORE_BACKUP = "restore backup"
    REWIND = "rewind"
    SHOW_REPORT = "show report"
    SWITCH_ON = "switch drafting on"
    DISCARD_TAKE = "discard take"
    SMALLER_GOAL = "smaller goal"
    LOOK_BACK_LESS = "look back less"
    IN_COMPUTER = "in the computer's memory"
    STORE_SMALLER = "store it smaller"
    LOAD_AGAIN = "load again"
    LEAVE = "leave"
    UNDO = "undo"
    GO_THERE = "go there"
    SHOW_IN_FOLDER = "show in folder"


@dataclass(frozen=True, slots=True)
class Notice:
    """A short message for the writer.

    Attributes:
        kind: its severity.
        text: one or two sentences.
        action: the suggested action; None offers only Dismiss.
        more: other actions.
        ways: the numbers that some actions need.
        act: does the suggested action; None leaves it to the window.
    """

    kind: NoticeKind
    text: str
    action: NoticeAction | None = None
    more: tuple[NoticeAction, ...] = ()
    ways: WaysOn = NO_WAYS
    act: Callable[[], None] | None = None

    @property
    def needs_no_decision(self) -> bool:
        """Return whether it may go by itself."""
        is_offer = self.action is None or self.act is not None
        return self.kind is NoticeKind.NOTE and is_offer and not self.more

    @property
    def actions(self) -> tuple[NoticeAction, ...]:
        """Return every action, the suggested one first."""
        return self.more if self.action is None else (self.action, *self.more)


def notice_of_failure(run: Run, sentence: str, failed_in: DraftState) -> Notice:
    """Return the notice for a draft that failed.

    Args:
        run: as it is stored; a run that could not be resumed is unchanged.
        sentence: the error for the writer.
        failed_in: what Quire was doing. While loading, another model may help.
    """
    action: NoticeAction | None = None
    more: tuple[NoticeAction, ...] = ()
    if failed_in is DraftState.LOADING:
        action, more = NoticeAction.CHOOSE_MODEL, (NoticeAction.LOAD_AGAIN,)
    return Notice(NoticeKind.ERROR, sentence or run.error, action, more)


def notice_of_trouble(trouble: DraftProblem, sentence: str, ways: WaysOn = NO_WAYS) -> Notice:
    """Return the notice for a draft that stopped by itself; ways: what would help if memory ran out."""
    match trouble:
        case DraftProblem.DEVICE:
            return Notice(NoticeKind.ERROR, sentence, NoticeAction.LEAVE)
        case DraftProblem.MODEL:
            return Notice(NoticeKind.ERROR, sentence, NoticeAction.LOAD_AGAIN, (NoticeAction.CHOOSE_MODEL,))
        case DraftProblem.SERVER:
            return Notice(NoticeKind.WARNING, sentence, NoticeAction.RESUME, (NoticeAction.CHOOSE_MODEL,))
        case DraftProblem.FILE:
            return Notice(NoticeKind.ERROR, sentence, NoticeAction.SAVE_ELSEWHERE, (NoticeAction.SAVE_AGAIN,))
        case DraftProblem.MEMORY:
            offered = (
                (NoticeAction.SMALLER_GOAL, ways.goal_words > 0),
                (NoticeAction.IN_COMPUTER, ways.in_computer),
                (NoticeAction.LOOK_BACK_LESS, ways.context > 0),
                (NoticeAction.STORE_SMALLER, ways.smaller),
            )
            actions = tuple(action for action, applies in offered if applies)
            return Notice(NoticeKind.WARNING, sentence, next(iter(actions), None), actions[1:], ways)

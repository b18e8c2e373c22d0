"""The events of the window, and in which order the features hear of each.

A feature subscribes in its own file, under its own name: the place of that name below is its turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from pathlib import Path

    from quire.domain.drafting.draft_status import DraftProgress, DraftStatus
    from quire.domain.drafting.run import Run
    from quire.domain.text_quality.alarms import Alarm
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Turned

P = ParamSpec("P")
H = TypeVar("H", bound=Callable[..., Any])


class _Subscribers(Generic[H]):
    """Handlers by name, in the order in which the names were declared.

    Attributes:
        order: the names that may subscribe.
        handlers: of those that did.
    """

    def __init__(self, *order: str) -> None:
        self.order = order
        self.handlers: dict[str, H] = {}

    def subscribe(self, name: str, handler: H) -> None:
        """Call the handler in the turn of its name; ValueError if the name has none or has used it."""
        if name not in self.order or name in self.handlers:
            raise ValueError(f"{name} has no turn here")
        known = {**self.handlers, name: handler}
        self.handlers = {name: known[name] for name in self.order if name in known}


class Event(Generic[P], _Subscribers[Callable[P, object]]):
    """Calls its subscribers immediately."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell every subscriber."""
        for handler in self.handlers.values():
            handler(*args, **kwargs)


class AwaitedEvent(Generic[P], _Subscribers[Callable[P, Awaitable[None]]]):
    """Awaits one subscriber after the other."""

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell every subscriber."""
        for handler in self.handlers.values():
            await handler(*args, **kwargs)


class DraftEvents:
    """What happens around and during a draft; a DraftObserver.

    Attributes:
        choosing: before every draft; another model may still be chosen.
        starting: the model is chosen, and not loaded yet.
        ended: every draft has ended; the run is None if none started.
        model_ready: the model is in memory.
        chapter_turned: the draft has moved to another text.
    """

    def __init__(self) -> None:
        self.choosing: AwaitedEvent[[ProjectSession]] = AwaitedEvent("project_model", "model_library")
        self.starting: AwaitedEvent[[ProjectSession]] = AwaitedEvent("charts", "loop_alarms", "kernels")
        self.model_ready: Event[[]] = Event("guard", "drafts")
        self.status_changed: Event[[DraftStatus]] = Event(
            "display", "charts", "loop_alarms", "resources", "preflight", "notifications"
        )
        self.text_drafted: Event[[str]] = Event("display", "charts")
        self.progressed: Event[[DraftProgress]] = Event("display", "statistics", "manuscript", "charts")
        self.saved: Event[[]] = Event("display", "beside")
        self.chapter_turned: Event[[Turned]] = Event("charts", "manuscript", "target", "comments", "beside")
        self.ended: AwaitedEvent[[ProjectSession, Run | None]] = AwaitedEvent(
            "takes", "manuscript", "project_model", "result", "target",
            "statistics", "steering", "low_memory", "comments", "beside",
        )  # fmt: skip


class Events:
    """What the features tell each other.

    Attributes:
        closing: the window closes: background work is stopped.
        project_opened: another project is open, and not shown yet.
        project_closed: none is open any more, and the welcome page is about to be shown.
        text_shown: another text is shown; nothing was awaited since.
        text_followed: awaited after that.
        text_saved: what was typed is on the disk.
        tree_changed: texts were added, moved, renamed or removed.
        takes_listed: something else may be possible with the takes.
        target_marked: the text in which Continue writes is known, or None.
        model_changed: a project changes the model in use, which is in this folder or file.
        reading_speed_known: tokens per second, after each prefill.
        language_known: the book's, such as "de" or "en_GB".
        alarm_raised: something is wrong with the drafted text.
        alarm_pauses: a sentence about what pauses the draft.
    """

    def __init__(self) -> None:
        self.draft = DraftEvents()
        self.closing: Event[[]] = Event(
            "backups", "spelling", "model_library", "self_check", "resources", "kernels"
        )
        self.project_opened: Event[[Path]] = Event("problems", "drafts", "welcome")
        self.project_closed: Event[[]] = Event("manuscript", "spelling", "beside")
        self.text_shown: Event[[ProjectSession]] = Event("manuscript")
        self.text_followed: AwaitedEvent[[ProjectSession]] = AwaitedEvent(
            "problems",  # before there is a notice of damage, which offers a backup
            "statistics",
            "takes", "search", "manuscript", "charts", "welcome", "project_model", "target", "result",
            "overlays", "rewriting", "phrases", "comments", "spelling", "reading", "outline", "beside",
            "steering", "queue", "resources", "preflight",
        )  # fmt: skip
        self.text_saved: Event[[]] = Event("manuscript")
        self.tree_changed: Event[[ProjectSession]] = Event("target", "comments", "steering", "beside")
        self.takes_listed: Event[[]] = Event("result")
        self.target_marked: Event[[int | None]] = Event("manuscript", "steering")
        self.model_changed: Event[[Path]] = Event("model_library")
        self.reading_speed_known: Event[[float]] = Event("steering")
        self.language_known: Event[[str]] = Event("charts", "phrases")
        self.alarm_raised: Event[[Alarm]] = Event("notifications", "loop_alarms")
        self.alarm_pauses: Event[[str]] = Event("queue")

"""Safe mode: after two early crashes no model is loaded until the writer allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App

IS_OFF = UserMessage(
    "Drafting is turned off because Quire stopped soon after its last two starts. You can still write."
)


class SafeMode:
    """Tracks whether drafting is switched off; it stays off until the writer switches it on."""

    def __init__(self, app: App) -> None:
        self._is_on = app.reporting.last_time.calls_for_care

    def why_off(self) -> Notice | None:
        """Return why no model can be loaded now, and how to change that; None if it can."""
        return Notice(NoticeKind.WARNING, IS_OFF, NoticeAction.SWITCH_ON) if self._is_on else None

    def leave(self) -> None:
        """Allow models to be loaded again."""
        self._is_on = False

"""Tells the writer what is wrong with a drafted text, and pauses a draft that loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.text_quality.loop_guard import LoopGuard
from quire.settings.settings import LoopChoice, Settings
from quire.shell.notices import Notice, NoticeAction, NoticeKind

if TYPE_CHECKING:  # measuring a text imports numpy, which must not delay the first window
    from quire.app import App
    from quire.domain.text_quality.alarms import Alarm
    from quire.services.project.project_session import ProjectSession

_KINDS = {"amber": NoticeKind.WARNING, "red": NoticeKind.ERROR, "pause": NoticeKind.ERROR}
"""The kind of notice for each severity of an alarm."""
_ENDED = (DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)


class LoopAlarms:
    """Shows each alarm above the text; the charts measure, the guard decides."""

    def __init__(self, app: App) -> None:
        self._app, self._guard = app, LoopGuard(app.drafts.pause)
        self._state = DraftState.IDLE
        app.settings.follow(self._take_settings)
        app.events.alarm_raised.subscribe("loop_alarms", self._take)
        app.events.draft.starting.subscribe("loop_alarms", self._begin)
        app.events.draft.status_changed.subscribe("loop_alarms", self._follow)

    def rewound(self) -> int | None:
        """Return where the text can continue, before the last problem, or None if there was none."""
        fault = self._guard.fault
        return None if fault is None else self._app.charts.place_before(fault)

    def _take_settings(self, settings: Settings) -> None:
        self._guard.is_on = settings.loop_guard is LoopChoice.PAUSE

    async def _begin(self, _session: ProjectSession) -> None:
        self._guard.begin()

    def _follow(self, status: DraftStatus) -> None:
        self._state = status.state

    def _take(self, alarm: Alarm) -> None:
        action = None
        # the next run must not know of one that has ended by itself meanwhile
        if self._guard.take(alarm, has_ended=self._state in _ENDED):
            action = NoticeAction.REWIND
            self._app.events.alarm_pauses(alarm.sentence)
        notice = Notice(_KINDS[alarm.severity.value], alarm.sentence, action)
        self._app.window.notice_bar.show_notice(notice)

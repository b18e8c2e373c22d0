"""Watches a draft without a window: prints what is wrong with its text, and pauses it when it loops."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Self

from quire.cli.draft_console import DraftConsole
from quire.domain.drafting.draft_status import DraftProgress, DraftStatus
from quire.domain.text_quality.alarms import Alarm
from quire.domain.text_quality.loop_guard import LoopGuard
from quire.domain.text_quality.text_monitor import TextWatch
from quire.services.drafting.drafted_text import drafted_text
from quire.services.project.project_session import ProjectSession


class DraftWatch:
    """A DraftObserver between a draft and its console, with the alarms that the window has.

    The text is measured as it arrives, so a loop has few more words than it took to see it.

    Args:
        watch: knows the text before the draft; its faults are not reported again.
        guard: pauses the draft; a fault is printed in any case.
    """

    def __init__(self, watch: TextWatch, console: DraftConsole, guard: LoopGuard) -> None:
        self._watch, self._console, self._guard = watch, console, guard

    @classmethod
    async def of(cls, session: ProjectSession, console: DraftConsole, guard: LoopGuard) -> Self:
        """Measure the text that a draft will continue."""
        found = await drafted_text(session, await session.resting_run())
        return cls(await asyncio.to_thread(TextWatch, found.text), console, guard)

    def status_changed(self, status: DraftStatus) -> None:
        """Show the status."""
        self._console.status_changed(status)

    def text_drafted(self, text: str) -> None:
        """Measure what the model wrote."""
        self._console.text_drafted(text)
        self._handle(self._watch.add(text))

    def progressed(self, progress: DraftProgress) -> None:
        """Show the figures, and count the steps that brought no word."""
        self._console.progressed(progress)
        for step in progress.steps:
            self._handle(self._watch.tokens(step.num_tokens, step.num_words))

    def saved(self) -> None:
        """Show what is stored."""
        self._console.saved()

    def _handle(self, alarms: Sequence[Alarm]) -> None:
        for alarm in alarms:
            self._console.say(str(alarm.sentence))
            self._guard.take(alarm)

"""What to do when a draft runs out of memory: options are offered and applied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from quire.domain.drafting.draft_status import DraftProblem
from quire.domain.drafting.low_memory_options import WaysOn, ways_on
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.settings.settings import ModelMemory
from quire.shell.notices import NO_WAYS, NoticeAction, notice_of_trouble

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession
    from quire_engine.api.messages import ModelLoaded


class LowMemoryController(QObject):
    """Offers options above the text. Each keeps every word, and can be undone in the preferences."""

    def __init__(self, app: App) -> None:
        super().__init__(app.window)
        self._window, self._settings, self._drafts = app.window, app.settings, app.drafts
        self._goal_box = app.controls.bar.goal_box
        self._ways: WaysOn = NO_WAYS
        self._words_left = 1
        app.window.action_chosen.connect(self._act_on)
        app.events.draft.ended.subscribe("low_memory", self._draft_ended)

    async def _draft_ended(self, _session: ProjectSession, run: Run | None) -> None:
        """Show what would help if a draft has just run out of memory."""
        model, status = self._drafts.loaded_model, self._window.status.status
        if run is None or status.trouble is not DraftProblem.MEMORY or model is None:
            return
        self._words_left = max(run.goal_words - run.num_words, 1)
        self._ways = ways_on(model, run, await self._free_bytes(model))
        notice = notice_of_trouble(DraftProblem.MEMORY, status.sentence, self._ways)
        if notice.actions:
            said = self.tr("Not enough memory to continue. The draft is paused and nothing is lost.")
            self._window.notice_bar.show_notice(replace(notice, text=said))

    async def _free_bytes(self, model: ModelLoaded) -> int:
        """Return the memory available for the KV cache; 0 if unknown."""
        try:
            now = await (await self._drafts.questions()).memory()
        except WriterProblem:
            return 0
        is_there = model.is_on_gpu == now.is_on_gpu and now.device_free_bytes > 0
        return now.device_free_bytes + now.cache_bytes if is_there else 0

    @Slot(NoticeAction)
    def _act_on(self, action: NoticeAction) -> None:
        match action:
            case NoticeAction.SMALLER_GOAL:
                box, words = self._goal_box, self._ways.goal_words
                box.show_goal(replace(box.goal, words=words))
                self._settings.change(goal_words=words)  # or the next change there would show the old one
                self._drafts.start(self._drafts.request(words))
            case NoticeAction.LOOK_BACK_LESS:
                self._settings.change(model_context=self._ways.context)
                self._drafts.start_in_turn(self._words_left)
            case NoticeAction.STORE_SMALLER:
                self._settings.change(model_memory=ModelMemory.FLOAT8)
                self._drafts.start_in_turn(self._words_left)  # what is written is kept: another run starts
            case NoticeAction.IN_COMPUTER:
                self._settings.change(model_memory=ModelMemory.COMPUTER)
                self._drafts.start_in_turn()
            case _:
                pass

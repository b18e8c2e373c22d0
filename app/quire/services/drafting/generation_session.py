"""One run, from its start or resume to its next pause or its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from quire.client.engine_client import EngineClient, EngineClosed, EngineDied
from quire.domain.drafting.draft_status import DraftProblem, DraftProgress, DraftState, DraftStatus
from quire.domain.drafting.run import Run, RunState
from quire.domain.drafting.run_metrics import StepRecord, record_of
from quire.domain.manuscript.book_quotes import AS_DRAFTED, BookQuotes
from quire.domain.manuscript.manuscript import ArrivingText, ShownText
from quire.domain.manuscript.word_counts import GrowingCount
from quire.errors import SaveElsewhere, WriterProblem
from quire.services.drafting.chapter_advancer import ChapterAdvancer, Pages
from quire.services.drafting.run_recorder import RunRecorder
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.known_phrases import store_counted
from quire.system.throttle import Throttle
from quire_engine.api.known_texts import CountedText, KnownText, TextsCounted
from quire_engine.api.messages import (
    DraftingTroubled,
    Event,
    FinishReason,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    PauseGeneration,
    PauseReason,
    ReadingProgressed,
    ResumeChecked,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.user_message import UserMessage, joined

SHOW_EVERY_S = 0.033
REPORT_EVERY_S = 0.2
"""How often counters and charts change: nobody reads a figure that changes with every word."""
EVENTS_PER_TURN = 16
"""Events handled before the event loop gets its turn, however fast the engine is."""

_NOT_STORED = UserMessage("The last words are still in the window. Press Continue to save them and resume.")
_LEFT_OUT = UserMessage("The book is longer than the model's memory, so it reads the most recent part.")
CHANGED = UserMessage(
    "This computer or its software has changed since this draft started, so the continuation may "
    "differ. Nothing already written changes."
)
_END_OF_TEXT = UserMessage("The model ended the text here.")

_TROUBLES = {
    PauseReason.OUT_OF_MEMORY: DraftProblem.MEMORY,
    PauseReason.DEVICE_LOST: DraftProblem.DEVICE,
    PauseReason.MODEL_GONE: DraftProblem.MODEL,
    PauseReason.SERVER_GONE: DraftProblem.SERVER,
}
_KNOWN_AFTER_S = 0.5

_Ending = GenerationPaused | GenerationFinished | GenerationFailed


class DraftObserver(Protocol):
    """Follows a draft; called on the event loop's thread."""

    def status_changed(self, status: DraftStatus, /) -> None:
        """Handle a new status or message."""
        ...

    def text_drafted(self, text: str, /) -> None:
        """Handle text that the model appended; it is stored within 250 ms."""
        ...

    def progressed(self, progress: DraftProgress, /) -> None:
        """Handle progress of the run."""
        ...

    def saved(self) -> None:
        """Handle that everything shown before the last commit began is on the disk."""
        ...


class GenerationSession:
    """Shows a run in batches and stores it in groups while the engine works on it.

    Args:
        run: the run as it is before; the project session owns it.
        on_started: called when the model has its text in memory, before the first word.
        pages: when the draft moves to a text of its own; None: never.
        quotes: the marks of the book, which drafted ones follow.
        before: the character that the first drafted one comes after.
        drafted: what the run has written before.
    """

    def __init__(
        self,
        client: EngineClient,
        session: ProjectSession,
        observer: DraftObserver,
        run: Run,
        notice: str,
        on_started: Callable[[], Awaitable[None]],
        pages: Pages | None = None,
        quotes: BookQuotes = AS_DRAFTED,
        before: str = "",
        drafted: str = "",
    ) -> None:
        self._quotes, self._before = quotes, before
        self._on_started = on_started
        self._advancer = None if pages is None else ChapterAdvancer(session, pages)
        self._client = client
        self._observer = observer
        self._run_id, self._goal_words = run.run_id, run.goal_words
        self._notices = [notice] if notice else []
        self._is_on_server = run.model is not None and run.model.is_on_server
        self._waits_because = ""
        self._session = session
        self._recorder = RunRecorder(session, run.run_id, self._stored, self._storing_failed)
        self._screen = Throttle(SHOW_EVERY_S, self._show_text)
        self._counters = Throttle(REPORT_EVERY_S, self._report)
        self._problem: WriterProblem | None = None
        self._state = DraftState.READING
        self._pausing = False
        self._engine_runs = False
        self._arriving = ArrivingText()
        self._known_texts: tuple[KnownText, ...] = ()
        self._counted: tuple[CountedText, ...] = ()
        self._prefill = PrefillClock(asyncio.get_running_loop().time)
        self._texts: list[str] = []
        self._shown = ShownText()
        self._steps: list[StepRecord] = []
        self._words, self._num_tokens = GrowingCount(drafted), run.num_tokens
        self._drafting_s = 0.0
        self._drafting_since_s: float | None = None  # None while the model reads

    async def run(self, command: StartGeneration | ResumeGeneration, *, paused: bool) -> Run:
        """Run the engine to the next pause or the end; return the run as it ended.

        paused: a pause was asked for already. Whatever goes wrong, the run is stored as ended before this
        returns or raises: one that stayed RUNNING would keep the writer's own words from being stored.
        """
        ending: _Ending | None = None
        try:
            if paused:
                self.pause()
            self._observer.progressed(self._progress())
            self._show(DraftState.READING)
            self._known_texts = command.known_texts
            self._client.send(command)
            self._engine_runs = True
            if self._pausing:  # the engine ignores a pause that comes before the command
                self._client.send(PauseGeneration(self._run_id))
            ending = await self._follow()
            self._screen.flush()
            self._counters.flush()
        except (Exception, asyncio.CancelledError):
            self._screen.cancel()
            self._counters.cancel()
            try:
                await self._stop_engine()
            finally:
                await self._end(ending)
            raise
        return await self._end(ending)

    def pause(self) -> None:
        """Ask for a pause; run() returns when the engine has reached a step boundary."""
        if self._pausing:
            return
        self._pausing = True
        self._observer.status_changed(DraftStatus(DraftState.PAUSING))
        self._client.send(PauseGeneration(self._run_id))

    @property
    def text_not_stored(self) -> str:
        """Return what was shown and is not part of the stored text yet; everything that came is shown
        first."""
        self._screen.flush()
        target = self._session.draft_target
        return "" if target is None else self._shown.after(target.num_stored)

    async def store_edit(self, document_id: int, text: str) -> None:
        """Store what the writer changed in the text that is being drafted; text: all of it.

        WriterProblem when it cannot be stored now, ChapterAdvanced when the draft has moved to another text.
        """
        num_shown = self._shown.num_chars
        await self._recorder.store_now()
        target = self._session.draft_target
        if target is not None and target.num_stored < num_shown:
            raise self._problem or WriterProblem("The draft could not be saved. Pause it, then try again.")
        await self._session.save_while_generating(document_id, text, num_shown)

    def _stored(self) -> None:
        self._observer.saved()
        if self._advancer is not None:
            self._advancer.look()

    async def _follow(self) -> _Ending | None:
        """Handle events until the run ends; None when the engine was closed instead."""
        num_events = 0
        while True:
            try:
                event = await self._client.next_event()
            except EngineDied:
                self._engine_runs = False
                return GenerationFailed(self._run_id, UserMessage("its thread ended"), is_bug=True)
            except EngineClosed:
                return None
            if getattr(event, "run_id", None) != self._run_id:
                continue
            if isinstance(event, _Ending):
                self._engine_runs = False
                return event
            await self._handle(event)
            num_events += 1
            if num_events % EVENTS_PER_TURN == 0:
                await asyncio.sleep(0)

    async def _handle(self, event: Event) -> None:
        match event:
            case GenerationStarted() as started:
                self._arriving = ArrivingText(after_return=started.after_return)
                is_new = not self._session.run(self._run_id).started
                if is_new:
                    await self._recorder.begin(started)
                await self._on_started()
                self._say(_LEFT_OUT if started.num_left_out and is_new else "", started.notice)
            case TextsCounted(texts=texts):
                self._counted = texts
            case ReadingProgressed(num_read=num_read, num_total=num_total):
                self._drafting_s, self._drafting_since_s = self._time_drafted_s(), None
                self._prefill.report(num_read, num_total)
                self._screen.request()
            case ResumeChecked(first_difference=first_difference):
                if first_difference is not None:
                    self._session.mark_changed(self._run_id, first_difference)
                    self._say(CHANGED)
            case DraftingTroubled(message=message):
                if self._is_on_server:
                    self._waits_because = message
                else:
                    self._say(message)
                self._show(self._state)
            case StepCompleted():
                self._add(event)
            case _:
                pass

    def _add(self, completed: StepCompleted) -> None:
        if self._waits_because:
            self._waits_because = ""
            self._show(self._state)
        text = self._quotes.followed(self._before, self._arriving.kept(completed.text))
        self._before = text[-1:] or self._before
        step = record_of(completed, text)
        self._recorder.add(step, completed.token_ids, text)
        if self._drafting_since_s is None:
            self._drafting_since_s = asyncio.get_running_loop().time() - step.step_ms / 1000
            self._screen.flush()
            self._show(DraftState.DRAFTING)
        self._texts.append(text)
        self._steps.append(step)
        self._num_tokens += step.num_tokens
        self._screen.request()
        self._counters.request()

    def _show_text(self) -> None:
        if self._prefill.is_new:
            self._show(DraftState.READING)
        text = "".join(self._texts)
        self._texts.clear()  # first: an observer that fails does not get the same text twice
        if text:
            self._words.add(text)
            self._shown.show(text)
            self._observer.text_drafted(text)

    def _report(self) -> None:
        self._screen.flush()  # no word is counted that is not shown
        progress = self._progress()
        self._steps.clear()
        self._observer.progressed(progress)

    def _say(self, *sentences: str) -> None:
        """Add to the notice, each sentence once."""
        for sentence in sentences:
            if sentence and sentence not in self._notices:
                self._notices.append(sentence)

    def _show(self, state: DraftState) -> None:
        self._state = state
        if not self._pausing:
            fraction, left_s = self._prefill.estimate() if state is DraftState.READING else (0.0, None)
            said, is_waiting = joined(*self._notices, self._waits_because), bool(self._waits_because)
            self._observer.status_changed(DraftStatus(state, said, fraction, left_s, is_waiting=is_waiting))

    def _progress(self) -> DraftProgress:
        return DraftProgress(
            num_words=self._words.num_words,
            goal_words=self._goal_words,
            tokens=self._num_tokens,
            drafting_s=self._time_drafted_s(),
            steps=tuple(self._steps),
            run_id=self._run_id,
        )

    def _time_drafted_s(self) -> float:
        if self._drafting_since_s is None:
            return self._drafting_s
        return self._drafting_s + asyncio.get_running_loop().time() - self._drafting_since_s

    def _storing_failed(self, problem: WriterProblem) -> None:
        self._problem = problem
        self.pause()

    async def _stop_engine(self) -> None:
        """Stop the engine after a fault of ours, so that the next draft gets no events of this one."""
        if not self._engine_runs:
            return
        self._client.send(PauseGeneration(self._run_id))
        with contextlib.suppress(EngineClosed):
            while not self._is_ending(await self._client.next_event()):
                pass

    def _is_ending(self, event: Event) -> bool:
        return isinstance(event, _Ending) and event.run_id == self._run_id

    async def _finish_chapters(self, ending: _Ending | None) -> None:
        if self._advancer is None:
            return
        if isinstance(ending, GenerationFinished | GenerationPaused) and self._problem is None:
            await self._recorder.store_now()
            await self._advancer.finish(may_grow=isinstance(ending, GenerationPaused))
        await self._advancer.stop()

    async def _end(self, ending: _Ending | None) -> Run:
        state, reason, sentence = _outcome(ending)
        await self._finish_chapters(ending)
        try:
            run = await self._recorder.end(state, reason, sentence if state is RunState.FAILED else "")
        except WriterProblem as problem:
            run = self._session.run(self._run_id)
            lost = isinstance(problem, SaveElsewhere)
            sentence = problem.message if lost else joined(problem.message, _NOT_STORED)
            trouble = DraftProblem.FILE if lost else None
            self._observer.status_changed(DraftStatus(DraftState.PAUSED, sentence, trouble=trouble))
            return run
        if self._problem is not None:  # there is room again: the end was stored
            sentence = sentence or self._problem.message
        trouble = _TROUBLES.get(ending.reason) if isinstance(ending, GenerationPaused) else None
        self._observer.status_changed(DraftStatus(DraftState(state.value), sentence, trouble=trouble))
        await self._store_counted(run)
        return run

    async def _store_counted(self, run: Run) -> None:
        """Store what the engine counted in known texts; that only spares the next draft the time."""
        if not self._counted or run.model is None or not run.model.tokenizer:
            return
        tokenizer, counted = run.model.tokenizer, self._counted
        with contextlib.suppress(WriterProblem):
            await self._session.write(store_counted, tokenizer, self._known_texts, counted)


def _outcome(ending: _Ending | None) -> tuple[RunState, FinishReason | None, str]:
    match ending:
        case GenerationFinished(reason=reason):
            return RunState.FINISHED, reason, _END_OF_TEXT if reason is FinishReason.END_OF_TEXT else ""
        case GenerationPaused(message=message):
            return RunState.PAUSED, None, message
        case GenerationFailed(message=message, is_bug=is_bug):
            return RunState.FAILED, None, told(message, is_bug=is_bug)
        case None:
            return RunState.PAUSED, None, ""


def told(message: str, *, is_bug: bool) -> str:
    """Return what the engine reported as a sentence for the writer."""
    if not is_bug:
        return message
    return UserMessage(
        "The engine stopped because of a bug in Quire ({reason}). Your text is saved; press Continue "
        "to try again.",
        reason=message,
    )


class PrefillClock:
    """Estimates how long the prefill takes from its speed so far, which hardly changes on the way.

    clock: seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._first: tuple[float, int] | None = None
        self._num_read = self._num_total = 0
        self.is_new = False

    def report(self, num_read: int, num_total: int) -> None:
        """Report how many of the tokens were read."""
        if self._first is None or num_read < self._num_read:  # a text that outgrew the context is read again
            self._first = (self._clock(), num_read)
        self._num_read, self._num_total = num_read, num_total
        self.is_new = True

    def estimate(self) -> tuple[float, float | None]:
        """Return the share that was read, from 0 to 1, and the seconds left; None while that is not known."""
        self.is_new = False
        fraction = self._num_read / max(self._num_total, 1)
        if self._first is None:
            return fraction, None
        since, first_read = self._first
        passed = self._clock() - since
        if passed < _KNOWN_AFTER_S or self._num_read == first_read:
            return fraction, None
        return fraction, passed / (self._num_read - first_read) * (self._num_total - self._num_read)

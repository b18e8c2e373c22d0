"""One run on a server, from its start or resume to its next pause or its end."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from quire_engine.api.context_rules import context_rule
from quire_engine.api.messages import (
    DraftingTroubled,
    FinishReason,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    PauseReason,
    ResumeGeneration,
    StartGeneration,
    StepWithheld,
)
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.remote.drafted_stream import DraftedStream, Piece
from quire_engine.remote.open_server import TURN_S, OpenServer
from quire_engine.remote.reply_filter import ReplyFilter, may_think
from quire_engine.remote.requests import MAX_TOKENS, RequestForm
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble
from quire_engine.remote.server_text import PieceCleaner, ServerPrompt, ServerWriter, prompt_of, sent_part
from quire_engine.remote.server_text import text_of as text_of_ids
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from quire_engine.runtime.stop_conditions import GoalMonitor

_LEAST_CHARS = 400
_MOST_CHARS_OF_A_TOKEN = 32
_MOST_EMPTY = 3
"""Replies without a word, after which the model is said to have ended the text."""
_SAFE = UserMessage("Your text is saved. Press Continue to try again.")
_SAID_EVERY = 25
"""Words of thoughts between two sentences about them."""
_OPENS_WORD = "“‘\"'(¿¡"

_Ending = GenerationPaused | GenerationFinished


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for that may come back.

    Attributes:
        waits_s: before each further attempt that brings no word; after the last one the run pauses.
        longest_s: longest wait that the server itself may ask for.
    """

    waits_s: tuple[float, ...] = (1, 2, 4, 8, 15, 30)
    longest_s: float = 120.0


class ServerRun:
    """Drafts by requests, one after the other, each continuing the text that is there.

    Args:
        capacity: characters of a text that are sent at most, the newest ones.
        begins_in_thought: replies may begin with thoughts of which only the end is marked.

    Attributes:
        begins_in_thought: as given, or seen in a reply since.
        is_lost: the server has to be looked at again before the next run.
    """

    def __init__(
        self,
        server: OpenServer,
        form: RequestForm,
        command: StartCommand,
        patience: Patience,
        capacity: int,
        *,
        begins_in_thought: bool = False,
    ) -> None:
        self._turns, self._connection, self._form = server.turns, server.connection, form
        self._command, self._patience, self._capacity = command, patience, capacity
        minutes = command.goal.minutes
        self._deadline_s = math.inf if minutes is None else time.monotonic() + 60 * minutes
        self._num_failures = self._num_empty = 0
        self._is_request = isinstance(command, StartGeneration) and command.is_request
        abilities = form.abilities
        self._is_chat = abilities.chat_only or self._is_request
        self.begins_in_thought = begins_in_thought or (self._is_chat and may_think(abilities.model))
        self._num_told = 0
        self.is_lost = False

    def events(self, notice: str) -> Iterator[RunEvent]:
        """Yield the run's events; the caller may stop at any of them. notice: said when it starts."""
        command = self._command
        prompt = prompt_of(command, self._capacity)
        generated = text_of_ids(command.generated_ids) if isinstance(command, ResumeGeneration) else ""
        writer = ServerWriter(command.run_id, GoalMonitor(command.goal), generated)
        yield GenerationStarted(
            command.run_id,
            prompt.ids,
            prompt.num_left_out,
            notice=notice,
            origins=prompt.counts,
            rollover=context_rule(prompt.num_front),
        )
        while writer.reason is None:
            try:
                ending = yield from self._request(prompt, writer)
            except ServerProblem as problem:
                ending = yield from self._after(problem, writer)
            if ending is not None:
                yield ending
                return
        yield GenerationFinished(command.run_id, writer.num_written, writer.reason)

    def _request(
        self, prompt: ServerPrompt, writer: ServerWriter
    ) -> Generator[RunEvent, None, _Ending | None]:
        """Draft with one request; return how the run ends, if it does."""
        whole = prompt.text + writer.text
        part = sent_part(whole, prompt.num_front, self._capacity)
        stream = self._stream(part, prompt.num_front, len(writer.text))
        reply = ReplyFilter(may_begin_in_thought=self.begins_in_thought)
        cleaner, finish, before = PieceCleaner(), "", part
        since = time.monotonic()
        for piece in self._pieces(stream):
            if piece is None:
                yield StepWithheld(self._command.run_id, 0)
            else:
                finish = piece.finish or finish
                prose = reply.prose(piece.text, piece.thought)
                yield from self._told(reply)
                text = cleaner.clean(self._fitted(prose, before))
                # until the first word the server mostly reads, which is no drafting, as at home
                is_read = bool(before) and len(text) <= _MOST_CHARS_OF_A_TOKEN
                before = "" if prose else before
                if text:
                    self._num_failures = self._num_empty = 0
                    step_ms = 0.0 if is_read else 1000 * (time.monotonic() - since)
                    yield from writer.add(text, step_ms, piece.figures)
                    since = time.monotonic()
            if writer.reason is not None:
                return None
            if time.monotonic() >= self._deadline_s:
                return GenerationPaused(self._command.run_id, writer.num_written, PauseReason.TIME)
        if text := cleaner.clean(self._fitted(reply.rest(is_whole=finish != "length"), before)):
            before, self._num_empty = "", 0
            yield from writer.add(text, 0.0, None)
        if (sentence := self._about_thoughts(reply, is_empty=bool(before))) is not None:
            run_id, reason = self._command.run_id, PauseReason.SERVER_GONE
            return GenerationPaused(run_id, writer.num_written, reason, sentence)
        self._num_empty += bool(before)
        has_ended = self._is_request or (
            finish != "length" and self._command.goal.stop_at_end and not self._form.abilities.chat_only
        )
        if has_ended or self._num_empty >= _MOST_EMPTY:
            yield from writer.last()
            is_cut = self._is_request and finish == "length"
            ending = FinishReason.GOAL if is_cut else FinishReason.END_OF_TEXT
            return GenerationFinished(self._command.run_id, writer.num_written, ending)
        return None

    def _told(self, reply: ReplyFilter) -> Iterator[RunEvent]:
        """Say how much the model has thought, now and then: no word of that goes into the book."""
        if reply.num_thought >= self._num_told + _SAID_EVERY:
            self._num_told = reply.num_thought
            message = UserMessage(
                "The model is thinking: {words:,} words so far, none of which go into the text.",
                words=reply.num_thought,
            )
            yield DraftingTroubled(self._command.run_id, message)

    def _about_thoughts(self, reply: ReplyFilter, *, is_empty: bool) -> UserMessage | None:
        """Return why the run pauses for what the model thought, if it has to."""
        self._num_told = 0
        self.begins_in_thought = self.begins_in_thought or reply.began_in_thought
        if reply.thoughts_slipped:
            return UserMessage(
                "The first words of this draft are the model's thoughts: its server marks only their end. "
                "Undo the draft and press Continue. From now on Quire waits until the model has finished "
                "thinking."
            )
        if is_empty and reply.num_thought:
            return UserMessage(
                "The model only thought ({words:,} words) and wrote no text. Switch its thinking off where "
                "the server allows it, give it a longer limit for replies, or choose a model that does not "
                "think.",
                words=reply.num_thought,
            )
        return None

    def _stream(self, part: str, num_front: int, num_generated: int) -> DraftedStream:
        context = self._form.abilities.context_length
        num_tokens = MAX_TOKENS if context is None else max(min(MAX_TOKENS, context // 4), 1)
        if self._is_request:
            body = self._form.request(part, num_tokens)
        elif self._is_chat:
            body = self._form.chat(part, num_front, num_generated, num_tokens)
        else:
            # a space of its own at the end is seldom what a model has read; its words bring theirs along
            body = self._form.completion(part.rstrip(" "), num_generated, num_tokens)
        abilities = self._form.abilities
        has_counters = abilities.kind == "vLLM" and bool(abilities.figures)
        return DraftedStream(self._connection, body, is_chat=self._is_chat, has_counters=has_counters)

    def _pieces(self, stream: DraftedStream) -> Iterator[Piece | None]:
        """Yield what comes, in order; None now and then while nothing does."""
        reading = self._turns.start(stream.read())
        try:
            while True:
                if not stream.pieces.empty():
                    yield stream.pieces.get_nowait()
                elif reading.done():
                    reading.result()  # raises what went wrong, after everything that came before
                    return
                else:
                    self._turns.wait(stream.news)
                    if stream.pieces.empty() and not reading.done():
                        yield None
        finally:
            self._turns.end(reading)

    def _fitted(self, text: str, before: str) -> str:
        """Return the first words of a reply as they continue the text before; others as they are."""
        if not text or not before or self._is_request:
            return text
        if not self._form.abilities.chat_only:
            num_spaces = len(before) - len(before.rstrip(" "))
            return text[min(num_spaces, len(text) - len(text.lstrip(" "))) :]
        opens = text[0].isalnum() or text[0] in _OPENS_WORD
        return text if before[-1].isspace() or not opens else f" {text}"

    def _after(
        self, problem: ServerProblem, writer: ServerWriter
    ) -> Generator[RunEvent, None, _Ending | None]:
        """Wait and try again where that may help; return the pause where it doesn't."""
        run_id = self._command.run_id
        if problem.trouble is ServerTrouble.TOO_LONG and self._capacity > _LEAST_CHARS:
            self._capacity = max(self._capacity * 2 // 3, _LEAST_CHARS)
            return None
        waits = self._patience.waits_s
        is_broken = self._is_request and bool(writer.text)  # asked again, it would answer from the start
        if problem.may_pass and self._num_failures < len(waits) and not is_broken:
            wait_s = problem.retry_after_s or waits[self._num_failures]
            self._num_failures += 1
            if wait_s <= self._patience.longest_s:
                yield DraftingTroubled(
                    run_id, UserMessage("{problem} Quire is trying again.", problem=problem)
                )
                return (yield from self._wait(wait_s, writer))
        self.is_lost = True
        return GenerationPaused(
            run_id, writer.num_written, PauseReason.SERVER_GONE, joined(problem.message, _SAFE)
        )

    def _wait(self, seconds: float, writer: ServerWriter) -> Generator[RunEvent, None, _Ending | None]:
        until_s = time.monotonic() + seconds
        never = asyncio.Event()
        while (left_s := until_s - time.monotonic()) > 0:
            self._turns.wait(never, min(left_s, TURN_S))
            yield StepWithheld(self._command.run_id, 0)
            if time.monotonic() >= self._deadline_s:
                return GenerationPaused(self._command.run_id, writer.num_written, PauseReason.TIME)
        return None

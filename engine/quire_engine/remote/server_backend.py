"""The engine for a model on a server: the same commands and events, without a model on this computer."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import TypeVar

from quire_engine.api.config import ModelConfig
from quire_engine.api.context_rules import DEFAULT_CONTEXT_RULE
from quire_engine.api.errors import EngineBug, EnvironmentProblem
from quire_engine.api.load_progress import LoadReport, LoadStage, unreported
from quire_engine.api.messages import ModelLoaded, ResumeGeneration, StartGeneration, StepWithheld
from quire_engine.api.model_identity import ON_SERVER, ModelIdentity
from quire_engine.api.queries import (
    CountTokens,
    EngineQuery,
    MeasureMemory,
    MemoryMeasured,
    PromptSegment,
    PromptSource,
    PromptViewed,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokensCounted,
    ViewPrompt,
    WriteText,
)
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.prompt.prompt import PromptTexts
from quire_engine.remote.connection import Connection, Timeouts
from quire_engine.remote.open_server import OpenServer
from quire_engine.remote.requests import MAX_TOKENS, RequestForm, chat_parts
from quire_engine.remote.server import ServerAbilities
from quire_engine.remote.server_look import answers_chats, look_through, token_ids
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble
from quire_engine.remote.server_run import Patience, ServerRun
from quire_engine.remote.server_scores import scores
from quire_engine.remote.server_text import fitting_parts
from quire_engine.remote.word_bans import WordBans, word_bans
from quire_engine.runtime.engine_thread import ReplyEvent, RunEvent, StartCommand
from quire_engine.runtime.written_text import write_text

ASSUMED_CONTEXT = 4096
"""Tokens that a server is taken to read where it does not say."""
_CHARS_PER_TOKEN = 3.0
"""Fewer than prose has in most languages of the Latin script, so that a first request seldom is too long."""
_SAMPLE = 6000
_ONLY_HOME = UserMessage("A server can't answer this. Choose a model on this computer for it.")
_CHAT_ONLY = UserMessage(
    "This server only answers chats, so the model is asked to continue the text. It may comment on it."
)
_CONTEXT_UNKNOWN = UserMessage(
    "This server doesn't say how much its model reads, so Quire sends the newest {words:,} words or so.",
    words=ASSUMED_CONTEXT // 4 * 3 // 4 * 3,
)
_USUAL_TIMEOUTS, _USUAL_PATIENCE = Timeouts(), Patience()

_Result = TypeVar("_Result")


class ServerBackend:
    """A model on a server and the runs on it; not thread-safe. Nothing is open between two pieces of work.

    Attributes:
        description: of the model, as for one of this computer.
        is_lost: the server has to be looked at again before it is used.
    """

    def __init__(
        self,
        config: ModelConfig,
        report: LoadReport = unreported,
        timeouts: Timeouts = _USUAL_TIMEOUTS,
        patience: Patience = _USUAL_PATIENCE,
    ) -> None:
        """Look at the server; ServerProblem where it can't be used."""
        if config.server is None:
            raise EngineBug("a server's backend was made for a model on this computer")
        started_s = time.monotonic()
        self._address, self._key = config.server, config.server_key
        self._timeouts, self._patience = timeouts, patience
        self.is_lost = self._begins_in_thought = False
        self._abilities = self._looked(report)
        context = self._abilities.context_length or ASSUMED_CONTEXT
        self._context = min(context, config.context) if config.context else context
        self.description = self._described(time.monotonic() - started_s)

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        """Yield the events of a run; a wait for the server yields StepWithheld without tokens."""
        with self._opened() as server:
            bans = WordBans()
            if banned := command.sampling.banned:
                bans = yield from _withheld(
                    command.run_id, server.awaited(word_bans(server.connection, self._abilities, banned))
                )
            capacity = yield from _withheld(
                command.run_id, server.awaited(self._capacity(server.connection, _newest(command)))
            )
            keeps_on = not command.goal.stop_at_end
            form = RequestForm(self._abilities, command.sampling, bans.token_ids, keeps_on=keeps_on)
            run = ServerRun(
                server, form, command, self._patience, capacity, begins_in_thought=self._begins_in_thought
            )
            try:
                yield from run.events(_notice(form, bans))
            finally:
                self.is_lost = run.is_lost
                if not (isinstance(command, StartGeneration) and command.is_request):
                    self._begins_in_thought = run.begins_in_thought  # a request says nothing of drafts

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        """Yield the reply; EnvironmentProblem where only a model on this computer could answer."""
        match query:
            case MeasureMemory():
                memory = read_memory()
                yield MemoryMeasured(query.query_id, memory.own, memory.free, memory.total, 0, 0, 0, False)
            case CountTokens():
                yield TokensCounted(query.query_id, self._counted(query.texts))
            case ViewPrompt():
                yield self._viewed(query)
            case ScoreText():
                yield from self._scored(query)
            case WriteText():
                yield from write_text(self.run, query, can_ask=self._answers_chats())
            case _:
                raise EnvironmentProblem(_ONLY_HOME)

    def _opened(self) -> OpenServer:
        return OpenServer(self._address, self._key, self._timeouts)

    def _answers_chats(self) -> bool:
        """Look whether the server answers requests, the first time that it matters."""
        if self._abilities.chat is None:
            with self._opened() as server:
                chat = _finished(server.awaited(answers_chats(server.connection, self._abilities.model)))
            self._abilities = replace(self._abilities, chat=chat)
        return bool(self._abilities.chat)

    def _looked(self, report: LoadReport) -> ServerAbilities:
        with self._opened() as server:
            looking = server.awaited(look_through(server.connection))
            abilities = _finished(looking, lambda: report(LoadStage.WEIGHTS, 0.0))
        if not abilities.model:
            raise ServerProblem(
                ServerTrouble.MODEL,
                "{host} has several models. Choose one of them: {models}.",
                host=self._address.host,
                models=", ".join(abilities.models[:8]),
            )
        return abilities

    def _described(self, load_s: float) -> ModelLoaded:
        seen, host = self._abilities, self._address.host
        kind = " ".join(part for part in (seen.kind or "server", seen.version) if part)
        identity = ModelIdentity(
            name=_short(seen.model),
            fingerprint=hashlib.sha256(f"{ON_SERVER}\n{seen.model}".encode()).hexdigest(),
            dtype=ON_SERVER,
            width=0,
            software=f"{kind} at {host}; not reproducible",
            rollover=DEFAULT_CONTEXT_RULE,
        )
        notice = joined(_CHAT_ONLY if seen.chat_only else "", "" if seen.context_length else _CONTEXT_UNKNOWN)
        return ModelLoaded(
            identity,
            self._context,
            num_parameters=0,
            reproducible=False,
            load_s=load_s,
            notice=notice,
        )

    async def _capacity(self, connection: Connection, text: str) -> int:
        """Return the characters of a text that the model can read, beside what it may add."""
        chars_per_token = _CHARS_PER_TOKEN
        if self._abilities.tokenize and len(text) > _SAMPLE // 4:
            sample = text[-_SAMPLE:]
            ids = await token_ids(connection, self._abilities.kind, self._abilities.model, sample)
            if ids:
                chars_per_token = 0.9 * len(sample) / len(ids)
        num_tokens = self._context - min(MAX_TOKENS, self._context // 4)
        return max(int(num_tokens * chars_per_token), 1)

    def _counted(self, texts: tuple[str, ...]) -> tuple[int, ...]:
        kind, model = self._abilities.kind, self._abilities.model

        async def count(connection: Connection) -> tuple[int, ...]:
            counts: list[int] = []
            for text in texts:
                ids = await token_ids(connection, kind, model, text) if text else []
                if ids is None:
                    raise EnvironmentProblem("This server doesn't say how many tokens a text has.")
                counts.append(len(ids))
            return tuple(counts)

        with self._opened() as server:
            return _finished(server.awaited(count(server.connection)))

    def _scored(self, query: ScoreText) -> Iterator[ReplyEvent]:
        with self._opened() as server:
            waiting = server.awaited(scores(server.connection, self._abilities, query, self._context))
            while True:
                try:
                    next(waiting)
                except StopIteration as stop:
                    scored: TextScored = stop.value
                    yield scored
                    return
                yield QueryProgressed(query.query_id, 0.0)

    def _viewed(self, query: ViewPrompt) -> PromptViewed:
        """Return what a run that starts on the text would send; tokens are estimated where nobody counts."""
        with self._opened() as server:
            capacity = _finished(server.awaited(self._capacity(server.connection, query.prompt_text)))
        texts = PromptTexts(query.prompt_text, query.front_text, query.note_text, query.note_depth)
        (front, before, note, after), num_left_out = fitting_parts(texts, capacity, read_tail=query.read_tail)
        if self._abilities.chat_only:
            front, before = chat_parts(front, before)
        parts = (
            (PromptSource.FRONT, front),
            (PromptSource.STORY, before),
            (PromptSource.NOTE, note),
            (PromptSource.STORY, after),
        )
        read = [(origin, text) for origin, text in parts if text]
        counts = (
            self._counted(tuple(text for _, text in read))
            if self._abilities.tokenize
            else tuple(round(len(text) / _CHARS_PER_TOKEN) for _, text in read)
        )
        segments = tuple(
            PromptSegment(origin, text, count) for (origin, text), count in zip(read, counts, strict=True)
        )
        return PromptViewed(query.query_id, segments, num_left_out, self._context)


def _withheld(run_id: int, waiting: Generator[None, None, _Result]) -> Generator[RunEvent, None, _Result]:
    """Yield an event without tokens for each turn of a wait, so that a pause can come; return its result."""
    while True:
        try:
            next(waiting)
        except StopIteration as stop:
            result: _Result = stop.value
            return result
        yield StepWithheld(run_id, 0)


def _finished(waiting: Generator[None, None, _Result], at_turn: Callable[[], None] = lambda: None) -> _Result:
    """Wait to the end and return the result; at_turn: called now and then, and what it raises ends it."""
    try:
        while True:
            next(waiting)
            at_turn()
    except StopIteration as stop:
        result: _Result = stop.value
        return result
    finally:
        waiting.close()


def _short(model: str) -> str:
    """Return a model's name without the folders of its server."""
    is_path = model.startswith("/") or model[1:3] == ":\\"
    return re.split(r"[/\\]", model)[-1] if is_path else model


def _newest(command: StartCommand) -> str:
    if isinstance(command, ResumeGeneration):
        ids = (command.prompt_ids + command.generated_ids)[-_SAMPLE:]
        return "".join(chr(code) for code in ids if 0 <= code < 0x110000)
    return command.prompt_text or command.front_text


def _notice(form: RequestForm, bans: WordBans) -> str:
    """Return what the writer asked for and the server does not do; empty where it does all."""
    words = ", ".join(bans.possible)
    avoided = UserMessage("This server can't avoid: {words}.", words=words) if words else ""
    refused = form.abilities.refused(form.sampling)
    dropped = (
        UserMessage("This server doesn't take these settings: {names}.", names=", ".join(refused))
        if refused
        else ""
    )
    return joined(avoided, dropped)

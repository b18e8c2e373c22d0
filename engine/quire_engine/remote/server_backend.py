"""The engine for a model on a server: the same commands and events, without a model on this computer."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Coroutine, Generator, Iterator
from typing import Any, TypeVar

from quire_engine.api.config import ModelConfig
from quire_engine.api.context_rules import DEFAULT_CONTEXT_RULE
from quire_engine.api.errors import EngineBug, EnvironmentProblem
from quire_engine.api.load_progress import LoadReport, LoadStage, unreported
from quire_engine.api.messages import (
    ON_SERVER,
    ModelIdentity,
    ModelLoaded,
    ResumeGeneration,
    StepWithheld,
)
from quire_engine.api.queries import (
    CountTokens,
    EngineQuery,
    MeasureMemory,
    MemoryMeasured,
    PromptSegment,
    PromptSource,
    PromptViewed,
    TokensCounted,
    ViewPrompt,
)
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.prompt.prompt import PromptTexts, arranged
from quire_engine.remote.connection import Connection, Timeouts
from quire_engine.remote.failures import problem_of
from quire_engine.remote.requests import MAX_TOKENS, RequestForm
from quire_engine.remote.server import ServerAbilities
from quire_engine.remote.server_look import look_through, token_ids
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble
from quire_engine.remote.server_run import Patience, ServerRun
from quire_engine.remote.turns import Turns
from quire_engine.remote.word_bans import WordBans, word_bans
from quire_engine.runtime.engine_thread import ReplyEvent, RunEvent, StartCommand

ASSUMED_CONTEXT = 4096
"""Tokens that a server is taken to read where it does not say."""
_CHARS_PER_TOKEN = 3.0
"""Fewer than prose has in most languages of the Latin script, so that a first request seldom is too long."""
_SAMPLE = 6000
_ONLY_HOME = UserMessage("A server can't answer this. Choose a model on this computer for it.")
_CHAT_ONLY = UserMessage(
    "This server only answers chats, so the model is asked to continue the text. It may comment on it."
)
_USUAL_TIMEOUTS, _USUAL_PATIENCE = Timeouts(), Patience()

_Result = TypeVar("_Result")


class ServerBackend:
    """One open connection and the runs on it; not thread-safe.

    description: of the model, as for one of this computer. ServerProblem where it can't be used.
    """

    def __init__(
        self,
        config: ModelConfig,
        report: LoadReport = unreported,
        timeouts: Timeouts = _USUAL_TIMEOUTS,
        patience: Patience = _USUAL_PATIENCE,
    ) -> None:
        if config.server is None:
            raise EngineBug("a server's backend was made for a model on this computer")
        started_s = time.monotonic()
        self._patience, self._turns = patience, Turns()
        self._connection = Connection(config.server, config.server_key, timeouts)
        self.is_lost = False
        try:
            self._abilities = self._looked(report)
        except BaseException:
            self.close()
            raise
        context = self._abilities.context_length or ASSUMED_CONTEXT
        self._context = min(context, config.context) if config.context else context
        self.description = self._described(time.monotonic() - started_s)

    def close(self) -> None:
        """Close the connection."""
        self._turns.finish(self._connection.close())
        self._turns.close()

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        """Yield the events of a run; a wait for the server yields StepWithheld without tokens."""
        banned = command.sampling.banned
        bans = WordBans()
        if banned:
            bans = yield from self._awaited(
                word_bans(self._connection, self._abilities, banned), command.run_id
            )
        capacity = yield from self._awaited(self._capacity(_newest(command)), command.run_id)
        form = RequestForm(
            self._abilities, command.sampling, bans.token_ids, keeps_on=not command.goal.stop_at_end
        )
        run = ServerRun(self._turns, self._connection, form, command, self._patience, capacity)
        try:
            yield from run.events(_notice(form, bans))
        finally:
            self.is_lost = run.is_lost

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        """Yield the reply; EnvironmentProblem where only a model on this computer could answer."""
        match query:
            case MeasureMemory():
                memory = read_memory()
                yield MemoryMeasured(query.query_id, memory.own, memory.free, memory.total, 0, 0, 0, False)
            case CountTokens():
                yield TokensCounted(query.query_id, tuple(map(self._count, query.texts)))
            case ViewPrompt():
                yield self._viewed(query)
            case _:
                raise EnvironmentProblem(_ONLY_HOME)

    def _looked(self, report: LoadReport) -> ServerAbilities:
        looking = self._turns.start(look_through(self._connection))
        while not self._turns.turn(looking):
            report(LoadStage.WEIGHTS, 0.0)
        abilities = self._result(looking)
        if not abilities.model:
            raise ServerProblem(
                ServerTrouble.MODEL,
                "{host} has several models. Choose one of them: {models}.",
                host=self._connection.address.host,
                models=", ".join(abilities.models[:8]),
            )
        return abilities

    def _described(self, load_s: float) -> ModelLoaded:
        seen, host = self._abilities, self._connection.address.host
        kind = " ".join(part for part in (seen.kind or "server", seen.version) if part)
        identity = ModelIdentity(
            name=_short(seen.model),
            fingerprint=hashlib.sha256(f"{ON_SERVER}\n{seen.model}".encode()).hexdigest(),
            dtype=ON_SERVER,
            width=0,
            software=f"{kind} at {host}; not reproducible",
            rollover=DEFAULT_CONTEXT_RULE,
        )
        return ModelLoaded(
            identity,
            self._context,
            num_parameters=0,
            reproducible=False,
            load_s=load_s,
            notice=_CHAT_ONLY if seen.chat_only else "",
        )

    async def _capacity(self, text: str) -> int:
        """Return the characters of a text that the model can read, beside what it may add."""
        chars_per_token = _CHARS_PER_TOKEN
        if self._abilities.tokenize and len(text) > _SAMPLE // 4:
            sample = text[-_SAMPLE:]
            ids = await token_ids(self._connection, self._abilities.kind, self._abilities.model, sample)
            if ids:
                chars_per_token = 0.9 * len(sample) / len(ids)
        num_tokens = self._context - min(MAX_TOKENS, self._context // 4)
        return max(int(num_tokens * chars_per_token), 1)

    def _awaited(self, work: Coroutine[Any, Any, _Result], run_id: int) -> Generator[RunEvent, None, _Result]:
        """Yield StepWithheld until some work is done; return its result."""
        task = self._turns.start(work)
        try:
            while not self._turns.turn(task):
                yield StepWithheld(run_id, 0)
            return self._result(task)
        finally:
            self._turns.end(task)

    def _result(self, task: asyncio.Task[_Result]) -> _Result:
        try:
            return task.result()
        except ServerProblem:
            raise
        except Exception as error:
            if (problem := problem_of(error, self._connection.address)) is not None:
                raise problem from error
            raise

    def _count(self, text: str) -> int:
        counting = self._turns.start(
            token_ids(self._connection, self._abilities.kind, self._abilities.model, text)
        )
        while not self._turns.turn(counting):
            pass
        ids = self._result(counting) if text else []
        if ids is None:
            raise EnvironmentProblem("This server doesn't say how many tokens a text has.")
        return len(ids)

    def _viewed(self, query: ViewPrompt) -> PromptViewed:
        front, before, note, after = arranged(
            PromptTexts(query.prompt_text, query.front_text, query.note_text)
        )
        parts = (
            (PromptSource.FRONT, front),
            (PromptSource.STORY, before),
            (PromptSource.NOTE, note),
            (PromptSource.STORY, after),
        )
        segments = tuple(PromptSegment(origin, text, self._count(text)) for origin, text in parts if text)
        return PromptViewed(query.query_id, segments, 0, self._context)


def _short(model: str) -> str:
    """Return a model's name without the folders of its server."""
    is_path = model.startswith("/") or model[1:3] == ":\\"
    return re.split(r"[/\\]", model)[-1] if is_path else model


def _newest(command: StartCommand) -> str:
    if isinstance(command, ResumeGeneration):
        ids = (command.prompt_ids + command.generated_ids)[-_SAMPLE:]
        return "".join(chr(code) for code in ids if 0 <= code < 0x110000)
    return command.prompt_text


def _notice(form: RequestForm, bans: WordBans) -> str:
    """Return what the writer asked for and the server does not do; empty where it does all."""
    words = ", ".join(bans.possible)
    avoided = UserMessage("This server can't avoid: {words}.", words=words) if words else ""
    refused = form.refused
    dropped = (
        UserMessage("This server doesn't take these settings: {names}.", names=", ".join(refused))
        if refused
        else ""
    )
    return joined(avoided, dropped)

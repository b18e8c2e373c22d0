"""The Nth call of anything a sitting does fails, once or for ever; then the writer tries again.

`faults` stops at the fault. Here the same open project goes on after it, or one that is opened again, and the
text must end as if nothing had happened. The work goes through the doors of the window: a session and an
engine.
"""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.backup_rotation import Reason
from quire.errors import WriterProblem
from quire.services.drafting import run_recorder
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import Command, Event
from tests.fakes import ScriptedBackend, Watcher
from tests.proofs.app.io_faults import FAULTS, RefusingLayer
from tests.proofs.app.outcome import CheckResult
from tests.proofs.app.sqlite_vfs import OK, watched

OPENING = "It was a dark night."
TORN = "disk full, part written"
"""A disk that becomes full in the middle of a write."""
_GOALS = (12, 8)
_TYPED = " And then Mara laughed."
_TRIES = 6
_STORED_WITHIN_S = 0.05
PATIENCE_S = 60.0
"""What takes longer than this hangs."""


@dataclass(slots=True)
class InjectedFault:
    """What fails, and when. struck: whether it has; over: it fails no more."""

    kind: str
    nth: int
    for_ever: bool
    num_calls: int = 0
    struck: bool = False
    over: bool = False

    def strikes(self) -> bool:
        """Count a call; whether it is one that fails."""
        if self.over:
            return False
        self.num_calls += 1
        hit = self.num_calls == self.nth or (self.for_ever and self.num_calls > self.nth)
        self.struck = self.struck or hit
        return hit


# ---------------------------------------------------------------- what can fail
def _sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("injected")
    error.sqlite_errorcode = code
    return error


@contextmanager
def _in_sqlite(trouble: InjectedFault) -> Iterator[None]:
    """Let statements, or commits, fail before they are done."""
    connect = sqlite3.connect

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *arguments: Any) -> Cursor:
            if trouble.kind == "execute" and trouble.strikes():
                raise _sqlite_error(sqlite3.SQLITE_IOERR)
            if trouble.kind == "commit" and sql.strip().upper() == "COMMIT" and trouble.strikes():
                raise _sqlite_error(sqlite3.SQLITE_FULL)
            super().execute(sql, *arguments)
            return self

    class Connection(sqlite3.Connection):
        def cursor(self, factory: Any = Cursor) -> Any:
            return super().cursor(factory)

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            return self.cursor().execute(sql, *arguments)  # type: ignore[no-any-return]

        def commit(self) -> None:
            if trouble.kind == "commit" and self.in_transaction and trouble.strikes():
                raise _sqlite_error(sqlite3.SQLITE_FULL)
            super().commit()

    def connected(*arguments: Any, **more: Any) -> Any:
        return connect(*arguments, **more, factory=Connection)

    sqlite3.connect = connected
    try:
        yield
    finally:
        sqlite3.connect = connect


@contextmanager
def _in_system(trouble: InjectedFault) -> Iterator[None]:
    """Let a call of the operating system fail that Quire makes itself."""
    name, code = {
        "open": ("open", errno.EIO),
        "rename": ("rename", errno.EIO),
        "fsync": ("fsync", errno.EIO),
        "folder": ("mkdir", errno.ENOSPC),
    }[trouble.kind]
    original = getattr(os, name)

    def called(*arguments: Any, **more: Any) -> Any:
        if trouble.strikes():
            raise OSError(code, os.strerror(code))
        return original(*arguments, **more)

    setattr(os, name, called)
    try:
        yield
    finally:
        setattr(os, name, original)


class _FaultingLayer(RefusingLayer):
    """A Watcher that refuses calls of one kind. torn: a full disk takes the first part of a write."""

    def __init__(self, trouble: InjectedFault, kind: str, code: int, *, torn: bool) -> None:
        self._trouble = trouble
        self._kind = kind
        self._code = code
        self._torn = torn

    def write(self, path: str, offset: int, data: bytes) -> int:
        code = self._asked("write")
        if code and self._torn:
            with open(path, "r+b") as file:
                file.seek(offset)
                file.write(data[: len(data) * 2 // 3])
        return code

    def _asked(self, kind: str) -> int:
        return self._code if kind == self._kind and self._trouble.strikes() else OK


@contextmanager
def _in_file_layer(trouble: InjectedFault) -> Iterator[None]:
    torn = trouble.kind == TORN
    kind, code = FAULTS["disk full" if torn else trouble.kind]
    with watched(_FaultingLayer(trouble, kind, code, torn=torn)):
        yield


class _Client(EngineClient):
    """An EngineClient whose queue fails: no memory for a command."""

    def __init__(self, backend: ScriptedBackend, trouble: InjectedFault) -> None:
        super().__init__(backend)
        self._trouble = trouble

    def send(self, command: Command) -> None:
        if self._trouble.kind == "send" and self._trouble.strikes():
            raise MemoryError("injected")
        super().send(command)

    async def next_event(self) -> Event:
        if self._trouble.kind == "next event" and self._trouble.strikes():  # before it is taken: none is lost
            raise MemoryError("injected")
        return await super().next_event()


ENGINE_KINDS = ("load", "tokenise", "read", "forward", "out of memory")
QUEUE_KINDS = ("send", "next event")
_INSTALLED: dict[str, Callable[[InjectedFault], Any]] = {
    "execute": _in_sqlite,
    "commit": _in_sqlite,
    "open": _in_system,
    "rename": _in_system,
    "fsync": _in_system,
    "folder": _in_system,
    **dict.fromkeys((*FAULTS, TORN), _in_file_layer),
}
KINDS = (*_INSTALLED, *ENGINE_KINDS, *QUEUE_KINDS)
"""What can fail."""
NEED_THE_LAYER = (*FAULTS, TORN)
"""Those that need SQLite's file layer."""


# ---------------------------------------------------------------- a writer who tries again
@dataclass(slots=True)
class FaultySession:
    """A writer who makes a project, drafts, types, drafts on, backs up and closes, and tries again."""

    path: Path
    trouble: InjectedFault
    session: ProjectSession | None = None
    acknowledged: dict[int, int] = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)
    wrong: str = ""
    stored: threading.Event = field(default_factory=threading.Event)

    async def work(self) -> None:
        """Do everything, each step until it is done."""
        await self._until_done(self._create)
        for number, goal in enumerate(_GOALS, start=1):
            await self._until_done(partial(self._draft, number, goal))
            await self._until_done(partial(self._type, number))
        await self._until_done(self._back_up)
        await self._until_done(self._close)

    async def _until_done(self, step: Callable[[], Coroutine[Any, Any, bool]]) -> None:
        for attempt in range(_TRIES):
            if self.wrong:
                return
            if attempt == 2:  # the writer made room, or plugged the disk in again
                self.trouble.over = True
            try:
                if await asyncio.wait_for(step(), PATIENCE_S):
                    return
            except WriterProblem as problem:
                self._told(str(problem))
            except TimeoutError:
                self.wrong = "it hung"
            except MemoryError as error:
                if self.trouble.kind not in QUEUE_KINDS:
                    self.wrong = f"no sentence but {error!r}"
            except Exception as error:  # noqa: BLE001  that is what is looked for
                self.wrong = f"no sentence but {error!r}"
            if attempt == 3:  # the writer starts Quire again
                await self._let_go()
        self.wrong = self.wrong or f"it did not go on after the fault: {self.sentences[-1:]}"

    def _told(self, sentence: str) -> None:
        self.sentences.append(sentence)
        if not sentence.rstrip().endswith("."):
            self.wrong = f"no whole sentence: {sentence!r}"

    async def _let_go(self) -> None:
        if self.session is not None:
            try:
                await self.session.close()
            except WriterProblem as problem:
                self._told(str(problem))
            self.session = None

    async def _opened(self) -> ProjectSession:
        if self.session is None:
            self.session = await ProjectSession.open(self.path)
        return self.session

    async def _create(self) -> bool:
        if not self.path.exists():  # made already, and only opening it failed
            self.session = await ProjectSession.create(self.path, "Proof", OPENING)
        await self._opened()
        return True

    async def _draft(self, number: int, goal: int) -> bool:
        session = await self._opened()
        last = session.last_run
        if last is not None and last.run_id == number and last.has_words(goal) and session.everything_stored:
            return True
        observer = Watcher(lambda: self._acknowledge(session))
        async with _Client(ScriptedBackend(before=self._before), self.trouble) as client:
            drafting = Drafting(client, session, observer, ModelConfig("scripted"))
            run: Run = await drafting.draft(RunRequest(goal, seed=number))
        if run.state is RunState.FAILED or not run.has_words(goal):
            self._told(run.error or observer.sentence)
            return False
        return session.everything_stored

    def _acknowledge(self, session: ProjectSession) -> None:
        self.stored.set()
        for run in session.runs:
            if session.everything_stored:
                self.acknowledged[run.run_id] = max(run.num_tokens, self.acknowledged.get(run.run_id, 0))

    async def _type(self, number: int) -> bool:
        session = await self._opened()
        typed = f"{_TYPED}{number}"
        if not session.text.endswith(typed):
            await session.save_text(session.text + typed)
        return True

    async def _back_up(self) -> bool:
        session = await self._opened()
        made = await session.back_up(Reason.ASKED)
        return made is not None and read_project(made).text == session.text

    async def _close(self) -> bool:
        if self.session is not None:
            session, self.session = self.session, None
            await session.close()
        return True

    def _before(self, place: str) -> None:
        if place == "forward":  # the next word is written when the last one is stored: every word is a commit
            self.stored.wait(_STORED_WITHIN_S)
            self.stored.clear()
        if self.trouble.kind == place and self.trouble.strikes():
            raise RuntimeError("injected")
        if self.trouble.kind == "out of memory" and place == "forward" and self.trouble.strikes():
            raise EnvironmentProblem("There is not enough memory. Close other programs and draft on.")


def generation(path: Path, kind: str, nth: int, *, for_ever: bool) -> tuple[FaultySession, str]:
    """Let the nth call of a kind fail; return how the sitting went, and the text that is there at its end."""
    trouble = InjectedFault(kind, nth, for_ever)
    at = FaultySession(path, trouble)
    every_s = run_recorder.STORE_EVERY_S
    run_recorder.STORE_EVERY_S = 0.0  # a commit for every turn, not for every draft
    try:
        with ExitStack() as stack:
            if kind in _INSTALLED:
                stack.enter_context(_INSTALLED[kind](trouble))
            asyncio.run(at.work())
    finally:
        run_recorder.STORE_EVERY_S = every_s
    if at.wrong:
        return at, ""
    there = read_project(path)
    for run in there.runs:
        if run.num_tokens < at.acknowledged.get(run.run_id, 0):
            at.wrong = f"run {run.run_id} has {run.num_tokens} of {at.acknowledged[run.run_id]} tokens"
    return at, there.text


@cache
def undisturbed_text() -> str:
    """Return the text at the end of a sitting in which nothing fails; RuntimeError when it has none."""
    with tempfile.TemporaryDirectory(prefix="quire-trouble-") as folder:
        at, text = generation(Path(folder) / "whole.quire", "none", 1, for_ever=False)
    if at.wrong:
        raise RuntimeError(f"a sitting in which nothing fails went wrong: {at.wrong}")
    return text


def troubles(kind: str, *, for_ever: bool, first: int = 1, every: int = 1) -> Iterator[CheckResult]:
    """Let the first call of a kind fail, then the next, until a whole sitting has no more."""
    expected = undisturbed_text()
    nth = first
    while True:
        with tempfile.TemporaryDirectory(prefix="quire-trouble-") as folder:
            at, text = generation(Path(folder) / "proof.quire", kind, nth, for_ever=for_ever)
        if not at.trouble.struck:
            return
        wrong = at.wrong or ("" if text == expected else f"another text: …{text[-80:]!r}")
        phase = f"{kind}, {'for ever' if for_ever else 'once'}"
        yield CheckResult(phase, f"call {nth}: {wrong}" if wrong else "")
        nth += every

"""A draft is stopped while a model loads, is read to, writes or is stored; it ends, and can go on.

The same as `stops`, within the process: each place is reached exactly, and every way to stop is tried there.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.services.drafting import run_recorder
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire_engine.api.config import ModelConfig
from tests.fakes import ScriptedBackend, Watcher
from tests.proofs.app.outcome import CheckResult

WITHIN_S = 5.0
"""A program that was asked to end has ended after so long."""
OPENING = "It was a dark night."
GOAL = 30
ENDLESS = 10_000_000
"""Words that no draft reaches here: it ends because it is asked to."""
PLACES = {
    "loading": "load",
    "tokenising": "tokenise",
    "reading": "read",
    "drafting": "forward",
    "storing": "append",
    "ending": "fold",
}
"""What is going on when the stop is asked for, and the call in which that is."""
_PATIENCE_S = 60.0


@dataclass(slots=True)
class Gate:
    """Holds whoever comes to a place for the nth time until it is opened."""

    place: str
    nth: int
    num_calls: int = 0
    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)

    def __call__(self, place: str) -> None:
        """Come to a place."""
        if place != self.place:
            return
        self.num_calls += 1
        if self.num_calls == self.nth:
            self.reached.set()
            self.opened.wait(_PATIENCE_S)


@dataclass(frozen=True, slots=True)
class Table:
    """What can be asked to stop."""

    session: ProjectSession
    client: EngineClient
    drafting: Drafting
    draft: asyncio.Task[Run]


async def _pause(at: Table) -> None:
    at.drafting.pause()
    await at.draft


async def _cancel(at: Table) -> None:
    at.draft.cancel()
    with suppress(asyncio.CancelledError):
        await at.draft


async def _stop(at: Table) -> None:
    await at.drafting.stop()


async def _close_session(at: Table) -> None:
    await at.session.close()


async def _close_engine(at: Table) -> None:
    await at.client.close()
    await at.draft


async def _pause_and_close(at: Table) -> None:
    at.drafting.pause()
    await at.session.close()
    await at.client.close()


WAYS: dict[str, Callable[[Table], Coroutine[Any, Any, None]]] = {
    "a pause": _pause,
    "a cancelled task": _cancel,
    "a stop": _stop,
    "the project closed": _close_session,
    "the engine closed": _close_engine,
    "all closed": _pause_and_close,
}
"""How a stop is asked for; each returns when it has come about."""


@contextmanager
def _held(gate: Gate) -> Iterator[None]:
    """Let the gate hold storing too, and have every turn stored."""
    doors: Any = project_text
    append, fold, every_s = doors.append, doors.merge_drafted_text, run_recorder.STORE_EVERY_S

    def held_append(*arguments: Any) -> None:
        gate("append")
        append(*arguments)

    def held_fold(*arguments: Any) -> Any:
        gate("fold")
        return fold(*arguments)

    doors.append, doors.merge_drafted_text = held_append, held_fold
    run_recorder.STORE_EVERY_S = 0.0  # many commits in a short draft
    try:
        yield
    finally:
        doors.append, doors.merge_drafted_text = append, fold
        run_recorder.STORE_EVERY_S = every_s


async def _stopped(path: Path, gate: Gate, way: str, goal: int, stored: list[int]) -> str:
    """Draft up to the gate, stop there, and return what was wrong with how it ended."""
    session = await ProjectSession.create(path, "Proof", OPENING)
    observer = Watcher(lambda: stored.append(session.last_run.num_tokens if session.last_run else 0))
    async with EngineClient(ScriptedBackend(before=gate), max_events=4) as client:
        drafting = Drafting(client, session, observer, ModelConfig("scripted"))
        draft = asyncio.ensure_future(drafting.draft(RunRequest(goal, seed=1)))
        await asyncio.to_thread(gate.reached.wait, _PATIENCE_S)
        at = Table(session, client, drafting, draft)
        stop = asyncio.ensure_future(WAYS[way](at))
        await asyncio.sleep(0)  # its first turn: the stop is asked for while the place is held
        asked_s = time.monotonic()
        gate.opened.set()
        done, _ = await asyncio.wait({stop}, timeout=2 * WITHIN_S)
        took_s = time.monotonic() - asked_s
        wrong = "it did not end" if not done else f"it took {took_s:.1f} s" if took_s > WITHIN_S else ""
        if done and (error := stop.exception()) is not None and not isinstance(error, WriterProblem):
            wrong = repr(error)
        await asyncio.wait({draft}, timeout=2 * WITHIN_S)
        if not draft.done():
            wrong = wrong or "the draft goes on"
    await session.close()  # the engine is closed by now, so a draft that did not stop has ended too
    return wrong


async def _finished(path: Path, goal: int) -> str:
    """Draft to a goal, in a new process as it were, and return the text."""
    session = await ProjectSession.open(path)
    async with EngineClient(ScriptedBackend()) as client:
        await Drafting(client, session, Watcher(), ModelConfig("scripted")).draft(RunRequest(goal, seed=1))
    await session.close()
    return read_project(path).text


def stop_at(place: str, nth: int, way: str) -> CheckResult:
    """Stop a draft in one way at one place, which is come to for the nth time, and let it end later."""
    gate, stored = Gate(PLACES[place], nth), list[int]()
    goal = GOAL if place == "ending" else ENDLESS
    with tempfile.TemporaryDirectory(prefix="quire-stop-") as folder:
        path, whole = Path(folder) / "proof.quire", Path(folder) / "whole.quire"
        with _held(gate):
            wrong = asyncio.run(_stopped(path, gate, way, goal, stored))
        if not gate.reached.is_set():
            wrong = "the place was never come to"
        wrong = wrong or _gone_on(path, whole, max(stored, default=0))
    return CheckResult(place, f"{way}, call {nth}: {wrong}" if wrong else "")


def _gone_on(path: Path, whole: Path, stored: int) -> str:
    """Compare with what was stored, and the text, once it has ended, with one that was never stopped."""
    num_tokens = sum(run.num_tokens for run in read_project(path).runs)
    if num_tokens < stored:
        return f"{num_tokens} of {stored} stored tokens"
    asyncio.run(_made(whole))
    texts = {asyncio.run(_finished(one, num_tokens + GOAL)) for one in (path, whole)}
    return "" if len(texts) == 1 else "another text"


async def _made(path: Path) -> None:
    await (await ProjectSession.create(path, "Proof", OPENING)).close()


def session_stops(seed: int, number: int) -> Iterator[CheckResult]:
    """Stop so many drafts at places and in ways that the seed chooses; every pair comes in its turn."""
    pairs = [(place, way) for place in PLACES for way in WAYS]
    rng = random.Random(seed)
    rng.shuffle(pairs)
    for turn in range(number):
        place, way = pairs[turn % len(pairs)]
        nth = rng.randint(1, GOAL) if place == "drafting" else rng.randint(1, 2) if place == "storing" else 1
        yield stop_at(place, nth, way)

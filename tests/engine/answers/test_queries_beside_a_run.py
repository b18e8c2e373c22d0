"""The engine's thread and questions: what is answered during a run, what is given up, what fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    CacheNotKept,
    GenerationFinished,
    GenerationPaused,
    KeepCache,
    PauseGeneration,
)
from quire_engine.api.queries import (
    CountTokens,
    DropQuery,
    EngineQuery,
    MeasureMemory,
    QueryDropped,
    QueryFailed,
    QueryProgressed,
    ScoreText,
    TextScored,
    TokensCounted,
)
from quire_engine.runtime.engine_thread import ReplyEvent
from tests.engine.worker_table import (
    PATIENCE_S,
    START,
    Backend,
    Lay,
    Panic,
    Table,
    tables,
)


@pytest.fixture
def lay() -> Iterator[Lay]:
    with tables() as lay:
        yield lay


@dataclass
class Answering(Backend):
    """A backend that answers: texts at once, the odds of one in pieces, each when it is let through."""

    pieces: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    working: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    error: BaseException | None = None

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        if self.error is not None:
            raise self.error
        if isinstance(query, CountTokens):
            yield TokensCounted(query.query_id, tuple(len(text) for text in query.texts))
            return
        for number in range(4):
            self.working.release()
            assert self.pieces.acquire(timeout=PATIENCE_S)
            yield QueryProgressed(query.query_id, number / 4)
        yield TextScored(query.query_id, (), 0)


SCORE = ScoreText("a", "b", query_id=7)
COUNT = CountTokens(("abc", ""), query_id=8)


@pytest.fixture
def answering() -> Iterator[Table]:
    table = Table(Answering(gate=threading.Semaphore(0)))
    yield table
    assert isinstance(table.backend, Answering)
    table.backend.pieces.release(1000)
    assert table.backend.gate is not None
    table.backend.gate.release(1000)
    assert table.worker.close(PATIENCE_S)


def backend_of(table: Table) -> Answering:
    assert isinstance(table.backend, Answering)
    return table.backend


def test_a_query_is_answered_after_its_progress(answering: Table) -> None:
    backend_of(answering).pieces.release(4)
    answering.worker.send(SCORE)
    answering.worker.send(DropQuery(99))
    answering.worker.send(COUNT)
    events = [answering.next() for _ in range(6)]
    assert [event for event in events if not isinstance(event, TokensCounted)] == [
        *(QueryProgressed(7, number / 4) for number in range(4)),
        TextScored(7, (), 0),
    ]
    assert TokensCounted(8, (3, 0)) in events
    answering.worker.send(DropQuery(7))
    answering.assert_works()


def test_a_cache_that_shall_be_kept_waits_for_a_query(answering: Table) -> None:
    backend = backend_of(answering)
    answering.worker.send(SCORE)
    assert backend.working.acquire(timeout=PATIENCE_S)
    answering.worker.send(KeepCache(1, "a"))
    backend.pieces.release(4)
    events = [answering.next() for _ in range(6)]
    assert events[:5] == [*(QueryProgressed(7, number / 4) for number in range(4)), TextScored(7, (), 0)]
    assert isinstance(events[5], CacheNotKept)  # this backend keeps none
    answering.assert_works()


@pytest.mark.parametrize("how", ["dropped", "another command", "closing"])
def test_a_query_is_given_up_between_two_pieces(answering: Table, how: str) -> None:
    backend = backend_of(answering)
    answering.worker.send(SCORE)
    assert backend.working.acquire(timeout=PATIENCE_S)
    answering.worker.send(PauseGeneration(1))  # nothing runs: it changes nothing
    answering.worker.send(COUNT)
    if how == "dropped":
        answering.worker.send(DropQuery(7))
    elif how == "another command":
        answering.worker.send(START)
        answering.worker.send(PauseGeneration(1))
        assert backend.gate is not None
        backend.gate.release()
    else:
        assert not answering.worker.close(0)
    backend.pieces.release()
    assert [answering.next() for _ in range(3)] == [
        QueryProgressed(7, 0),
        TokensCounted(8, (3, 0)),
        QueryDropped(7),
    ]
    if how == "another command":
        assert answering.until_end()[-1] == GenerationPaused(1, 0)
    if how == "closing":
        assert answering.worker.close(PATIENCE_S)
    else:
        answering.assert_works()


def test_while_a_run_continues_only_what_takes_no_time_is_answered(answering: Table) -> None:
    backend = backend_of(answering)
    answering.worker.send(START)
    assert backend.asked.acquire(timeout=PATIENCE_S)
    for command in (COUNT, SCORE, DropQuery(7), MeasureMemory(9)):
        answering.worker.send(command)
    assert backend.gate is not None
    backend.pieces.release(4)
    backend.gate.release(3)
    events = answering.until_end()
    assert isinstance(events[-1], GenerationFinished)
    assert events.count(TokensCounted(8, (3, 0))) == 1
    (refused,) = [event for event in events if isinstance(event, QueryFailed)]
    assert (refused.query_id, refused.is_bug) == (7, False)
    assert "Pause it first" in refused.message


@pytest.mark.parametrize(
    ("error", "is_bug", "told"),
    [
        (EnvironmentProblem("Select less."), False, "Select less."),
        (MemoryError(), False, "isn't enough memory"),
        (KeyError("x"), True, "KeyError"),
        (Panic("x"), True, "Panic"),
    ],
    ids=["problem", "memory", "bug", "panic"],
)
def test_a_query_that_fails_is_reported(
    answering: Table, error: BaseException, is_bug: bool, told: str
) -> None:
    backend_of(answering).error = error
    answering.worker.send(SCORE)
    failed = answering.next()
    assert isinstance(failed, QueryFailed)
    assert (failed.query_id, failed.is_bug) == (7, is_bug)
    assert told in failed.message
    answering.assert_works()


def test_a_backend_that_answers_nothing_says_so(lay: Lay) -> None:
    table = lay()
    table.worker.send(COUNT)
    failed = table.next()
    assert isinstance(failed, QueryFailed)
    assert not failed.is_bug
    table.assert_works()

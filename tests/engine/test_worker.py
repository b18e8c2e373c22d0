"""The engine's thread: one command at a time, every end reported, nothing that ends it silently."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from quire_engine.config import Goal, ModelConfig, SamplingConfig
from quire_engine.errors import EnvironmentProblem
from quire_engine.messages import (
    CacheKept,
    CacheNotKept,
    Command,
    Event,
    FinishReason,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    KeepCache,
    LoadModel,
    ModelIdentity,
    ModelLoaded,
    ModelLoadFailed,
    ModelUnloaded,
    PauseGeneration,
    PauseReason,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
    UnloadModel,
)
from quire_engine.questions import (
    Asked,
    CountTokens,
    DropQuestion,
    MeasureMemory,
    QuestionDropped,
    QuestionFailed,
    QuestionProgressed,
    ScoreText,
    TextScored,
    TokensCounted,
)
from quire_engine.worker import Begin, EngineWorker, Found, RunEvent

PATIENCE_S = 10
LOADED = ModelLoaded(ModelIdentity("m", "f", "float32", 8, "s"), 512, 1, reproducible=True, load_s=0.0)
CONFIG = ModelConfig("m")
SAMPLING = SamplingConfig()
GOAL = Goal(tokens=3)


class Panic(BaseException):
    """What a library may throw that is no Exception."""


def step(run_id: int, *tokens: int) -> StepCompleted:
    return StepCompleted(run_id, tokens, "x" * len(tokens), 0, 0, 0, 1.0, 1.0)


@dataclass
class Backend:
    """A backend that writes one step of two tokens after another, each when it is let through."""

    num_steps: int = 3
    gate: threading.Semaphore | None = None
    load_error: BaseException | None = None
    unload_error: BaseException | None = None
    call_error: BaseException | None = None
    run_error: BaseException | None = None
    num_made: int = 0
    asked: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    threads: set[str] = field(default_factory=set)

    def load(self, config: ModelConfig) -> ModelLoaded:
        self.threads.add(threading.current_thread().name)
        if self.load_error is not None:
            raise self.load_error
        return LOADED

    def unload(self) -> None:
        if self.unload_error is not None:
            raise self.unload_error

    def run(self, command: Begin) -> Iterator[RunEvent]:
        self.threads.add(threading.current_thread().name)
        if self.call_error is not None:
            raise self.call_error
        return self._steps(command.run_id)

    def _steps(self, run_id: int) -> Iterator[RunEvent]:
        yield GenerationStarted(run_id, (1,), 0)
        for number in range(self.num_steps):
            if self.gate is not None:
                self.asked.release()
                assert self.gate.acquire(timeout=PATIENCE_S)
            self.num_made += 1
            yield step(run_id, number, number)
        if self.run_error is not None:
            raise self.run_error
        yield GenerationFinished(run_id, 2 * self.num_steps, FinishReason.GOAL)


class Table:
    """A worker on a backend, and its events in a queue."""

    def __init__(self, backend: Backend, queue_size: int = 0) -> None:
        self.backend = backend
        self.events: queue.Queue[Event] = queue.Queue(queue_size)
        self.at_finish: list[Command] = []  # sent while the end of a run is being published
        self.worker = EngineWorker(backend, self._publish)
        self.worker.start()

    def _publish(self, event: Event) -> None:
        if isinstance(event, GenerationFinished):
            for command in self.at_finish:
                self.worker.send(command)
        self.events.put(event)

    def next(self) -> Event:
        return self.events.get(timeout=PATIENCE_S)

    def until_end(self) -> list[Event]:
        """Return the events of a run up to the one that ends it."""
        events = [self.next()]
        while not isinstance(events[-1], GenerationFinished | GenerationPaused | GenerationFailed):
            events.append(self.next())
        return events

    def assert_works(self) -> None:
        """Check that the thread still takes commands."""
        self.backend.load_error = None
        self.worker.send(LoadModel(CONFIG))
        assert self.next() == LOADED


Lay = Callable[..., Table]


@pytest.fixture
def lay() -> Iterator[Lay]:
    """Lay a table; its thread ends with the test."""
    tables: list[Table] = []

    def make(queue_size: int = 0, **details: object) -> Table:
        tables.append(Table(Backend(**details), queue_size))  # type: ignore[arg-type]
        return tables[-1]

    yield make
    for table in tables:
        if table.backend.gate is not None:
            table.backend.gate.release(1000)
        table.events.maxsize = 0
        while not table.events.empty():
            table.events.get()
        assert table.worker.close(PATIENCE_S)


START = StartGeneration(1, "text", SAMPLING, GOAL)


# ---------------------------------------------------------------- one command after another
def test_a_worker_without_commands_says_nothing_and_closes(lay: Lay) -> None:
    table = lay()
    assert table.worker.close(PATIENCE_S)
    assert table.events.empty()


def test_models_are_loaded_and_unloaded_on_the_engines_thread(lay: Lay) -> None:
    table = lay()
    table.worker.send(LoadModel(CONFIG))
    table.worker.send(UnloadModel())
    assert [table.next(), table.next()] == [LOADED, ModelUnloaded()]
    assert table.backend.threads == {"engine"}


def test_a_run_publishes_every_event_in_order(lay: Lay) -> None:
    table = lay()
    table.worker.send(START)
    assert table.until_end() == [
        GenerationStarted(1, (1,), 0),
        step(1, 0, 0),
        step(1, 1, 1),
        step(1, 2, 2),
        GenerationFinished(1, 6, FinishReason.GOAL),
    ]
    assert table.backend.threads == {"engine"}


def test_runs_that_are_sent_one_after_another_go_one_after_another(lay: Lay) -> None:
    table = lay()
    table.worker.send(START)
    assert isinstance(table.until_end()[-1], GenerationFinished)
    table.worker.send(StartGeneration(2, "text", SAMPLING, GOAL))
    assert {event.run_id for event in table.until_end() if isinstance(event, StepCompleted)} == {2}


# ---------------------------------------------------------------- pauses
def test_a_pause_that_waits_already_stops_a_run_before_its_first_step(lay: Lay) -> None:
    table = lay(gate=threading.Semaphore(0), num_steps=9)
    table.worker.send(START)
    assert table.backend.asked.acquire(timeout=PATIENCE_S)  # the run is going on
    table.worker.send(PauseGeneration(1))
    table.worker.send(StartGeneration(2, "text", SAMPLING, GOAL))
    table.worker.send(PauseGeneration(2))
    assert table.backend.gate is not None
    table.backend.gate.release()
    assert table.until_end() == [GenerationStarted(1, (1,), 0), step(1, 0, 0), GenerationPaused(1, 2)]
    assert table.until_end() == [GenerationStarted(2, (1,), 0), GenerationPaused(2, 0)]


@pytest.mark.parametrize("num_before", [1, 4])
def test_a_pause_stops_at_the_next_step_and_counts_all_tokens_of_the_run(lay: Lay, num_before: int) -> None:
    table = lay(gate=threading.Semaphore(0), num_steps=9)
    table.worker.send(ResumeGeneration(1, (1,), (7, 8, 9), SAMPLING, GOAL))
    assert table.backend.gate is not None
    for _ in range(num_before):
        assert table.backend.asked.acquire(timeout=PATIENCE_S)
        table.backend.gate.release()
    assert table.backend.asked.acquire(timeout=PATIENCE_S)
    table.worker.send(PauseGeneration(1))
    table.backend.gate.release()
    events = table.until_end()
    assert len(events) == 1 + (num_before + 1) + 1
    assert events[-1] == GenerationPaused(1, 3 + 2 * (num_before + 1))


def test_a_pause_of_another_run_or_of_none_is_ignored(lay: Lay) -> None:
    table = lay(gate=threading.Semaphore(0))
    table.worker.send(PauseGeneration(1))
    table.worker.send(START)
    assert table.backend.asked.acquire(timeout=PATIENCE_S)
    table.worker.send(PauseGeneration(99))
    assert table.backend.gate is not None
    table.backend.gate.release(3)
    assert isinstance(table.until_end()[-1], GenerationFinished)
    table.worker.send(PauseGeneration(1))
    table.assert_works()


def test_a_pause_that_comes_as_the_run_finishes_is_too_late(lay: Lay) -> None:
    table = lay()
    table.at_finish = [PauseGeneration(1), LoadModel(CONFIG)]
    table.worker.send(START)
    assert isinstance(table.until_end()[-1], GenerationFinished)
    assert table.next() == LOADED


# ---------------------------------------------------------------- faults
@pytest.mark.parametrize(
    ("error", "is_bug"),
    [(EnvironmentProblem("There is no model."), False), (KeyError("x"), True), (Panic("x"), True)],
    ids=["problem", "bug", "panic"],
)
def test_a_model_that_does_not_load_is_reported_and_the_next_one_loads(
    lay: Lay, error: BaseException, is_bug: bool
) -> None:
    table = lay(load_error=error)
    table.worker.send(LoadModel(CONFIG))
    failed = table.next()
    assert failed == ModelLoadFailed(repr(error) if is_bug else "There is no model.", is_bug)
    table.assert_works()


@pytest.mark.parametrize(
    ("error", "is_bug"),
    [(EnvironmentProblem("The disk is full."), False), (KeyError("x"), True), (Panic("x"), True)],
    ids=["problem", "bug", "panic"],
)
@pytest.mark.parametrize("when", ["call_error", "run_error"])
def test_a_run_that_fails_is_reported_after_all_that_it_wrote(
    lay: Lay, error: BaseException, is_bug: bool, when: str
) -> None:
    """Also when the run fails as it is called, before it makes its first event."""
    table = lay(**{when: error})
    table.worker.send(START)
    events = table.until_end()
    assert len(events) == (1 if when == "call_error" else 5)
    assert events[-1] == GenerationFailed(1, repr(error) if is_bug else "The disk is full.", is_bug)
    table.assert_works()


def test_a_model_that_does_not_unload_is_reported(lay: Lay) -> None:
    table = lay(unload_error=RuntimeError("stuck"))
    table.worker.send(UnloadModel())
    failed = table.next()
    assert isinstance(failed, ModelLoadFailed)
    assert failed.is_bug
    table.assert_works()


@pytest.mark.parametrize(
    "command", [LoadModel(CONFIG), UnloadModel(), StartGeneration(2, "t", SAMPLING, GOAL)]
)
def test_another_command_in_the_middle_of_a_run_is_a_bug_of_the_app(
    lay: Lay, command: LoadModel | UnloadModel | StartGeneration
) -> None:
    table = lay(gate=threading.Semaphore(0))
    table.worker.send(START)
    assert table.backend.asked.acquire(timeout=PATIENCE_S)
    table.worker.send(command)
    assert table.backend.gate is not None
    table.backend.gate.release()
    failed = table.until_end()[-1]
    assert isinstance(failed, GenerationFailed)
    assert failed.is_bug
    assert type(command).__name__ in failed.message
    table.assert_works()


# ---------------------------------------------------------------- closing and waiting
def test_closing_in_the_middle_of_a_run_pauses_it(lay: Lay) -> None:
    table = lay(gate=threading.Semaphore(0), num_steps=9)
    table.worker.send(START)
    assert table.backend.asked.acquire(timeout=PATIENCE_S)
    assert not table.worker.close(0)  # it is in the middle of a step
    assert table.backend.gate is not None
    table.backend.gate.release()
    assert table.worker.close(PATIENCE_S)
    assert table.until_end()[-1] == GenerationPaused(1, 2)
    assert table.events.empty()


def test_what_was_sent_before_closing_is_done(lay: Lay) -> None:
    table = lay()
    table.worker.send(LoadModel(CONFIG))
    assert table.worker.close(PATIENCE_S)
    assert table.next() == LOADED


def test_a_slow_reader_slows_the_engine_down_and_misses_nothing(lay: Lay) -> None:
    table = lay(queue_size=1, num_steps=30)
    table.worker.send(START)
    steps = []
    event = table.next()
    while not isinstance(event, GenerationFinished):
        if isinstance(event, StepCompleted):
            steps.append(event)
            # one waits in the queue, one waits to be put there
            assert table.backend.num_made <= len(steps) + 2
        event = table.next()
    assert [made.token_ids[0] for made in steps] == list(range(30))


# ---------------------------------------------------------------- keeping what was read
class Keeper(Backend):
    """A backend that keeps caches, or fails to."""

    def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        if command.path == "bad":
            raise RuntimeError("a fault")
        return CacheKept(command.run_id, command.path, 7)


def test_a_cache_is_kept_between_runs_and_not_during_one() -> None:
    gate = threading.Semaphore(0)
    table = Table(Keeper(gate=gate))
    table.worker.send(StartGeneration(1, "Once", SAMPLING, GOAL))
    assert isinstance(table.next(), GenerationStarted)
    assert table.backend.asked.acquire(timeout=PATIENCE_S)
    table.worker.send(KeepCache(1, "a"))
    table.worker.send(PauseGeneration(1))
    table.worker.send(KeepCache(1, "b"))
    gate.release(3)
    events = table.until_end()
    (refused,) = [event for event in events if isinstance(event, CacheNotKept)]
    assert "pause it first" in refused.message
    assert isinstance(events[-1], GenerationPaused)
    assert table.next() == CacheKept(1, "b", 7)
    table.worker.send(KeepCache(1, "bad"))
    failed = table.next()
    assert isinstance(failed, CacheNotKept)
    assert "a fault" in failed.message
    table.assert_works()
    assert table.worker.close(PATIENCE_S)


def test_a_backend_that_keeps_no_caches_says_so(lay: Lay) -> None:
    table = lay()
    table.worker.send(KeepCache(1, "a"))
    assert isinstance(table.next(), CacheNotKept)
    table.assert_works()


# ---------------------------------------------------------------- questions
@dataclass
class Answering(Backend):
    """A backend that answers: texts at once, the odds of one in pieces, each when it is let through."""

    pieces: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    working: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    error: BaseException | None = None

    def answer(self, question: Asked) -> Iterator[Found]:
        if self.error is not None:
            raise self.error
        if isinstance(question, CountTokens):
            yield TokensCounted(question.question_id, tuple(len(text) for text in question.texts))
            return
        for number in range(4):
            self.working.release()
            assert self.pieces.acquire(timeout=PATIENCE_S)
            yield QuestionProgressed(question.question_id, number / 4)
        yield TextScored(question.question_id, (), 0)


SCORE = ScoreText("a", "b", question_id=7)
COUNT = CountTokens(("abc", ""), question_id=8)


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


def test_a_question_is_answered_after_its_progress(answering: Table) -> None:
    backend_of(answering).pieces.release(4)
    answering.worker.send(SCORE)
    answering.worker.send(DropQuestion(99))
    answering.worker.send(COUNT)
    events = [answering.next() for _ in range(6)]
    assert [event for event in events if not isinstance(event, TokensCounted)] == [
        *(QuestionProgressed(7, number / 4) for number in range(4)),
        TextScored(7, (), 0),
    ]
    assert TokensCounted(8, (3, 0)) in events
    answering.worker.send(DropQuestion(7))
    answering.assert_works()


@pytest.mark.parametrize("how", ["dropped", "another command", "closing"])
def test_a_question_is_given_up_between_two_pieces(answering: Table, how: str) -> None:
    backend = backend_of(answering)
    answering.worker.send(SCORE)
    assert backend.working.acquire(timeout=PATIENCE_S)
    answering.worker.send(PauseGeneration(1))  # nothing runs: it changes nothing
    answering.worker.send(COUNT)
    if how == "dropped":
        answering.worker.send(DropQuestion(7))
    elif how == "another command":
        answering.worker.send(START)
        answering.worker.send(PauseGeneration(1))
        assert backend.gate is not None
        backend.gate.release()
    else:
        assert not answering.worker.close(0)
    backend.pieces.release()
    assert [answering.next() for _ in range(3)] == [
        QuestionProgressed(7, 0),
        TokensCounted(8, (3, 0)),
        QuestionDropped(7),
    ]
    if how == "another command":
        assert answering.until_end()[-1] == GenerationPaused(1, 0)
    if how == "closing":
        assert answering.worker.close(PATIENCE_S)
    else:
        answering.assert_works()


def test_while_a_run_goes_on_only_what_takes_no_time_is_answered(answering: Table) -> None:
    backend = backend_of(answering)
    answering.worker.send(START)
    assert backend.asked.acquire(timeout=PATIENCE_S)
    for command in (COUNT, SCORE, DropQuestion(7), MeasureMemory(9)):
        answering.worker.send(command)
    assert backend.gate is not None
    backend.pieces.release(4)
    backend.gate.release(3)
    events = answering.until_end()
    assert isinstance(events[-1], GenerationFinished)
    assert events.count(TokensCounted(8, (3, 0))) == 1
    (refused,) = [event for event in events if isinstance(event, QuestionFailed)]
    assert (refused.question_id, refused.is_bug) == (7, False)
    assert "Pause it first" in refused.message


@pytest.mark.parametrize(
    ("error", "is_bug", "told"),
    [
        (EnvironmentProblem("Select less."), False, "Select less."),
        (MemoryError(), False, "not enough memory"),
        (KeyError("x"), True, "KeyError"),
        (Panic("x"), True, "Panic"),
    ],
    ids=["problem", "memory", "bug", "panic"],
)
def test_a_question_that_fails_is_reported(
    answering: Table, error: BaseException, is_bug: bool, told: str
) -> None:
    backend_of(answering).error = error
    answering.worker.send(SCORE)
    failed = answering.next()
    assert isinstance(failed, QuestionFailed)
    assert (failed.question_id, failed.is_bug) == (7, is_bug)
    assert told in failed.message
    answering.assert_works()


def test_a_backend_that_answers_nothing_says_so(lay: Lay) -> None:
    table = lay()
    table.worker.send(COUNT)
    failed = table.next()
    assert isinstance(failed, QuestionFailed)
    assert not failed.is_bug
    table.assert_works()


def test_a_run_that_pauses_by_itself_is_over(lay: Lay) -> None:
    class Timed(Backend):
        def run(self, command: Begin) -> Iterator[RunEvent]:
            yield step(command.run_id, 1)
            yield GenerationPaused(command.run_id, 1, PauseReason.TIME)

    table = Table(Timed())
    table.worker.send(START)
    assert table.until_end() == [step(1, 1), GenerationPaused(1, 1, PauseReason.TIME)]
    table.assert_works()
    assert table.worker.close(PATIENCE_S)

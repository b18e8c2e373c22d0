"""A worker on a made-up backend, its events in a queue."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import (
    Command,
    Event,
    FinishReason,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    LoadModel,
    ModelLoaded,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.runtime.engine_thread import EngineWorker, RunEvent, StartCommand

PATIENCE_S = 100
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

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
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


@contextmanager
def tables() -> Iterator[Lay]:
    """Lay tables; their threads end with the test."""
    laid: list[Table] = []

    def make(queue_size: int = 0, **details: object) -> Table:
        laid.append(Table(Backend(**details), queue_size))  # type: ignore[arg-type]
        return laid[-1]

    yield make
    for table in laid:
        if table.backend.gate is not None:
            table.backend.gate.release(1000)
        table.events.maxsize = 0
        while not table.events.empty():
            table.events.get()
        assert table.worker.close(PATIENCE_S)


START = StartGeneration(1, "text", SAMPLING, GOAL)

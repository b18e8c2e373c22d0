"""A load tells how far it is and stops when it is asked to or no longer wanted; commands keep their order."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quire_engine.api.config import ModelConfig
from quire_engine.api.load_progress import LoadReport, LoadStage, LoadStopped, unreported
from quire_engine.api.messages import (
    CancelLoad,
    Command,
    GenerationPaused,
    GenerationStarted,
    LoadModel,
    LoadProgressed,
    ModelLoaded,
    ModelLoadFailed,
    ModelUnloaded,
    PauseGeneration,
    StartGeneration,
    UnloadModel,
)
from quire_engine.engine import Engine, load_model
from tests.engine.worker_table import CONFIG, GOAL, LOADED, PATIENCE_S, SAMPLING, Backend, Table

HALF, WHOLE = LoadProgressed(LoadStage.WEIGHTS, 0.5), LoadProgressed(LoadStage.WEIGHTS, 1.0)
CHECKING = LoadProgressed(LoadStage.CHECKING, 0.0)


@dataclass
class Slow(Backend):
    """A backend whose load reports, and waits in the middle until it is let through."""

    middle: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    arrived: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    report: LoadReport = unreported

    def follow_loads(self, report: LoadReport) -> None:
        self.report = report

    def load(self, config: ModelConfig) -> ModelLoaded:
        self.report(LoadStage.WEIGHTS, 0.5)
        self.report(LoadStage.WEIGHTS, 0.501)  # too little to be worth an event
        self.arrived.release()
        assert self.middle.acquire(timeout=PATIENCE_S)
        self.report(LoadStage.WEIGHTS, 1.0)
        self.report(LoadStage.CHECKING, 0.0)
        return super().load(config)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(Slow())
    yield table
    assert table.worker.close(PATIENCE_S)


def send_in_the_middle(table: Table, *commands: Command) -> None:
    """Start a load, send commands while it is in its middle, and let it go on."""
    assert isinstance(table.backend, Slow)
    table.worker.send(LoadModel(CONFIG))
    assert table.next() == HALF
    assert table.backend.arrived.acquire(timeout=PATIENCE_S)
    for command in commands:
        table.worker.send(command)
    table.backend.middle.release()


def test_a_load_tells_how_far_it_is(table: Table) -> None:
    send_in_the_middle(table)
    assert [table.next() for _ in range(3)] == [WHOLE, CHECKING, LOADED]


def test_a_load_is_cancelled_and_the_next_one_is_not(table: Table) -> None:
    send_in_the_middle(table, CancelLoad())
    failed = table.next()
    assert isinstance(failed, ModelLoadFailed)
    assert failed.was_cancelled
    assert not failed.is_bug
    send_in_the_middle(table)
    assert [table.next() for _ in range(3)] == [WHOLE, CHECKING, LOADED]


def test_a_cancel_that_comes_too_late_does_nothing(table: Table) -> None:
    table.worker.send(CancelLoad())
    send_in_the_middle(table)
    assert [table.next() for _ in range(3)] == [WHOLE, CHECKING, LOADED]


@pytest.mark.parametrize("other", [LoadModel(ModelConfig("another")), UnloadModel()], ids=str)
def test_a_load_that_is_no_longer_wanted_stops(table: Table, other: Command) -> None:
    send_in_the_middle(table, other)
    failed = table.next()
    assert isinstance(failed, ModelLoadFailed)
    assert failed.was_cancelled
    if isinstance(other, UnloadModel):
        assert table.next() == ModelUnloaded()
    else:
        assert isinstance(table.backend, Slow)
        table.backend.middle.release()
        assert [table.next() for _ in range(4)] == [HALF, WHOLE, CHECKING, LOADED]


def test_the_same_load_again_stops_nothing(table: Table) -> None:
    send_in_the_middle(table, LoadModel(CONFIG))
    assert [table.next() for _ in range(3)] == [WHOLE, CHECKING, LOADED]
    assert isinstance(table.backend, Slow)
    table.backend.middle.release()
    assert [table.next() for _ in range(4)] == [HALF, WHOLE, CHECKING, LOADED]


def test_closing_does_not_wait_for_a_load() -> None:
    table = Table(Slow())
    send_in_the_middle(table)
    assert table.next() == WHOLE
    table.worker.send(LoadModel(CONFIG))
    assert isinstance(table.backend, Slow)
    assert table.backend.arrived.acquire(timeout=PATIENCE_S)
    assert not table.worker.close(0)
    table.backend.middle.release()
    assert table.worker.close(PATIENCE_S)


def test_a_run_and_its_pause_that_were_sent_during_a_load_keep_their_order(table: Table) -> None:
    send_in_the_middle(table, StartGeneration(1, "t", SAMPLING, GOAL), PauseGeneration(1))
    assert [table.next() for _ in range(3)] == [WHOLE, CHECKING, LOADED]
    assert table.next() == GenerationStarted(1, (1,), 0)
    assert table.next() == GenerationPaused(1, 0)


@pytest.mark.parametrize("stage", [LoadStage.WEIGHTS, LoadStage.CHECKING])
def test_the_engine_stops_at_either_stage_and_loads_afterwards(llama: Path, stage: LoadStage) -> None:
    def stop(now: LoadStage, _share: float) -> None:
        if now is stage:
            raise LoadStopped("Stopped.")

    engine = Engine()
    engine.follow_loads(stop)
    config = ModelConfig(str(llama), "bfloat16", 8, 1)
    with pytest.raises(LoadStopped):
        engine.load(config)
    engine.follow_loads(unreported)
    assert engine.load(config).reproducible


def test_every_weight_that_is_read_is_reported(llama: Path) -> None:
    told: list[tuple[LoadStage, float]] = []
    load_model(ModelConfig(str(llama), "float32", 8, 1), lambda stage, share: told.append((stage, share)))
    weights = [share for stage, share in told if stage is LoadStage.WEIGHTS]
    assert weights == sorted(weights)
    assert len(weights) > 10
    assert weights[0] == 0
    assert weights[-1] > 0.9
    assert [stage for stage, _ in told].index(LoadStage.CHECKING) == len(weights)

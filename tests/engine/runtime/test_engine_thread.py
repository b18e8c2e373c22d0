"""The engine's thread: one command at a time, every end reported, nothing that ends it silently."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    FinishReason,
    GenerationFailed,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    KeepCache,
    LoadModel,
    ModelLoadFailed,
    ModelUnloaded,
    PauseGeneration,
    PauseReason,
    ResumeGeneration,
    StartGeneration,
    StepCompleted,
    UnloadModel,
)
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from tests.engine.worker_table import (
    CONFIG,
    GOAL,
    LOADED,
    PATIENCE_S,
    SAMPLING,
    START,
    Backend,
    Lay,
    Panic,
    Table,
    step,
    tables,
)


@pytest.fixture
def lay() -> Iterator[Lay]:
    with tables() as lay:
        yield lay


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
    assert table.backend.asked.acquire(timeout=PATIENCE_S)  # the run is in progress
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


def test_a_run_that_pauses_by_itself_is_over(lay: Lay) -> None:
    class Timed(Backend):
        def run(self, command: StartCommand) -> Iterator[RunEvent]:
            yield step(command.run_id, 1)
            yield GenerationPaused(command.run_id, 1, PauseReason.TIME)

    table = Table(Timed())
    table.worker.send(START)
    assert table.until_end() == [step(1, 1), GenerationPaused(1, 1, PauseReason.TIME)]
    table.assert_works()
    assert table.worker.close(PATIENCE_S)


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
    assert "A draft is running" in refused.message
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

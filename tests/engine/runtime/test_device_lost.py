"""A GPU that stops, and a model whose files go away: the run pauses, and the engine says what to do."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem, OutOfMemory, is_device_lost, is_out_of_memory
from quire_engine.api.messages import (
    CacheNotKept,
    Event,
    GenerationFinished,
    GenerationPaused,
    KeepCache,
    LoadModel,
    ModelLoaded,
    ModelLoadFailed,
    ModelUnloaded,
    PauseReason,
    StartGeneration,
    StepCompleted,
    UnloadModel,
)
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.queries import CountTokens, MeasureMemory, QueryFailed
from quire_engine.models import loading
from quire_engine.runtime.engine_thread import EngineWorker, RunEvent
from tests.engine import tiny

PATIENCE_S = 100
LOST: list[Exception] = [
    torch.AcceleratorError("CUDA error: unspecified launch failure"),
    RuntimeError("CUDA error: device lost"),
    RuntimeError("CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be ..."),
    RuntimeError("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx(...)`"),
]
FULL: list[Exception] = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    torch.AcceleratorError("CUDA error: out of memory"),
    RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
    MemoryError(),
    OutOfMemory("Too little."),
]
NEITHER: list[Exception] = [
    RuntimeError("The size of tensor a (3) must match the size of tensor b (4)"),
    OSError("CUDA error: device lost"),
    EnvironmentProblem("There is no model."),
]
START = StartGeneration(7, "x", SamplingConfig(), Goal(tokens=9))
IDENTITY = ModelIdentity("m", "f", "float32", 8, "test")


@pytest.mark.parametrize("error", [*LOST, *FULL, *NEITHER], ids=lambda error: f"{error!r:.60}")
def test_what_a_library_says_is_understood(error: Exception) -> None:
    assert is_device_lost(error) == (error in LOST)
    assert is_out_of_memory(error) == (error in FULL)


class Backend:
    """A backend that can be told to fail in each of its works."""

    def __init__(self) -> None:
        self.errors: dict[str, Exception] = {}
        self.calls: list[str] = []

    def _do(self, what: str) -> None:
        self.calls.append(what)
        if what in self.errors:
            raise self.errors[what]

    def load(self, config: ModelConfig) -> ModelLoaded:
        self._do("load")
        return ModelLoaded(IDENTITY, 512, 1, True, 0.0)

    def unload(self) -> None:
        self._do("unload")

    def keep_cache(self, command: KeepCache) -> CacheNotKept:
        self._do("keep")
        return CacheNotKept(command.run_id, "Nothing.")

    def answer(self, query: Any) -> Iterator[Any]:
        self._do("answer")
        raise EnvironmentProblem("No answer.")
        yield

    def run(self, command: Any) -> Iterator[RunEvent]:
        yield StepCompleted(command.run_id, (4, 5), "x", 0, 0, 0, 1.0, 1.0)
        self._do("run")
        yield GenerationFinished(command.run_id, 2, reason=None)  # type: ignore[arg-type]


class Table:
    """A worker, and what it says."""

    def __init__(self) -> None:
        self.backend = Backend()
        self.events: queue.Queue[Event] = queue.Queue()
        self.worker = EngineWorker(self.backend, self.events.put)
        self.worker.start()

    def asked(self, command: Any) -> Event:
        self.worker.send(command)
        return self.events.get(timeout=PATIENCE_S)

    def ran(self) -> Event:
        """Begin a run, and return how it ended."""
        event = self.asked(START)
        return self.events.get(timeout=PATIENCE_S) if isinstance(event, StepCompleted) else event


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    assert made.worker.close(PATIENCE_S)


@pytest.mark.parametrize("error", LOST, ids=lambda error: f"{error!r:.60}")
def test_a_gpu_that_stops_pauses_the_run_and_nothing_else_is_asked_of_it(
    table: Table, error: Exception
) -> None:
    assert isinstance(table.asked(LoadModel(ModelConfig("m"))), ModelLoaded)
    table.backend.errors = {"run": error, "unload": error}
    paused = table.ran()
    assert isinstance(paused, GenerationPaused)
    assert (paused.num_tokens, paused.reason) == (2, PauseReason.DEVICE_LOST)
    assert "Restart Quire" in paused.message
    table.backend.calls.clear()
    failed = table.asked(LoadModel(ModelConfig("m")))
    assert failed == ModelLoadFailed(paused.message, is_bug=False, needs_restart=True)
    again = table.ran()
    assert isinstance(again, GenerationPaused)
    assert (again.num_tokens, again.reason) == (0, PauseReason.DEVICE_LOST)
    for query in (CountTokens(("a",), 3), MeasureMemory(4)):
        refused = table.asked(query)
        assert refused == QueryFailed(query.query_id, paused.message, is_bug=False)
    assert table.asked(KeepCache(7, "x")) == CacheNotKept(7, paused.message)
    assert table.backend.calls == []
    assert table.asked(UnloadModel()) == ModelUnloaded()
    table.backend.errors = {}
    assert isinstance(table.asked(LoadModel(ModelConfig("m", device="cpu"))), ModelLoaded)


@pytest.mark.parametrize("what", ["load", "answer", "keep", "unload"])
def test_a_gpu_that_stops_outside_of_a_run_is_reported_as_well(table: Table, what: str) -> None:
    table.backend.errors = {what: LOST[0]}
    asked: dict[str, Any] = {
        "load": LoadModel(ModelConfig("m")),
        "answer": CountTokens(("a",), 3),
        "keep": KeepCache(7, "x"),
        "unload": UnloadModel(),
    }
    event = table.asked(asked[what])
    assert isinstance(event, ModelUnloaded) or "Restart Quire" in event.message  # type: ignore[union-attr]
    table.backend.errors = {}
    failed = table.asked(LoadModel(ModelConfig("m")))
    assert isinstance(failed, ModelLoadFailed)
    assert failed.needs_restart


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file or directory"), OSError(5, "Input/output error")]
)
def test_a_model_whose_files_go_away_can_be_loaded_again(table: Table, error: OSError) -> None:
    table.backend.errors = {"run": error}
    paused = table.ran()
    assert isinstance(paused, GenerationPaused)
    assert (paused.num_tokens, paused.reason) == (2, PauseReason.MODEL_GONE)
    assert "load the model again" in paused.message
    assert table.backend.calls == ["run", "unload"]  # or the load that follows would do nothing
    table.backend.errors = {}
    assert isinstance(table.asked(LoadModel(ModelConfig("m"))), ModelLoaded)
    assert isinstance(table.ran(), GenerationFinished)


def test_a_gpu_that_stops_while_a_model_loads_is_not_the_models_fault(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from quire_engine.engine import load_model

    folder = tiny.save("llama", tmp_path / "model")
    for name in ("build_model", "software_versions"):
        with monkeypatch.context() as patched:

            def fail(*_: object, **__: object) -> None:
                raise LOST[0]

            patched.setattr(loading, name, fail)
            with pytest.raises(torch.AcceleratorError):
                load_model(ModelConfig(str(folder), "float32", 8, 1))

"""Memory that runs out in the middle of a run: the run pauses, its text stays, the memory is given back."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import torch

from quire_engine.api.config import PLAIN, DraftingConfig
from quire_engine.api.errors import OutOfMemory
from quire_engine.api.messages import (
    Event,
    GenerationPaused,
    KeepCache,
    PauseGeneration,
    PauseReason,
    StepCompleted,
    cache_slots,
)
from quire_engine.cache.kv_store import KVStore
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.runtime.engine_thread import EngineWorker, RunEvent
from tests.engine import worded
from tests.engine.desk import FAST, Desk, Models, passes_of, resume, start
from tests.engine.worded import words

PATIENCE_S = 100
ERRORS = [
    MemoryError(),
    torch.OutOfMemoryError("CUDA out of memory."),
    RuntimeError("DefaultCPUAllocator: can't allocate memory"),
]


@pytest.fixture(scope="module")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """Models that hold long texts."""
    return Models(worded.save("llama", tmp_path_factory.mktemp("worded") / "model"))


def fail_after(monkeypatch: pytest.MonkeyPatch, name: str, num_passes: int, error: Exception) -> None:
    """Let so many passes through, and then one run out of memory."""
    usual = getattr(PassRunner, name)
    left = [num_passes]

    def run(runner: PassRunner, *arguments: Any) -> Any:
        left[0] -= 1
        if left[0] == -1:
            raise error
        return usual(runner, *arguments)

    monkeypatch.setattr(PassRunner, name, run)


@pytest.mark.sliced
@pytest.mark.parametrize("error", ERRORS, ids=["python", "cuda", "cpu"])
@pytest.mark.parametrize("drafting", [PLAIN, FAST], ids=["plain", "fast"])
def test_a_run_pauses_and_continues_the_same_text(
    models: Models, drafting: DraftingConfig, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = Desk(models.fresh("bfloat16")).run(start(words(700)), 40)
    desk = Desk(models.fresh("bfloat16"))
    fail_after(monkeypatch, "decode", 9, error)
    with pytest.raises(OutOfMemory, match="isn't enough memory") as caught:
        desk.run(start(words(700), drafting))
    assert "paused" in str(caught.value)
    assert ("partial cache" in str(caught.value)) == (drafting.drafters == () and drafting is not PLAIN)
    written = tuple(t for event in desk.events if isinstance(event, StepCompleted) for t in event.token_ids)
    assert written == wanted[: len(written)] != ()
    assert desk.loaded.target.length == 0
    rest = desk.run(resume(words(700), written, drafting=drafting), 20)
    assert desk.started.num_reused == 0
    assert (written + rest)[:40] == wanted[: len(written + rest)]


def test_memory_that_runs_out_while_a_text_is_read_is_given_back(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = models.fresh("float32")
    desk = Desk(loaded)
    desk.run(start(words(1500)), 1)
    desk.runs.keep_cache(KeepCache(1, "unused/never"))
    num_bytes = loaded.target.store.num_bytes
    passes_of(loaded).store.reserve(20_000)
    assert loaded.target.store.num_bytes > 4 * num_bytes
    fail_after(monkeypatch, "prefill", 2, MemoryError())
    with pytest.raises(OutOfMemory):
        desk.run(start(words(1501, seed=5)), 1)
    assert loaded.target.store.num_bytes == num_bytes
    assert loaded.target.store.bytes_per_position > 0


def test_advice_names_the_partial_cache_where_there_is_one(
    models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(models.fresh("float32"))
    fail_after(monkeypatch, "decode", 1, MemoryError())
    auto = DraftingConfig("tokenswift")
    with pytest.raises(OutOfMemory, match="smaller partial cache"):
        desk.run(start(words(50), auto))


class Backend:
    """A backend whose runs run out of memory."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def load(self, config: Any) -> Any:
        raise AssertionError(config)

    def unload(self) -> None:
        """Nothing is held."""

    def run(self, command: Any) -> Iterator[RunEvent]:
        yield StepCompleted(command.run_id, (4, 5), "x", 0, 0, 0, 1.0, 1.0)
        raise self._error


@pytest.mark.parametrize("error", [OutOfMemory("Too little."), *ERRORS], ids=str)
def test_the_app_hears_of_a_pause_and_why(error: Exception) -> None:
    events: queue.Queue[Event] = queue.Queue()
    worker = EngineWorker(Backend(error), events.put)
    worker.start()
    worker.send(replace(resume((1,), (7, 8, 9)), run_id=3))
    assert isinstance(events.get(timeout=PATIENCE_S), StepCompleted)
    paused = events.get(timeout=PATIENCE_S)
    assert isinstance(paused, GenerationPaused)
    assert (paused.run_id, paused.num_tokens, paused.reason) == (3, 5, PauseReason.OUT_OF_MEMORY)
    assert paused.message == "Too little." or "memory" in paused.message
    worker.send(PauseGeneration(3))
    assert worker.close(PATIENCE_S)


# ---------------------------------------------------------------- what it takes
def test_a_released_store_is_small_and_can_be_filled_again() -> None:
    with torch.inference_mode():
        store = KVStore(2, 8)
        for count in (8, 30):
            store.reserve(store.length + count)
            for layer in range(2):
                store.write(layer, torch.ones(1, count, 3), torch.ones(1, count, 3))
            store.commit(range(count))
        grown = store.num_bytes
        copy = KVStore(2, 8)
        copy.copy_from(store, 20)
        assert copy.length == 20
        assert all(torch.equal(a, b[:, :20]) for a, b in zip(copy.snapshot(), store.snapshot(), strict=True))
        store.release()
        assert (store.length, store.capacity) == (0, 8)
        assert store.num_bytes == 2 * 2 * 8 * 3 * 4 < grown
        assert store.bytes_per_position == 2 * 2 * 3 * 4


def test_a_model_says_what_a_run_would_need(models: Models) -> None:
    described = models.fresh("float32").description
    assert described.weight_bytes == 4 * described.num_parameters
    assert 0 < described.workspace_bytes < 50 << 20
    assert not described.is_on_gpu
    fixed = described.weight_bytes + described.workspace_bytes
    assert described.memory_bytes(100) == fixed + 2048 * described.cache_bytes_per_token
    assert [cache_slots(n, 131_072) for n in (1, 4096, 4097, 100_000, 10**6)] == [
        *(4096, 4096, 8192, 131_072, 131_072)
    ]

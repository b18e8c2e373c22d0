"""Threads that share a pass change no bit, whoever is late, and teams don't know each other."""

from __future__ import annotations

import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
import torch

from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.integer.pass_team import PassTeam
from tests.engine.decoding.test_token_stream import same_bits
from tests.engine.integer.test_integer_runner import weights_of
from tests.engine.tiny import CONTEXT, prompt_ids


def _read(runner: IntegerRunner, seed: int) -> torch.Tensor:
    """Read and decode by many small passes of one to all threads; return the last scores."""
    random, ids = Random(seed), prompt_ids(400)
    runner.prefill(ids[:200])
    while runner.length < 399:
        runner.share_passes(random.randint(1, runner.threads))
        count = min(random.choice([1, 2, 5, 13]), 399 - runner.length)
        runner.decode(ids[runner.length : runner.length + count], range(-1, count - 1))
        runner.commit(range(count))
    return runner.decode(ids[399:], [-1])


def _runner(threads: int, family: str = "llama") -> IntegerRunner:
    return IntegerRunner(weights_of(family), 13, CONTEXT, threads)


@pytest.mark.parametrize("threads", [2, 3, 5])
@pytest.mark.parametrize("family", ["llama", "mistral sliding", "qwen2_moe"])
def test_any_number_of_threads_leaves_the_same_bits(threads: int, family: str) -> None:
    alone, shared = _runner(1, family), _runner(threads, family)
    wanted, found = _read(alone, 1), _read(shared, 2)
    assert torch.equal(wanted, found)
    assert same_bits(alone.store.snapshot(), shared.store.snapshot())


def test_several_models_run_beside_each_other() -> None:
    wanted = _read(_runner(1), 1)
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda seed: _read(_runner(3), seed), range(3)))
    assert all(torch.equal(each, wanted) for each in found)


def test_threads_end_with_their_team() -> None:
    before = set(threading.enumerate())
    runner = _runner(3)
    _read(runner, 1)
    started = set(threading.enumerate()) - before
    assert started
    del runner
    gc.collect()
    for each in started:
        each.join(timeout=100)
        assert not each.is_alive()


def test_a_pass_takes_no_more_threads_than_there_are() -> None:
    with pytest.raises(ValueError, match="threads"):
        _runner(2).share_passes(3)
    with pytest.raises(ValueError, match="threads"):
        PassTeam(0)

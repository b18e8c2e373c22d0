"""What a pass costs on this machine, measured when a model is loaded (engine design, section 4)."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from quire_engine.catalog.processor import pass_clock
from quire_engine.forward.self_test import probe_ids
from quire_engine.models.attention import BLOCK
from quire_engine.models.target_model import Runner

_SHORT = BLOCK  # whole blocks, so that a tree of any size fits behind them
LONG_CONTEXT = 16 * BLOCK
"""Tokens of the longer context in which passes are timed."""
_REPEATS, _LEAST_REPEATS = 5, 3
_ENOUGH_S = 0.2  # for repeating; slow passes are disturbed less
_READING_S = 0.5  # for reading the long context; a slower model gets one that is nothing but zeros
_TIMING_S = 0.5  # for the passes behind it; a model that is slower learns that cost while it writes


def measure_passes(runner: Runner, vocab_size: int) -> tuple[tuple[int, int, float], ...]:
    """Return (guesses beside the root, tokens of context, milliseconds) for trees of growing size.

    A pass counts until scores of it are on the host, as in a run. The cache is empty afterwards.
    """
    ids = probe_ids(vocab_size)
    runner.reset()
    started = time.perf_counter()
    _read(runner, ids, _SHORT)
    reading_s = time.perf_counter() - started
    started = time.perf_counter()
    measured = _measure(runner, ids)
    timing_s = time.perf_counter() - started
    if runner.context_length > LONG_CONTEXT:
        if reading_s * (LONG_CONTEXT - _SHORT) / _SHORT < _READING_S:
            _read(runner, ids, LONG_CONTEXT - _SHORT)
            measured += _measure(runner, ids)
        elif timing_s < _TIMING_S and runner.form == "full":
            _stand_behind_zeros(runner)
            measured += _measure(runner, ids)
    runner.reset()
    return tuple(measured)


def _read(runner: Runner, ids: list[int], count: int) -> None:
    runner.prefill((ids * (count // len(ids) + 1))[:count])


def _stand_behind_zeros(runner: Runner) -> None:
    """Let the long context be read, as far as a clock can tell: what it says changes no pass's time."""
    runner.reset()
    parts = runner.store.saved_parts(LONG_CONTEXT).items()
    runner.store.fill(
        ((name, torch.zeros(part.shape, dtype=part.dtype)) for name, part in parts), LONG_CONTEXT
    )
    runner.store.length = LONG_CONTEXT


def _measure(runner: Runner, ids: list[int]) -> list[tuple[int, int, float]]:
    sizes = sorted({1, *(size for size in (2, 4, 8, 16, 32, 64) if size < runner.width), runner.width})
    if runner.padded:  # rows in between cost what the ends cost
        sizes = sorted({1, runner.width})
    clock = pass_clock(runner.network.device.type)
    times = {size: list[float]() for size in sizes}
    started = time.perf_counter()
    for done in range(_REPEATS):
        if done >= _LEAST_REPEATS and time.perf_counter() - started > _ENOUGH_S:
            break
        # all sizes in turn: a disturbance then falls on one round of each, which the median leaves out
        for size in sizes:
            times[size].append(_time_pass(runner, ids, size, clock))
    return [(size - 1, runner.length, statistics.median(taken) * 1000) for size, taken in times.items()]


def _time_pass(runner: Runner, ids: list[int], size: int, clock: Callable[[], float]) -> float:
    tokens = (ids * (size // len(ids) + 1))[:size]
    started = clock()
    scores = runner.decode(tokens, [-1, *[0] * (size - 1)])
    scores[:1].to(torch.device("cpu"))  # a run fetches no more of them than it draws from
    return clock() - started

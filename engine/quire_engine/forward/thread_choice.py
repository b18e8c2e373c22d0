"""The number of CPU threads with which a pass is fastest; it must not decide the text."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from quire_engine.forward.pass_runner import PassRunner

_TRIAL_PASSES = 2
_TIMED_PASSES = 8
_HOPELESS = 1.15
"""A number of threads is dropped when its best pass of the first few takes so much longer than the best."""
_PREFIX = 63
_LONG_PROMPT = 813
_CHUNK = 512


def fastest_threads(
    runner: PassRunner, ids: Sequence[int], choices: Sequence[int], report: Callable[[], None] = lambda: None
) -> int:
    """Return the number of threads with which a plain pass is fastest, and set it.

    Where two numbers leave different bits, the first one stays. Nothing is measured where there is one.

    Args:
        ids: any text, of at least 64 tokens.
        report: called between passes; may raise to stop.
    """
    best = choices[0]
    if len(choices) > 1:
        torch.set_num_threads(best)
        runner.reset()
        runner.prefill(ids[:_PREFIX])
        seconds = _seconds(runner, ids, _TIMED_PASSES, report)
        for threads in choices[1:]:
            torch.set_num_threads(threads)
            if _seconds(runner, ids, _TRIAL_PASSES, report) > _HOPELESS * seconds:
                continue
            taken = _seconds(runner, ids, _TIMED_PASSES, report)
            if taken < seconds:
                best, seconds = threads, taken
        if best != choices[0] and not _same_bits(runner, ids, choices[0], best, report):
            best = choices[0]
        runner.reset()
    torch.set_num_threads(best)
    return best


def _seconds(runner: PassRunner, ids: Sequence[int], count: int, report: Callable[[], None]) -> float:
    """Return the time of the fastest of some passes; none of them is kept."""
    best = float("inf")
    for token in ids[:count]:
        report()
        started = time.perf_counter()
        runner.decode([token], [-1])
        best = min(best, time.perf_counter() - started)
    return best


def _same_bits(
    runner: PassRunner, ids: Sequence[int], one: int, other: int, report: Callable[[], None]
) -> bool:
    """Say whether two numbers of threads leave the same cache after a long prompt and a few passes."""
    caches: list[tuple[Tensor, ...]] = []
    for threads in (one, other):
        torch.set_num_threads(threads)
        runner.reset()
        count = min(_LONG_PROMPT, runner.context_length - _TIMED_PASSES)
        prompt = (list(ids) * (count // len(ids) + 1))[:count]
        for start in range(0, count, _CHUNK):  # as large as a run's, the last one odd
            report()
            runner.prefill(prompt[start : start + _CHUNK])
        for token in ids[:_TIMED_PASSES]:
            runner.decode([token], [-1])
            runner.commit([0])
        caches.append(runner.store.snapshot())
    return all(torch.equal(a, b) for a, b in zip(*caches, strict=True))

"""Choose the decode backend: the fastest that computes the model and is bit-reproducible, tried at every
load."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.self_test import SelfTest, score_far
from quire_engine.forward.yardstick import Yardstick
from quire_engine.gpu.cuda_graphs import CallAgain, CudaGraphs
from quire_engine.gpu.segmented_attention import varlen_kernel
from quire_engine.gpu.static_decoder import DecodeBackend

_HALF = (torch.bfloat16, torch.float16)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """How a backend is built and judged.

    Attributes:
        build: returns a runner for a backend, or for None.
        check: the self-test.
        yardstick: how far two ways may be apart.
        must_repeat: bit-reproducibility is required.
    """

    build: Callable[[DecodeBackend | None], PassRunner]
    check: Callable[[PassRunner], SelfTest]
    yardstick: Yardstick
    must_repeat: bool


def gpu_backends(device: torch.device, dtype: torch.dtype) -> tuple[DecodeBackend, ...]:
    """Return the backends to try on this device, the fastest first; none for float32."""
    if device.type != "cuda" or dtype not in _HALF:
        return ()
    try:
        kernel = varlen_kernel()
    except Exception:  # noqa: BLE001  whatever this version of PyTorch lacks: there is another way
        _log.warning("PyTorch has no attention over segments that Quire can use.", exc_info=True)
        return ()
    return (
        DecodeBackend("flash attention, graphs", CudaGraphs, kernel),
        DecodeBackend("flash attention", CallAgain, kernel),
    )


def fastest_that_passes(trial: Trial, paths: Sequence[DecodeBackend]) -> tuple[PassRunner, SelfTest] | None:
    """Return a fresh runner with the first backend that passes every check, and its self-test result.

    None if none does. An exception in a backend only rules out that backend.
    """
    if not paths:
        return None
    wanted, _ = score_far(trial.build(None), trial.yardstick.texts)
    for path in paths:
        try:
            result = _judge(trial, path, wanted)
        except Exception:  # noqa: BLE001  whatever it is, there is another way
            _log.warning("Passes by %s failed.", path.name, exc_info=True)
            continue
        if result.matches and (result.reproducible or not trial.must_repeat):
            # a fresh one: what the other recorded and holds was for the trial
            return trial.build(replace(path, is_proven=True)), result
        _log.warning("Passes by %s did not hold: %s", path.name, result)
    return None


def _judge(trial: Trial, path: DecodeBackend, wanted: Tensor) -> SelfTest:
    """Return the self-test result of a backend, near the start and far from it. wanted: the logits there."""
    runner = trial.build(path)
    result = trial.check(runner)
    scores, repeats = score_far(runner, trial.yardstick.texts)
    return replace(
        result,
        matches=result.matches and trial.yardstick.agree(scores, wanted),
        reproducible=result.reproducible and repeats,
    )

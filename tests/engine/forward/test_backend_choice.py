"""The choice at load: the fastest way that computes the model and repeats its bits; a bad one is passed."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch
from torch import Tensor

from quire_engine.api.config import ModelConfig
from quire_engine.engine import load_model
from quire_engine.forward import backend_choice
from quire_engine.forward.backend_choice import Trial, fastest_that_passes, gpu_backends
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.self_test import run_self_test
from quire_engine.gpu import segmented_attention, static_attention
from quire_engine.gpu.cuda_graphs import CallAgain, GraphMaker, Work
from quire_engine.gpu.segmented_attention import SegmentKernel, Segments
from quire_engine.gpu.static_decoder import DecodeBackend
from quire_engine.runtime.loaded_model import own_cache
from tests.engine.conftest import Models, Networks
from tests.engine.desk import passes_of
from tests.engine.models.static_forms import Failing, WatchedTape, by_products, fast_path
from tests.engine.reference_model import tiny_yardstick
from tests.engine.tiny import VOCAB_SIZE

GOOD = fast_path(name="good")


@pytest.fixture(autouse=True)
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small parts, so that 448 positions have several."""
    monkeypatch.setattr(segmented_attention, "_SIZES", ((128, 64), (320, 96)))
    for module in (segmented_attention, static_attention):
        monkeypatch.setattr(module, "LARGEST_PART", 128)


@pytest.fixture
def trial(models: Models, networks: Networks) -> Trial:
    """A trial on a tiny Llama."""
    return trial_of(models, networks)


def trial_of(models: Models, networks: Networks, *, must_repeat: bool = True) -> Trial:
    dtype = torch.float32
    yardstick = tiny_yardstick(models("llama", dtype), dtype)
    return Trial(
        lambda fast: PassRunner(networks("llama", dtype), 8, 512, padded=must_repeat, fast=fast),
        lambda runner: run_self_test(runner, yardstick, VOCAB_SIZE),
        yardstick,
        must_repeat,
    )


def chosen_by(trial: Trial, paths: Sequence[DecodeBackend]) -> str:
    """Return the name of what was chosen, or nothing."""
    found = fastest_that_passes(trial, paths)
    if found is None:
        return ""
    runner, result = found
    assert result.matches
    assert runner.length == 0
    assert runner.fast is not None
    assert runner.fast.is_proven
    return runner.fast.name


# ---------------------------------------------------------------- what may go wrong
def forgets_the_last_part(
    query: Tensor, keys: Tensor, values: Tensor, segments: Segments, scale: float
) -> tuple[Tensor, Tensor]:
    """Right as long as there is one part, as in a short text."""
    bounds = segments.key_bounds.clone()
    bounds[2:] = bounds[1]
    return by_products(query, keys, values, Segments(segments.query_bounds, bounds, *_sizes(segments)), scale)


def _sizes(segments: Segments) -> tuple[int, int]:
    return segments.max_rows, segments.max_keys


def unsteady() -> SegmentKernel:
    """Return a kernel whose last bits change from call to call."""
    calls = itertools.count()

    def kernel(
        query: Tensor, keys: Tensor, values: Tensor, segments: Segments, scale: float
    ) -> tuple[Tensor, Tensor]:
        return by_products(query, keys, values, segments, scale * (1 + 1e-6 * (next(calls) % 7)))

    return kernel


def raises(
    query: Tensor, keys: Tensor, values: Tensor, segments: Segments, scale: float
) -> tuple[Tensor, Tensor]:
    raise TypeError("varlen_attn() got an unexpected keyword argument")


class OffByABit(CallAgain):
    """A maker whose repetitions compute something else: everything is scored for the first token."""

    def make(self, work: Work) -> Work:
        first = work()
        return lambda: (work(), first)[1]


def with_kernel(kernel: SegmentKernel, maker: Callable[[], GraphMaker] = CallAgain) -> DecodeBackend:
    return DecodeBackend("bad", maker, kernel)


BAD = {
    "nothing is recorded": fast_path(Failing, "bad"),
    "the kernel raises": with_kernel(raises),
    "the kernel forgets": with_kernel(forgets_the_last_part),
    "a repetition differs": fast_path(OffByABit, "bad"),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_way_with_a_fault_gives_way_to_the_next(trial: Trial, fault: str) -> None:
    assert chosen_by(trial, [BAD[fault], GOOD]) == "good"


def test_the_first_of_two_good_ways_is_taken(trial: Trial) -> None:
    assert chosen_by(trial, [fast_path(WatchedTape, "tape"), GOOD]) == "tape"


def test_when_none_holds_there_is_none(trial: Trial, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert chosen_by(trial, [BAD["nothing is recorded"], BAD["the kernel raises"]]) == ""
    assert "keyword argument" in caplog.text
    assert chosen_by(trial, []) == ""


def test_bits_that_do_not_repeat_are_no_good_where_they_must(models: Models, networks: Networks) -> None:
    assert chosen_by(trial_of(models, networks), [with_kernel(unsteady()), GOOD]) == "good"
    free = trial_of(models, networks, must_repeat=False)
    assert chosen_by(free, [with_kernel(unsteady()), GOOD]) == "bad"


# ---------------------------------------------------------------- which ways there are
def test_a_cpu_and_full_precision_have_no_fast_backend() -> None:
    assert gpu_backends(torch.device("cpu"), torch.bfloat16) == ()
    assert gpu_backends(torch.device("cuda"), torch.float32) == ()


def test_a_gpu_has_two_graphs_first(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [path.name for path in gpu_backends(torch.device("cuda"), torch.bfloat16)]
    assert names == ["flash attention, graphs", "flash attention"]

    def missing() -> SegmentKernel:
        raise ImportError("No module named 'torch.nn.attention.varlen'")

    monkeypatch.setattr(backend_choice, "varlen_kernel", missing)
    assert gpu_backends(torch.device("cuda"), torch.bfloat16) == ()


# ---------------------------------------------------------------- a whole load
@pytest.mark.parametrize(
    ("paths", "name"),
    [
        ((fast_path(Failing, "never"), fast_path(WatchedTape, "a tape")), "a tape"),
        ((fast_path(Failing, "never"),), ""),
    ],
)
def test_a_load_records_the_way_that_it_chose(
    llama: Path, monkeypatch: pytest.MonkeyPatch, paths: tuple[DecodeBackend, ...], name: str
) -> None:
    plain = load_model(ModelConfig(str(llama), "float32", 8, 1)).description.identity.software
    monkeypatch.setattr(backend_choice, "gpu_backends", lambda device, dtype: paths)
    loaded = load_model(ModelConfig(str(llama), "float32", 8, 1))
    assert loaded.description.identity.software == (f"{plain}, {name}" if name else plain)
    assert loaded.description.reproducible
    assert passes_of(own_cache(loaded)).fast == passes_of(loaded).fast
    assert loaded.target.kernels == name

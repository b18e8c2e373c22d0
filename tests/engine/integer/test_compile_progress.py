"""What is told while kernels are compiled, and how that is stopped."""

from __future__ import annotations

from typing import Any

import pytest
from numba import njit

from quire_engine.api.load_progress import LoadStopped
from quire_engine.drafting.feature_drafter import layer_beside
from quire_engine.integer.__main__ import use_all_kernels
from quire_engine.integer.compile_progress import compiling
from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.integer.integer_runner import IntegerRunner
from tests.engine.blocks import in_blocks
from tests.engine.drafting.neural import random_feature
from tests.engine.integer.test_integer_runner import FAMILIES
from tests.engine.tiny import build


def _double(number: Any) -> Any:
    return number + number


def _new_kernel() -> Any:
    """Return a kernel that nobody has called; numba's own types call it a decorator."""
    compile_: Any = njit
    return compile_(_double)


def test_compiling_is_reported_once_for_each_kernel_and_not_again() -> None:
    told: list[float] = []
    kernel = _new_kernel()
    with compiling(told.append):
        assert kernel(3) == 6
        assert kernel(4) == 8
        assert kernel(4.5) == 9.0  # of another type
    assert told == sorted(told)
    assert len(told) == 2
    assert all(0 <= share < 1 for share in told)
    _new_kernel()(3)
    assert len(told) == 2


def test_compiling_is_stopped_and_can_be_begun_again() -> None:
    def stop(_share: float) -> None:
        raise LoadStopped("Stopped.")

    kernel = _new_kernel()
    with pytest.raises(LoadStopped), compiling(stop):
        kernel(3)
    assert kernel(3) == 6


def test_the_first_load_finds_every_kernel_compiled() -> None:
    """What `python -m quire_engine.integer` calls is all that passes of any family need, and drafters."""
    use_all_kernels()
    told: list[float] = []
    with compiling(told.append):
        for family in FAMILIES:
            runner = IntegerRunner(in_blocks(build(family)), 5, 256)
            runner.prefill([1, 2, 3])
            runner.decode([4], [-1])
            runner.commit([0])
            runner.decode([4, 5], [-1, 0])
        layer_beside(IntegerEnds(in_blocks(build("llama")), 8), random_feature())
    assert not told

"""What is told while kernels are compiled, and how that is stopped."""

from __future__ import annotations

from typing import Any

import pytest
from numba import njit

from quire_engine.api.load_progress import LoadStopped
from quire_engine.integer.compile_progress import compiling


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

"""Functions of real numbers: close to the true ones, and the same bits on every computer."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.portable_angles import cos_and_sin
from quire_engine.integer.portable_math import exp, silu

Floats = npt.NDArray[np.float32]


@njit(error_model="numpy")
def _exps(values: Floats, out: Floats) -> None:
    for place in range(len(values)):
        out[place] = exp(values[place])


@njit(error_model="numpy")
def _silus(values: Floats, out: Floats) -> None:
    for place in range(len(values)):
        out[place] = silu(values[place])


def _grid() -> Floats:
    """Return numbers from -90 to 80, made without any rounding but that of one product."""
    return (np.arange(-368_640, 327_680, 7, dtype=np.int64).astype(np.float64) / 4096).astype(np.float32)


def _digest(*arrays: Floats) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16]


def test_exp_is_right_to_a_unit_in_the_last_place() -> None:
    grid = _grid()
    found = np.empty_like(grid)
    _exps(grid, found)
    wanted = np.exp(grid.astype(np.float64))
    normal = grid >= -87
    assert np.abs(found[normal] / wanted[normal] - 1).max() < 1.2e-7
    assert not found[~normal].any()


def test_silu_is_close_and_finite_everywhere() -> None:
    grid = np.concatenate([_grid(), np.array([-3e38, -200, 0, 200, 3e38], np.float32)])
    found = np.empty_like(grid)
    _silus(grid, found)
    x = grid.astype(np.float64)
    wanted = x / (1 + np.exp(np.clip(-x, None, 700)))
    near = np.abs(x) < 80
    assert np.allclose(found[near], wanted[near], rtol=3e-7, atol=1e-30)
    assert np.isfinite(found).all()


def test_every_computer_has_these_bits() -> None:
    grid = _grid()
    exps, silus = np.empty_like(grid), np.empty_like(grid)
    _exps(grid, exps)
    _silus(grid, silus)
    angles = np.arange(0, 131_072, 13, dtype=np.float64)[:, None] * np.array([1.0, 0.1015625, 0.00048828125])
    assert _digest(exps, silus) == "2a067f93e060600b"
    assert _digest(*cos_and_sin(angles)) == "735f632235b8abc0"


def test_angles_are_right_to_half_a_unit_of_float32() -> None:
    angles = np.linspace(0, 500_000, 20_001)
    cos, sin = cos_and_sin(angles)
    assert np.abs(cos - np.cos(angles)).max() < 3.1e-8
    assert np.abs(sin - np.sin(angles)).max() < 3.1e-8

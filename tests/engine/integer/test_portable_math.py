"""Functions of real numbers: close to the true ones, and the same bits on every computer."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.portable_angles import AngleTables, cos_and_sin
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


def test_angles_of_a_position_are_the_same_whoever_asked_before() -> None:
    frequencies, scales = np.array([[1.0, 0.1], [0.5, 0.0]]), np.array([1.0, 0.75], np.float32)
    grown, at_once = (AngleTables(frequencies, scales) for _ in range(2))
    grown.of(np.array([3]))
    grown.of(np.array([1023, 1024]))
    places = np.array([5000, 0, 3, 2047, 3])
    for found, wanted, plain in zip(
        grown.of(places),
        at_once.of(places),
        cos_and_sin(places[None, :, None] * frequencies[:, None]),
        strict=True,
    ):
        assert np.array_equal(found, wanted)
        assert np.array_equal(found, plain * scales[:, None, None])
        assert found.flags.c_contiguous
    assert [each.shape for each in grown.of(np.zeros(0, np.int64))] == [(2, 0, 2)] * 2

"""What is done to one row or one head is what numpy does, rounding by rounding."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from quire_engine.integer.head_kernels import byte_digits, key_digits, norm_head, query_digits, rotate
from quire_engine.integer.row_kernels import largest_size, norm_row, reciprocal_rms
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]

_NUMBERS = st.floats(-(2.0**60), 2.0**60, width=32, allow_subnormal=False)
_ROWS = arrays.arrays(np.float32, st.integers(1, 70), elements=_NUMBERS)
_LEAST = np.float32(1e-30)


def _top(row: Floats) -> np.float32:
    return np.float32(max(np.abs(row).max(), _LEAST))


@few
@given(_ROWS)
def test_the_largest_size_of_a_row(row: Floats) -> None:
    assert largest_size(row) == _top(row)


def _total(numbers: npt.NDArray[np.float64]) -> float:
    """Return a sum in 16 lanes that are added in halves, and then what is left."""
    whole, lanes = len(numbers) // 16 * 16, np.zeros(16)
    for start in range(0, whole, 16):
        lanes += numbers[start : start + 16]
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    total = lanes[0]
    for x in numbers[whole:]:
        total += x
    return float(total)


def _rms(row: Floats) -> np.float32:
    return np.float32(1 / np.sqrt(_total(np.square(row.astype(np.float64))) / len(row) + 1e-5))


@few
@given(arrays.arrays(np.float32, st.integers(1, 70), elements=st.floats(-(2.0**40), 2.0**40, width=32)))
def test_the_root_mean_square_is_that_of_float64(row: Floats) -> None:
    assert reciprocal_rms(row, 1e-5) == _rms(row)


@few
@given(
    arrays.arrays(np.float32, st.integers(1, 70), elements=st.floats(-(2.0**40), 2.0**40, width=32)),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_a_row_is_normed(row: Floats, subtracts_mean: bool, has_bias: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    weight, bias = random.standard_normal((2, len(row))).astype(np.float32)
    mean = np.float32(_total(row.astype(np.float64)) / len(row)) if subtracts_mean else np.float32(0)
    wanted = ((row - mean) * _rms(row - mean)) * weight
    if has_bias:
        wanted += bias
    found = np.empty_like(row)
    norm_row(row, weight, bias if has_bias else bias[:0], subtracts_mean, 1e-5, found)
    assert np.array_equal(found, wanted)


@few
@given(st.sampled_from([2, 16, 18, 64, 80]), st.integers(0, 2**32 - 1))
def test_a_head_is_normed_rotated_and_cut(dim: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vector, weight = (random.standard_normal(dim).astype(np.float32) for _ in range(2))
    wanted = (vector * reciprocal_rms(vector, 1e-6)) * weight
    norm_head(vector, weight, 1e-6)
    assert np.array_equal(vector, wanted)
    half = dim // 4 if dim % 4 == 0 else dim // 2  # some families rotate a part only
    cos, sin = (random.uniform(-1, 1, half).astype(np.float32) for _ in range(2))
    left, right = wanted[:half], wanted[half : 2 * half]
    wanted = np.concatenate([left * cos - right * sin, right * cos + left * sin, wanted[2 * half :]])
    rotate(vector, cos, sin)
    assert np.array_equal(vector, wanted)
    top = _top(wanted)
    keys, queries = np.zeros(dim, np.int8), np.zeros(dim, np.int16)
    scales = np.zeros(-(-dim // 32), np.float32)
    key_digits(vector, keys, scales)
    for part, scale in enumerate(scales):
        these = slice(32 * part, 32 * part + 32)
        assert scale == _top(wanted[these]) / np.float32(127)
        assert np.array_equal(keys[these], np.rint(wanted[these] * (np.float32(127) / _top(wanted[these]))))
    values = np.zeros(dim, np.int8)
    assert byte_digits(vector, values) == top / np.float32(127)
    assert np.array_equal(values, np.rint(wanted * (np.float32(127) / top)))
    scaling = np.float32(0.125)
    assert query_digits(vector, scaling, queries) == (top / np.float32(8191)) * scaling
    assert np.array_equal(queries, np.rint(wanted * (np.float32(8191) / top)))

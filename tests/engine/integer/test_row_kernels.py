"""What is done to one row or one head is what numpy does, rounding by rounding."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from quire_engine.integer.head_kernels import byte_digits, norm_head, query_digits, rotate
from quire_engine.integer.product_kernel import SECOND, new_digits
from quire_engine.integer.row_kernels import as_digits, cut, largest_size, reciprocal_rms
from quire_engine.integer.vector_code import OFFSET
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]

_NUMBERS = st.floats(-(2.0**60), 2.0**60, width=32, allow_subnormal=False)
_ROWS = arrays.arrays(np.float32, st.integers(1, 70), elements=_NUMBERS)
_LEAST = np.float32(1e-30)


def _top(row: Floats) -> np.float32:
    return np.float32(max(np.abs(row).max(), _LEAST))


def _digits(row: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.int64]:
    """Return the digits of a stored row."""
    stored = as_digits.py_func(row)[:width]
    return stored.view(np.uint8).astype(np.int64) - OFFSET if OFFSET else stored.astype(np.int64)


@few
@given(_ROWS)
def test_a_row_is_cut_into_two_digits(row: Floats) -> None:
    room = new_digits(2, len(row))
    top = _top(row)
    assert cut(row, len(row), True, room[0], room[1]) == top / np.float32(127)
    scaled = row * (np.float32(127) / top)
    high = np.rint(scaled)
    assert np.array_equal(_digits(room[0], len(row)), high)
    assert np.array_equal(_digits(room[1], len(row)), np.rint((scaled - high) * np.float32(SECOND)))
    once = new_digits(1, len(row))[0]
    cut(row, len(row), False, once, once)
    assert np.array_equal(once, room[0])


@few
@given(_ROWS)
def test_the_largest_size_of_a_row(row: Floats) -> None:
    assert largest_size(row) == _top(row)


@few
@given(arrays.arrays(np.float32, st.integers(1, 70), elements=st.floats(-(2.0**40), 2.0**40, width=32)))
def test_the_root_mean_square_is_that_of_float64(row: Floats) -> None:
    lanes = np.zeros(16)
    whole = len(row) // 16 * 16
    for start in range(0, whole, 16):
        lanes += np.square(row[start : start + 16].astype(np.float64))
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    total = lanes[0]
    for x in row[whole:].astype(np.float64):
        total += x * x
    assert reciprocal_rms(row, len(row), 1e-5) == np.float32(1 / np.sqrt(total / len(row) + 1e-5))


@few
@given(st.sampled_from([2, 16, 18, 64, 80]), st.integers(0, 2**32 - 1))
def test_a_head_is_normed_rotated_and_cut(dim: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    vector, weight = (random.standard_normal(dim).astype(np.float32) for _ in range(2))
    wanted = (vector * reciprocal_rms(vector, dim, 1e-6)) * weight
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
    assert byte_digits(vector, keys) == top / np.float32(127)
    assert np.array_equal(keys, np.rint(wanted * (np.float32(127) / top)))
    scaling = np.float32(0.125)
    assert query_digits(vector, scaling, queries) == (top / np.float32(8191)) * scaling
    assert np.array_equal(queries, np.rint(wanted * (np.float32(8191) / top)))

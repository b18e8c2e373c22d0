"""Products of digits and weights are the exact sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.integer.product_kernel import MAX_INNER, multiply, new_digits, offsets, packed, unpacked
from quire_engine.integer.row_kernels import as_digits
from quire_engine.integer.vector_code import OFFSET
from tests.engine.tiny import few


def product(digits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return digits @ weights.T by the kernel."""
    rows, inputs = digits.shape
    blocks = packed(weights)
    stored = new_digits(rows, inputs)
    for row, line in zip(stored, digits, strict=True):
        as_digits.py_func(row)[:inputs] = (line + OFFSET).astype(np.uint8).view(np.int8) if OFFSET else line
    out = np.zeros((rows, blocks.shape[0] * 16), np.int32)
    multiply(blocks, offsets(blocks), stored, rows, 0, blocks.shape[0], out)
    return out[:, : len(weights)]


@few
@given(st.integers(1, 19), st.integers(1, 70), st.integers(1, 90), st.integers(0, 2**32 - 1), st.booleans())
def test_every_shape_gives_the_sums_of_numpy(
    rows: int, inputs: int, outputs: int, seed: int, extreme: bool
) -> None:
    random = np.random.default_rng(seed)
    shapes = (rows, inputs), (outputs, inputs)
    if extreme:
        digits, weights = (random.choice([-127, 127], shape).astype(np.int64) for shape in shapes)
    else:
        digits, weights = (random.integers(-127, 128, shape) for shape in shapes)
    assert np.array_equal(product(digits, weights.astype(np.int8)), digits @ weights.T)


def test_the_longest_sums_fit_32_bits() -> None:
    digits = np.full((1, MAX_INNER), 127, np.int64)
    weights = np.full((2, MAX_INNER), 127, np.int8)
    weights[1] = -127
    assert product(digits, weights).tolist() == [[127 * 127 * MAX_INNER, -127 * 127 * MAX_INNER]]


def test_a_layer_whose_sums_could_overflow_is_refused() -> None:
    with pytest.raises(ValueError, match="inputs"):
        packed(np.zeros((1, MAX_INNER + 1), np.int8))


@few
@given(st.integers(1, 70), st.integers(1, 90))
def test_packing_loses_nothing(outputs: int, inputs: int) -> None:
    weights = np.random.default_rng(outputs * 100 + inputs).integers(-127, 128, (outputs, inputs), np.int8)
    assert np.array_equal(unpacked(packed(weights), outputs, inputs), weights)

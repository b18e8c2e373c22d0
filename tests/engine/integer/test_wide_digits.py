"""Both digits of a number as one of 16 bits give the very bits of two products."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quire_engine.integer.product_kernel import OneProduct, new_digits, offsets, packed, project, project_wide
from quire_engine.integer.row_kernels import as_digits, cut, cut_wide
from quire_engine.integer.vector_code import WIDE_DIGITS
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]

pytestmark = pytest.mark.skipif(not WIDE_DIGITS, reason="this processor multiplies bytes")


def _rows(rows: int, inputs: int, seed: int, extreme: bool) -> Floats:
    random = np.random.default_rng(seed)
    if extreme:
        return random.choice([-1.0, 1.0, 127.5 / 127, -0.4999], (rows, inputs)).astype(np.float32)
    return (random.standard_normal((rows, inputs)) ** 5).astype(np.float32)


def _cut_all(rows: Floats) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], Floats]:
    """Return the rows with two digits, with wide ones, and their scales."""
    count, inputs = rows.shape
    two, wide, scales = new_digits(2 * count, inputs), new_digits(count, inputs), []
    for row, numbers in enumerate(rows):
        scales.append(cut(numbers, inputs, True, two[2 * row], two[2 * row + 1]))
        assert cut_wide(numbers, inputs, wide[row]) == scales[-1]
    return two, wide, np.array(scales, np.float32)


@few
@given(st.integers(1, 3), st.integers(1, 700), st.integers(0, 99), st.booleans())
def test_a_wide_digit_is_254_times_the_first_and_the_second(
    rows: int, inputs: int, seed: int, extreme: bool
) -> None:
    two, wide, _ = _cut_all(_rows(rows, inputs, seed, extreme))
    for row in range(rows):
        high, low = (as_digits(each)[:inputs].astype(int) for each in two[2 * row : 2 * row + 2])
        assert (as_digits(wide[row])[:inputs] == 254 * high + low).all()


@few
@given(st.integers(1, 14), st.integers(1, 1700), st.integers(1, 70), st.integers(0, 99), st.booleans())
@example(13, 5000, 33, 1, True)
def test_a_product_of_wide_digits_has_the_bits_of_two(
    rows: int, inputs: int, outputs: int, seed: int, extreme: bool
) -> None:
    random = np.random.default_rng(seed)
    weights = random.integers(-127, 128, (outputs, inputs)).astype(np.int8)
    if extreme:
        weights = np.where(weights < 0, -127, 127).astype(np.int8)
    blocks = packed(weights)
    padded = 16 * blocks.shape[0]
    factors = random.random(padded).astype(np.float32)
    bias = random.standard_normal(outputs if seed % 2 else 0).astype(np.float32)
    product = OneProduct(blocks, offsets(blocks), factors, bias, True)
    two, wide, scales = _cut_all(_rows(rows, inputs, seed, extreme))
    wanted, found = np.zeros((2, rows, outputs), np.float32)
    project(product, two, scales, rows, 0, blocks.shape[0] // 2, wanted)
    project_wide(product, wide, scales, rows, 0, blocks.shape[0] // 2, found)
    assert (wanted.view(np.int32) == found.view(np.int32)).all()

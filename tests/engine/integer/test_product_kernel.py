"""Products of digits and weights are the exact sums, and what they stand for is rounded in one way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.integer.product_kernel import (
    MAX_INNER,
    OUTPUTS,
    SECOND,
    OneProduct,
    new_digits,
    offsets,
    packed,
    project,
    sums_of_groups,
    unpacked,
)
from quire_engine.integer.row_kernels import as_digits
from quire_engine.integer.vector_code import OFFSET
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]


def stored(digits: np.ndarray) -> np.ndarray:
    """Return rows of digits as the kernels read them."""
    rows = new_digits(*digits.shape)
    for row, line in zip(rows, digits, strict=True):
        as_digits.py_func(row)[: len(line)] = (
            (line + OFFSET).astype(np.uint8).view(np.int8) if OFFSET else line
        )
    return rows


def product(digits: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return digits @ weights.T by the kernel, up to eight rows at a time."""
    blocks, rows = packed(weights), len(digits)
    out = np.zeros((rows, blocks.shape[0] * 16), np.int32)
    for first in range(0, rows, 8):
        count = min(8, rows - first)
        for block in range(0, blocks.shape[0], 2):
            sums = np.zeros((count, OUTPUTS), np.int32)
            sums_of_groups(blocks, stored(digits), first, count, block, 0, blocks.shape[1], sums)
            out[first : first + count, block * 16 : block * 16 + OUTPUTS] = sums
    return (out + offsets(blocks))[:, : len(weights)]


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


def _wanted(digits: np.ndarray, weights: np.ndarray, row_scales: Floats, scales: Floats, two: bool) -> Floats:
    """Return what the sums stand for, rounded as it is written in `product_kernel`."""
    sums = digits @ weights.T
    if not two:
        return np.asarray(sums.astype(np.float32) * (row_scales[:, None] * scales), np.float32)
    exact = sums[::2].astype(np.float64) * SECOND + sums[1::2].astype(np.float64)
    factors = (row_scales.astype(np.float64) / SECOND)[:, None] * scales.astype(np.float64)
    return np.asarray(exact * factors, np.float32)


@few
@given(
    st.integers(1, 19),
    st.integers(1, 70),
    st.integers(1, 90),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_every_output_is_scaled_as_in_numpy(
    rows: int, inputs: int, outputs: int, two: bool, has_bias: bool, seed: int
) -> None:
    random = np.random.default_rng(seed)
    digits = random.integers(-127, 128, (2 * rows if two else rows, inputs))
    weights = random.integers(-127, 128, (outputs, inputs))
    row_scales, scales, bias = (
        random.uniform(1e-4, 3.0, count).astype(np.float32) for count in (rows, outputs, outputs)
    )
    blocks = packed(weights.astype(np.int8))
    padded = np.pad(scales, (0, blocks.shape[0] * 16 - outputs))
    one = OneProduct(blocks, offsets(blocks), padded, bias if has_bias else bias[:0], two)
    out = np.full((rows, outputs), np.nan, np.float32)
    middle = blocks.shape[0] // 4
    for first, last in ((middle, blocks.shape[0] // 2), (0, middle)):
        project(one, stored(digits), row_scales, rows, first, last, out)
    wanted = _wanted(digits, weights, row_scales, scales, two)
    assert np.array_equal(out, wanted + bias if has_bias else wanted)


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

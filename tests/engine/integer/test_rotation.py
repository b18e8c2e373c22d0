"""Rotations and rounding: orthogonal, near the weight, and the same integers everywhere."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
import torch

from quire_engine.integer.product_kernel import offsets, unpacked
from quire_engine.integer.product_packing import (
    Folding,
    NotFinite,
    new_products,
    pack,
    round_table,
    with_rotated_outputs,
)
from quire_engine.integer.rotation import Rotation


def _weight(outputs: int, inputs: int) -> torch.Tensor:
    """Return numbers that no library's random generator decides."""
    numbers = (np.arange(outputs * inputs, dtype=np.int64) * 48_271 % 65_521).reshape(outputs, inputs)
    return torch.from_numpy(numbers.astype(np.float32) / np.float32(65_521) - np.float32(0.5))


@pytest.mark.parametrize("width", [2, 7, 48, 64, 576, 1000])
def test_rotations_are_orthogonal_and_the_kernel_agrees(width: int) -> None:
    rotation = Rotation.of_width(width)
    square = rotation.apply(torch.eye(width))
    assert torch.allclose(square @ square.T, torch.eye(width), atol=1e-5)
    assert torch.allclose(rotation.undo(square), torch.eye(width), atol=1e-5)
    weight = _weight(2 * width, 45)
    rotated = with_rotated_outputs(weight, rotation)
    wanted = rotation.apply(weight.T.reshape(45, 2, width)).reshape(45, -1).T
    assert torch.allclose(rotated, wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("outputs", "inputs", "width"), [(70, 48, 48), (32, 96, 24), (33, 10, 0), (64, 64, 64)]
)
def test_packed_weights_are_the_rotated_ones_to_half_a_step(outputs: int, inputs: int, width: int) -> None:
    weight, factors = _weight(outputs, inputs), _weight(1, inputs)[0] + 1
    rotation = Rotation.of_width(width) if width else None
    wanted = weight * factors
    if rotation is not None:
        wanted = rotation.apply(wanted.reshape(outputs, -1, width)).reshape(outputs, inputs)
    folding = Folding(factors.numpy(), rotation)
    products = new_products(1, outputs, inputs, has_bias=False)
    pack(products, 0, weight, folding)
    numbers = unpacked(products.blocks[0], outputs, inputs)
    scales = products.scales[0]
    assert np.abs(numbers).max() == 127
    near = numbers * scales[:outputs, None]
    assert np.all(np.abs(near - wanted.numpy()) <= 0.501 * scales[:outputs, None])
    assert np.array_equal(products.offset[0], offsets(products.blocks[0]))
    assert not scales[outputs:].any()
    table, steps = round_table(weight, folding)
    assert np.allclose(table * steps[:, None], wanted, atol=1e-4)


def test_every_computer_makes_the_same_integers() -> None:
    folding = Folding(_weight(1, 144)[0].numpy() + np.float32(1), Rotation.of_width(144))
    products = new_products(1, 160, 144, has_bias=False)
    pack(products, 0, with_rotated_outputs(_weight(160, 144), Rotation.of_width(80)), folding)
    digest = hashlib.sha256(products.blocks.tobytes() + products.scales.tobytes()).hexdigest()
    assert digest == "3c08d9e71c7da1d064c4c98a87cd654c6a004ef9eb14cef7b2ea859e6e57b964"


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite_are_refused(odd: float) -> None:
    weight = _weight(40, 16)
    weight[39, 15] = odd
    folding = Folding(np.ones(16, np.float32), Rotation.of_width(16))
    with pytest.raises(NotFinite):
        pack(new_products(1, 40, 16, has_bias=False), 0, weight, folding)
    with pytest.raises(NotFinite):
        round_table(weight, folding)


def test_a_sum_that_could_overflow_is_refused() -> None:
    with pytest.raises(ValueError, match="inputs"):
        new_products(1, 16, 1 << 17, has_bias=False)

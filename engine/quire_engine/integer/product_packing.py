"""Room for the products of all layers, and weights that are put into it tensor by tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.integer.pass_data import Products
from quire_engine.integer.product_kernel import MAX_INNER
from quire_engine.integer.rotation import PANEL, Rotation, rotate_columns
from quire_engine.integer.rounding_kernel import fold_columns, round_and_pack, round_rows
from quire_engine.integer.vector_code import LANES, OFFSET

Floats = npt.NDArray[np.float32]

LAYOUT = f"16x4-{OFFSET}"
"""Name of the order in which weights are packed, and of what was added up with them on this processor."""
_ROWS_AT_ONCE = 256 * PANEL
"""Outputs that are in memory in float32 at a time; an LM head is larger than any layer."""


class NotFinite(ValueError):
    """A weight is NaN or infinite."""


@dataclass(frozen=True, slots=True)
class Folding:
    """What is folded into a weight before it is rounded.

    Attributes:
        factors: (inputs,) float32, multiplied into every output: a norm's weight.
        rotation: of the inputs, piece by piece; None: they are not rotated.
    """

    factors: Floats
    rotation: Rotation | None

    @property
    def signs(self) -> Floats:
        """Signs of the rotation; of length 1 where there is none."""
        return np.ones(1, np.float32) if self.rotation is None else self.rotation.signs

    @property
    def rest(self) -> Floats:
        """Odd part of the rotation."""
        return np.ones((1, 1), np.float32) if self.rotation is None else self.rotation.rest


def new_products(layers: int, outputs: int, inputs: int, *, has_bias: bool) -> Products:
    """Return room for the products of one kind; ValueError where a sum could overflow 32 bits."""
    if inputs > MAX_INNER:
        raise ValueError(f"a layer may have {MAX_INNER:,} inputs, this one has {inputs:,}")
    blocks, groups = -(-outputs // (2 * LANES)) * 2, -(-inputs // 4)
    padded = blocks * LANES
    return Products(
        np.empty((layers, blocks, groups, LANES, 4), np.int8),
        np.empty((layers, padded), np.int32),
        np.empty((layers, padded), np.float32),
        np.zeros((layers, outputs if has_bias else 0), np.float32),
        np.zeros(layers, np.bool_),
    )


def pack(products: Products, layer: int, weight: Tensor, folding: Folding) -> None:
    """Round a weight (outputs, inputs) of any float format into the room of one layer; NotFinite."""
    words = products.blocks[layer].view(np.int32)[..., 0]
    scales, offset = products.scales[layer], products.offset[layer]
    sums = np.empty(len(offset), np.int32)
    for first in range(0, weight.shape[0], _ROWS_AT_ONCE):
        last = min(first + _ROWS_AT_ONCE, weight.shape[0])
        padded = -(-last // PANEL) * PANEL
        is_finite = round_and_pack(
            numbers_of(weight[first:last]),
            folding.factors,
            folding.signs,
            folding.rest,
            words[first // LANES : padded // LANES],
            scales[first:padded],
            sums[first:padded],
        )
        if not is_finite:
            raise NotFinite("a weight is not finite")
    offset[:] = sums * np.int32(-OFFSET)


def round_table(
    weight: Tensor, folding: Folding, change: Callable[[Tensor], Tensor] = lambda rows: rows
) -> tuple[npt.NDArray[np.int16], Floats]:
    """Return the rows of an embedding table as 16-bit integers, and their scales; NotFinite.

    change: what is done to some rows before.
    """
    numbers = np.empty(tuple(weight.shape), np.int16)
    scales = np.empty(weight.shape[0], np.float32)
    for first in range(0, weight.shape[0], _ROWS_AT_ONCE):
        rows = slice(first, min(first + _ROWS_AT_ONCE, weight.shape[0]))
        part = numbers_of(change(weight[rows]))
        if not round_rows(part, folding.factors, folding.signs, folding.rest, numbers[rows], scales[rows]):
            raise NotFinite("a weight is not finite")
    return numbers, scales


def folded_columns(weight: Tensor, folding: Folding) -> Floats:
    """Return a small weight (outputs, inputs) as (inputs, outputs) float32, folded; NotFinite."""
    columns = np.empty((weight.shape[1], weight.shape[0]), np.float32)
    if not fold_columns(numbers_of(weight), folding.factors, folding.signs, folding.rest, columns):
        raise NotFinite("a weight is not finite")
    return columns


def numbers_of(weight: Tensor) -> Floats:
    """Return a tensor's numbers in float32; they may be the tensor's own memory."""
    numbers: Floats = weight.detach().float().contiguous().numpy()
    return numbers


def with_rotated_outputs(weight: Tensor, rotation: Rotation) -> Tensor:
    """Return a copy of a weight (pieces * width, inputs) or bias (pieces * width,) with rotated outputs."""
    copy = weight.detach().float().clone(memory_format=torch.contiguous_format)
    matrix: Floats = copy.reshape(copy.shape[0], -1).numpy()
    rotate_columns(matrix, rotation.signs, rotation.rest)
    return copy


def joined(parts: Sequence[Tensor]) -> Tensor:
    """Return the outputs of several weights as one, in float32."""
    return torch.cat([each.detach().float() for each in parts])

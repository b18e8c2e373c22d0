"""Matrix products of drafters in whole numbers, beside a model in whole numbers.

A guess may be wrong, so one digit of 8 bits for every number is enough, and only the time counts: a product
of few rows takes as long as reading its weights, and these are a quarter of float32's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from numba import njit
from torch import Tensor

from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.integer.product_kernel import OneProduct, new_digits, project
from quire_engine.integer.product_packing import Folding, new_products, pack
from quire_engine.integer.row_kernels import cut
from quire_engine.models.network import PackedLinear
from quire_engine.models.target_model import NetworkEnds

Floats = npt.NDArray[np.float32]
Linear = Callable[[Tensor], Tensor]
"""A product with a weight: (rows, inputs) -> (rows, outputs)."""


@njit(nogil=True, error_model="numpy", cache=True)
def _rounded_product(
    x: Floats, product: OneProduct, digits: npt.NDArray[np.uint8], scales: Floats, out: Floats
) -> None:
    """Write x times the weights. x: (rows, inputs). digits, scales: room for as many rows."""
    rows, inputs = x.shape
    for row in range(rows):
        scales[row] = cut(x[row], inputs, False, digits[row], digits[row])
    project(product, digits, scales, rows, 0, len(product.blocks) // 2, out)


class IntegerLinear:
    """A product whose weights have 8 bits and one scale per output.

    weight: (outputs, inputs) of any float format; NotFinite (a ValueError) where it is no number.
    """

    def __init__(self, weight: Tensor) -> None:
        self._outputs, self._inputs = weight.shape
        room = new_products(1, self._outputs, self._inputs, has_bias=False)
        pack(room, 0, weight, Folding(np.ones(self._inputs, np.float32), None))
        blocks, offset, scales, bias, _ = room
        self._product = OneProduct(blocks[0], offset[0], scales[0], bias[0], False)
        self._reserve(8)

    def __call__(self, x: Tensor) -> Tensor:
        """Return x @ weight.T, nearly. x: (rows, inputs) float32."""
        rows = np.ascontiguousarray(x.numpy())
        if len(rows) > len(self._scales):
            self._reserve(len(rows))
        out = np.empty((len(rows), self._outputs), np.float32)
        _rounded_product(rows, self._product, self._digits, self._scales, out)
        return torch.from_numpy(out)

    def _reserve(self, rows: int) -> None:
        self._digits, self._scales = new_digits(rows, self._inputs), np.empty(rows, np.float32)


def linear_beside(network: NetworkEnds, dtype: torch.dtype, rows: int) -> Callable[[Tensor], Linear]:
    """Return what makes products of weights as they are quickest beside a model.

    Args:
        network: the model; drafters beside one in whole numbers compute in whole numbers.
        dtype: of the products' inputs.
        rows: of a typical product.
    """
    if isinstance(network, IntegerEnds):
        return IntegerLinear
    return lambda weight: PackedLinear(weight.to(network.device, dtype), None, rows)

"""Matrix products of drafters in whole numbers, beside a model in whole numbers.

A guess may be wrong, so one digit of 8 bits for every number is enough, and only the time counts: a product
of few rows takes as long as reading its weights, and these are a quarter of float32's.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from numba import njit
from torch import Tensor

from quire_engine.integer.product_kernel import OneProduct, new_digits, project
from quire_engine.integer.product_packing import Folding, new_products, pack
from quire_engine.integer.row_kernels import cut

Floats = npt.NDArray[np.float32]


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
        self(torch.zeros(1, self._inputs))  # its machine code is read now, and not while a draft waits

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

"""Matrix products of drafters, in the numbers in which the model beside them computes."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.integer.integer_linear import IntegerLinear
from quire_engine.models.network import PackedLinear
from quire_engine.models.target_model import NetworkEnds

Linear = Callable[[Tensor], Tensor]
"""A product with a weight: (rows, inputs) -> (rows, outputs)."""


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

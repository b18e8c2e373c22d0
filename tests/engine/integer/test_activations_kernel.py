"""Activations and caps: near what they are called, at every size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from torch.nn.functional import gelu, relu, silu

from quire_engine.integer.activations_kernel import GELU, GELU_TANH, RELU_SQUARED, SILU, activate, bend, gate
from tests.engine.tiny import few

Floats = npt.NDArray[np.float32]
NUMBERS = arrays(np.float32, st.integers(1, 40), elements=st.floats(-300, 300, width=32))


def _wanted(kind: int, x: torch.Tensor) -> torch.Tensor:
    if kind == SILU:
        return silu(x)
    if kind == RELU_SQUARED:
        return relu(x).square()
    return gelu(x, approximate="tanh" if kind == GELU_TANH else "none")


@pytest.mark.parametrize("kind", [SILU, GELU_TANH, GELU, RELU_SQUARED])
@few
@given(values=NUMBERS)
def test_activations_are_near_the_library(kind: int, values: Floats) -> None:
    wanted = _wanted(kind, torch.from_numpy(values).double()).numpy()
    found = values.copy()
    activate(found, kind)
    assert np.allclose(found, wanted, rtol=1e-6, atol=1e-6 * max(1.0, float(np.abs(values).max())))
    pairs = np.concatenate([values, values[::-1]])
    gate(pairs, len(values), kind)
    assert np.array_equal(pairs[: len(values)], found * values[::-1])


@few
@given(values=NUMBERS, cap=st.sampled_from([1.0, 20.0, 50.0]))
def test_scores_are_bent_below_their_cap(values: Floats, cap: float) -> None:
    found = values.copy()[None]
    bend(found, np.float32(cap))
    assert np.all(np.abs(found) <= cap)
    assert np.allclose(found[0], cap * np.tanh(values.astype(np.float64) / cap), atol=3e-7 * cap)

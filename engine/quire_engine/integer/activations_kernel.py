"""What is between the two products of an MLP, and caps of scores, with the same bits on every processor."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.portable_math import exp, silu

Floats = npt.NDArray[np.float32]

SILU, GELU_TANH, GELU, RELU_SQUARED = range(4)
"""Activations, as `Shape.activation` names them."""
_ONE, _TWO, _HALF, _ZERO = np.float32(1.0), np.float32(2.0), np.float32(0.5), np.float32(0.0)
_ROOT, _CUBE = np.float32(1.5957691216057308), np.float32(0.044715)  # 2 * sqrt(2 / pi)
_ROOT_HALF = np.float32(0.7071067811865476)
# Abramowitz and Stegun 7.1.26 for the error function, off by 1.5e-7 at most
_P, _A1, _A2 = np.float32(0.3275911), np.float32(0.254829592), np.float32(-0.284496736)
_A3, _A4, _A5 = np.float32(1.421413741), np.float32(-1.453152027), np.float32(1.061405429)


@njit(inline="always", error_model="numpy")
def tanh(x: np.float32) -> np.float32:
    """Return the hyperbolic tangent to about 1e-7."""
    bent: np.float32 = _ONE - _TWO / (exp(_TWO * x) + _ONE)
    return bent


@njit(inline="always", error_model="numpy")
def gelu_tanh(x: np.float32) -> np.float32:
    """Return the approximation of GELU by tanh."""
    passed: np.float32 = x / (_ONE + exp(-(_ROOT * (x + _CUBE * ((x * x) * x)))))
    return passed


@njit(inline="always", error_model="numpy")
def gelu(x: np.float32) -> np.float32:
    """Return x times the normal distribution's share below x."""
    size = abs(x) * _ROOT_HALF
    t = _ONE / (_ONE + _P * size)
    tail = ((((_A5 * t + _A4) * t + _A3) * t + _A2) * t + _A1) * t * exp(-(size * size))
    below = _HALF * tail
    passed: np.float32 = x * (_ONE - below if x >= _ZERO else below)
    return passed


@kernel
def activate(values: Floats, kind: int) -> None:
    """Replace numbers by their activations."""
    if kind == SILU:
        for j in range(len(values)):
            values[j] = silu(values[j])
    elif kind == GELU_TANH:
        for j in range(len(values)):
            values[j] = gelu_tanh(values[j])
    elif kind == GELU:
        for j in range(len(values)):
            values[j] = gelu(values[j])
    else:
        for j in range(len(values)):
            positive = values[j] if values[j] > _ZERO else _ZERO
            values[j] = positive * positive


@kernel
def gate(values: Floats, count: int, kind: int) -> None:
    """Replace the first half of a row, gates, by their activations times the second half."""
    gates, ups = values[:count], values[count : 2 * count]
    activate(gates, kind)
    for j in range(len(gates)):
        gates[j] *= ups[j]


@kernel
def bend(scores: Floats, cap: np.float32) -> None:
    """Replace scores (rows, columns) by cap * tanh(score / cap)."""
    for row in range(scores.shape[0]):
        line = scores[row]
        for j in range(len(line)):
            line[j] = cap * tanh(line[j] / cap)

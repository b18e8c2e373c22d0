"""An orthogonal change of basis that spreads outliers over all numbers of a vector.

Folded into the weights on both sides of the residual stream it changes nothing but how well 127 steps fit a
row (QuaRot, arXiv 2404.00456; SpinQuant, arXiv 2405.16406). It is a Hadamard transform of the largest power
of two in the width, a Hartley transform of the odd rest, and random signs: weights that are rotated on
different computers have the same bits, for nothing here depends on a library.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.integer.kernel_kinds import kernel, kernel_part
from quire_engine.integer.portable_angles import cos_and_sin

Floats = npt.NDArray[np.float32]

PANEL = 32
"""Vectors that are rotated side by side: columns of a matrix (width, PANEL)."""
_SEED = 20_240_404
_TURN = 6.283185307179586


@dataclass(frozen=True, slots=True)
class Rotation:
    """A rotation of vectors of one width.

    Attributes:
        signs: (width,) float32, 1 or -1.
        rest: (odd, odd) float32, orthogonal and symmetric.
    """

    signs: Floats
    rest: Floats

    @classmethod
    def of_width(cls, width: int) -> Rotation:
        """Return the rotation for vectors of this width; always the same one."""
        power = width & -width
        return cls(_signs(width), _hartley(width // power))

    def apply(self, vectors: Tensor) -> Tensor:
        """Rotate vectors (..., width), float32."""
        return self._mixed(vectors * torch.from_numpy(self.signs))

    def undo(self, vectors: Tensor) -> Tensor:
        """Rotate vectors (..., width) back."""
        return self._mixed(vectors) * torch.from_numpy(self.signs)

    def _mixed(self, vectors: Tensor) -> Tensor:
        odd = self.rest.shape[0]
        power = vectors.shape[-1] // odd
        parts = vectors.reshape(-1, odd, power)
        parts = torch.einsum("nop,oq,pr->nqr", parts, torch.from_numpy(self.rest), _hadamard(power))
        return parts.reshape(vectors.shape)


def _signs(width: int) -> Floats:
    """Return signs by the random numbers of SplitMix64, which are the same in every library."""
    state = np.arange(1, width + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state += np.uint64(_SEED + width)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = (state >> np.uint64(63)).astype(np.float32)
    signs: Floats = bits * np.float32(2) - np.float32(1)
    return signs


def _hartley(odd: int) -> Floats:
    """Return the discrete Hartley transform, whose numbers are all about equally large."""
    turns = np.outer(np.arange(odd), np.arange(odd)) % odd
    angles: npt.NDArray[np.float64] = turns.astype(np.float64) * (_TURN / odd)
    cos, sin = cos_and_sin(angles)
    return (cos + sin) * np.float32(1.0 / math.sqrt(odd))


@cache
def _hadamard(power: int) -> Tensor:
    """Return the orthonormal Hadamard matrix."""
    square = torch.ones(1, 1)
    while square.shape[0] < power:
        square = torch.cat([torch.cat([square, square], 1), torch.cat([square, -square], 1)])
    return square / math.sqrt(power)


@kernel_part
def rotate_panel(panel: Floats, signs: Floats, rest: Floats, room: Floats) -> None:
    """Rotate the columns of a panel, in place and in an order that is fixed.

    Args:
        panel: (width, PANEL).
        signs, rest: as in Rotation.
        room: (odd, PANEL), overwritten.
    """
    width, odd = len(signs), len(rest)
    power = width // odd
    for i in range(width):
        line, sign = panel[i], signs[i]
        for lane in range(PANEL):
            line[lane] *= sign
    if odd > 1:
        for place in range(power):
            for row in range(odd):
                to = room[row]
                for lane in range(PANEL):
                    to[lane] = 0.0
                for other in range(odd):
                    line, factor = panel[other * power + place], rest[other, row]
                    for lane in range(PANEL):
                        to[lane] += line[lane] * factor
            for row in range(odd):
                line, to = panel[row * power + place], room[row]
                for lane in range(PANEL):
                    line[lane] = to[lane]
    step = 1
    while step < power:
        for start in range(0, width, 2 * step):
            for i in range(start, start + step):
                left, right = panel[i], panel[i + step]
                for lane in range(PANEL):
                    a, b = left[lane], right[lane]
                    left[lane] = a + b
                    right[lane] = a - b
        step *= 2
    factor = np.float32(1.0 / math.sqrt(power))
    for i in range(width):
        line = panel[i]
        for lane in range(PANEL):
            line[lane] *= factor


@kernel_part
def rotate_row(vector: Floats, signs: Floats, rest: Floats) -> None:
    """Rotate one vector, in place and in the order of `rotate_panel`."""
    for i in range(len(vector)):
        vector[i] *= signs[i]
    _mix_row(vector, rest)


@kernel_part
def unrotate_row(vector: Floats, signs: Floats, rest: Floats) -> None:
    """Rotate one vector back, in place."""
    _mix_row(vector, rest)
    for i in range(len(vector)):
        vector[i] *= signs[i]


@kernel_part
def _mix_row(vector: Floats, rest: Floats) -> None:
    """Transform one vector; the transform is its own inverse."""
    width, odd = len(vector), len(rest)
    power = width // odd
    if odd > 1:
        room = np.empty(odd, np.float32)
        for place in range(power):
            for row in range(odd):
                total = np.float32(0.0)
                for other in range(odd):
                    total += vector[other * power + place] * rest[other, row]
                room[row] = total
            for row in range(odd):
                vector[row * power + place] = room[row]
    step = 1
    while step < power:
        for start in range(0, width, 2 * step):
            left, right = vector[start : start + step], vector[start + step : start + 2 * step]
            for i in range(step):
                a, b = left[i], right[i]
                left[i] = a + b
                right[i] = a - b
        step *= 2
    factor = np.float32(1.0 / math.sqrt(power))
    for i in range(width):
        vector[i] *= factor


@kernel
def rotate_columns(matrix: Floats, signs: Floats, rest: Floats) -> None:
    """Rotate the outputs of a weight (pieces * width, inputs) piece by piece, in place."""
    width = len(signs)
    panel, room = np.empty((width, PANEL), np.float32), np.empty((len(rest), PANEL), np.float32)
    for piece in range(0, matrix.shape[0], width):
        for first in range(0, matrix.shape[1], PANEL):
            count = min(PANEL, matrix.shape[1] - first)
            for i in range(width):
                line, to = matrix[piece + i], panel[i]
                for lane in range(count):
                    to[lane] = line[first + lane]
                for lane in range(count, PANEL):
                    to[lane] = 0.0
            rotate_panel(panel, signs, rest, room)
            for i in range(width):
                line, to = panel[i], matrix[piece + i]
                for lane in range(count):
                    to[first + lane] = line[lane]

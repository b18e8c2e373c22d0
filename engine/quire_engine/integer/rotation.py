"""An orthogonal change of basis that spreads outliers over all numbers of a vector.

Folded into the weights on both sides of the residual stream it changes nothing but how well 127 steps fit a
row
(QuaRot, arXiv 2404.00456; SpinQuant, arXiv 2405.16406). It is a Hadamard transform of the largest power of
two in
the width, an orthogonal matrix for the odd rest, and random signs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

_SEED = 20_240_404


@dataclass(frozen=True, slots=True)
class Rotation:
    """A rotation of vectors of one width.

    Attributes:
        signs: (width,) 1 or -1.
        rest: (odd, odd), orthogonal.
    """

    signs: Tensor
    rest: Tensor

    @classmethod
    def of_width(cls, width: int) -> Rotation:
        """Return the rotation for vectors of this width; always the same one."""
        power = width & -width
        random = np.random.Generator(np.random.PCG64(_SEED + width))
        signs = torch.from_numpy(random.integers(0, 2, width) * 2.0 - 1.0).float()
        square = random.standard_normal((width // power, width // power))
        rest = np.linalg.qr(square)[0]
        return cls(signs, torch.from_numpy(rest).float())

    def apply(self, vectors: Tensor) -> Tensor:
        """Rotate vectors (..., width), float32."""
        return self._mixed(vectors * self.signs, self.rest)

    def undo(self, vectors: Tensor) -> Tensor:
        """Rotate vectors (..., width) back."""
        return self._mixed(vectors, self.rest.T) * self.signs

    def apply_to_outputs(self, weight: Tensor) -> Tensor:
        """Return a weight (outputs, inputs) whose outputs are rotated."""
        return self.apply(weight.T).T.contiguous()

    def _mixed(self, vectors: Tensor, rest: Tensor) -> Tensor:
        odd = rest.shape[0]
        power = vectors.shape[-1] // odd
        parts = vectors.reshape(-1, odd, power)
        if odd > 1:
            parts = torch.einsum("nop,oq->nqp", parts, rest)
        return _hadamard(parts).reshape(vectors.shape)


def _hadamard(parts: Tensor) -> Tensor:
    """Apply the orthonormal Hadamard transform along the last axis, a power of two."""
    length = parts.shape[-1]
    flat, step = parts.reshape(-1, length), 1
    while step < length:
        pairs = flat.reshape(-1, length // (2 * step), 2, step)
        left, right = pairs[:, :, 0], pairs[:, :, 1]
        flat = torch.stack((left + right, left - right), dim=2).reshape(-1, length)
        step *= 2
    scaled: Tensor = flat * (1.0 / length**0.5)
    return scaled.reshape(parts.shape)

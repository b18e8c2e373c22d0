"""Embeddings and head of a model in integers, as drafters borrow them."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.integer.activations_kernel import bend
from quire_engine.integer.attention_kernel import POSITIONS
from quire_engine.integer.integer_weights import IntegerWeights
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.pass_data import new_room
from quire_engine.integer.pass_team import PassTeam
from quire_engine.integer.rotation import unrotate_row
from quire_engine.integer.row_kernels import reciprocal_rms

Floats = npt.NDArray[np.float32]


class IntegerEnds:
    """What the model makes of ids, and of its last hidden states.

    at_once: rows that are scored at a time.
    """

    def __init__(self, weights: IntegerWeights, at_once: int) -> None:
        self._weights = weights
        self._at_once = at_once
        self._room = new_room(weights.layers, weights.shape, at_once, at_once, POSITIONS, 1)
        self._team = PassTeam()
        self._scoring = threading.Lock()  # a drafter that learns scores beside one that drafts
        norm = weights.final_norm
        # a number whose norm has no weight takes no part in any score
        self._inverse_norm = torch.where(norm == 0, 0.0, 1.0 / norm)
        self._norm = np.ascontiguousarray(norm.float().numpy())
        self._norm_bias = np.ascontiguousarray(weights.final_bias.float().expand(len(norm)).numpy())

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return torch.device("cpu")

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of these ids as the first layer sees them. (rows,) -> (rows, width)."""
        weights = self._weights
        rows = np.empty((len(ids), weights.embedding.shape[1]), np.float32)
        _look_up(
            weights.embedding,
            weights.embedding_scales,
            ids.numpy(),
            weights.rotation.signs,
            weights.rotation.rest,
            rows,
        )
        return torch.from_numpy(rows)

    def rotated(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the rotated embeddings of these ids, which the first layer really sees."""
        weights = self._weights
        return weights.embedding[ids].astype(np.float32) * weights.embedding_scales[ids, None]

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of the next token, float32 (rows, vocab). hidden: normed, of any origin."""
        weights = self._weights
        plain = (hidden.float() - weights.final_bias) * self._inverse_norm
        # the head norms what it is given, and a guess is not always as long as a normed row
        length = (plain.square().mean(-1, keepdim=True) + weights.shape.eps).sqrt()
        bias = torch.from_numpy(weights.head.bias[0]) if weights.head.bias.size else torch.zeros(1)
        logits = self._uncapped(weights.rotation.apply(plain).numpy()).sub_(bias).mul_(length).add_(bias)
        self.cap(logits.numpy())
        return logits

    def cap(self, logits: npt.NDArray[np.float32]) -> None:
        """Bend logits (rows, ids) below the model's cap, in place."""
        if self._weights.score_cap:
            bend(logits, np.float32(self._weights.score_cap))

    def of_residuals(self, residuals: npt.NDArray[np.float32]) -> Tensor:
        """Return the logits of rotated residuals, as a decode pass computes them."""
        logits = self._uncapped(residuals)
        self.cap(logits.numpy())
        return logits

    def _uncapped(self, residuals: npt.NDArray[np.float32]) -> Tensor:
        weights, at_once = self._weights, self._at_once
        logits = np.empty((len(residuals), weights.num_ids), np.float32)
        for start in range(0, len(residuals), at_once):
            rows = np.ascontiguousarray(residuals[start : start + at_once])
            out = logits[start : start + len(rows)]
            with self._scoring:
                self._team.score(rows, weights.head, weights.shape, self._room, out)
        return torch.from_numpy(logits)

    def hidden(self, residuals: npt.NDArray[np.float32]) -> Tensor:
        """Return hidden states as the library returns them, (rows, width), final norm applied."""
        rotation, rows = self._weights.rotation, residuals.astype(np.float32)
        _norm_residuals(
            rows, rotation.signs, rotation.rest, self._norm, self._norm_bias, self._weights.shape.eps
        )
        return torch.from_numpy(rows)


@kernel
def _norm_residuals(
    rows: Floats, signs: Floats, rest: Floats, weight: Floats, bias: Floats, eps: float
) -> None:
    """Rotate rows back and norm them, in place."""
    width = rows.shape[1]
    for place in range(len(rows)):  # and not each row of them, which numba takes for another kind of array
        row = rows[place]
        unrotate_row(row, signs, rest)
        factor = reciprocal_rms(row, width, eps)
        for j in range(width):
            row[j] = (row[j] * factor) * weight[j] + bias[j]


@kernel
def _look_up(
    table: npt.NDArray[np.int16],
    scales: Floats,
    ids: npt.NDArray[np.int64],
    signs: Floats,
    rest: Floats,
    rows: Floats,
) -> None:
    """Write the embeddings of some ids, rotated back."""
    for place in range(len(ids)):
        row, numbers, scale = rows[place], table[ids[place]], scales[ids[place]]
        for j in range(len(row)):
            row[j] = numbers[j] * scale
        unrotate_row(row, signs, rest)

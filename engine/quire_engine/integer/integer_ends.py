"""Embeddings and head of a model in integers, as drafters borrow them."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.integer.activations_kernel import bend
from quire_engine.integer.attention_kernel import POSITIONS
from quire_engine.integer.block_model import BlockModel
from quire_engine.integer.block_product import read_row
from quire_engine.integer.kernel_kinds import kernel
from quire_engine.integer.pass_data import Layers, Norms, new_room
from quire_engine.integer.pass_team import PassTeam
from quire_engine.integer.row_kernels import norm_row

Floats = npt.NDArray[np.float32]


class IntegerEnds:
    """What the model makes of ids, and of its last hidden states.

    at_once: rows that are scored at a time.
    """

    def __init__(self, model: BlockModel, at_once: int) -> None:
        self._model = model
        self._at_once = at_once
        self._room = new_room(model.layers, model.shape, at_once, at_once, POSITIONS, 1)
        self._team = PassTeam()
        self._scoring = threading.Lock()  # a drafter that learns scores beside one that drafts
        none = np.zeros((1, 0), np.float32)
        self._normed_already = model.layers._replace(last_norm=Norms(none, none))

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return torch.device("cpu")

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of these ids as the first layer sees them. (rows,) -> (rows, width)."""
        return torch.from_numpy(self.rows_of(ids.numpy()))

    def rows_of(self, ids: npt.NDArray[np.int64]) -> Floats:
        """Return the same of an array."""
        table = self._model.embedding
        rows = np.empty((len(ids), table.inputs), np.float32)
        factor = np.float32(self._model.shape.embedding_factor)
        _look_up(table.address, table.form, table.inputs, np.ascontiguousarray(ids), factor, rows)
        return rows

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of the next token, float32 (rows, vocab). hidden: normed, of any origin."""
        return self._scores(hidden.float().numpy(), self._normed_already)

    def bend(self, logits: Floats) -> None:
        """Make logits of the head's scores (rows, ids), in place: multiplied, and bent below a cap."""
        shape = self._model.shape
        if shape.score_factor != 1.0:
            logits *= np.float32(shape.score_factor)
        if shape.score_cap:
            bend(logits, np.float32(shape.score_cap))

    def of_residuals(self, residuals: Floats) -> Tensor:
        """Return the logits of residuals, as a decode pass computes them."""
        return self._scores(residuals, self._model.layers)

    def _scores(self, states: Floats, layers: Layers) -> Tensor:
        at_once = self._at_once
        logits = np.empty((len(states), self._model.num_ids), np.float32)
        for start in range(0, len(states), at_once):
            rows = np.ascontiguousarray(states[start : start + at_once])
            out = logits[start : start + len(rows)]
            with self._scoring:
                self._team.score(rows, layers, self._model.shape, self._room, out)
        self.bend(logits)
        return torch.from_numpy(logits)

    def hidden(self, residuals: Floats) -> Tensor:
        """Return hidden states as the library returns them, (rows, width), final norm applied."""
        norm, shape = self._model.layers.last_norm, self._model.shape
        rows = np.empty(residuals.shape, np.float32)
        _norm_rows(
            np.ascontiguousarray(residuals),
            norm.weight[0],
            norm.bias[0],
            shape.subtracts_mean,
            shape.eps,
            rows,
        )
        return torch.from_numpy(rows)


@kernel
def _norm_rows(
    rows: Floats, weight: Floats, bias: Floats, subtracts_mean: bool, eps: float, out: Floats
) -> None:
    for place in range(len(rows)):
        norm_row(rows[place], weight, bias, subtracts_mean, eps, out[place])


@kernel
def _look_up(
    address: int, form: int, inputs: int, ids: npt.NDArray[np.int64], factor: np.float32, rows: Floats
) -> None:
    """Write the embeddings of some ids."""
    for place in range(len(ids)):
        row = rows[place]
        read_row(address, form, inputs, ids[place], row)
        for j in range(len(row)):
            row[j] *= factor

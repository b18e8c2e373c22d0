"""A model by its parts, whatever its family and files: passes in whole numbers are assembled from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from quire_engine.integer.block_packing import PackedWeight

Floats = npt.NDArray[np.float32]
Order = npt.NDArray[np.int64]
Bits = Literal[4, 8]
"""Of a number whose file has none of the blocks that products know."""


class Weight(Protocol):
    """A matrix in a file: nothing of it is read before it is asked for."""

    @property
    def outputs(self) -> int:
        """Its rows."""
        ...

    @property
    def inputs(self) -> int:
        """The numbers of a row."""
        ...

    def rows(self, places: slice | Order) -> Weight:
        """Return some of its rows, in this order."""
        ...

    def packed(self) -> PackedWeight:
        """Read it as products read it: in the file's own blocks, or cut into some.

        NotFinite if a number in it is NaN or infinite.
        """
        ...

    def floats(self) -> Floats:
        """Read the numbers that the file stands for, (outputs, inputs)."""
        ...


@dataclass(frozen=True, slots=True)
class Affine:
    """A weight (outputs, inputs) and a bias (outputs,)."""

    weight: Weight
    bias: Floats | None = None

    def rows(self, places: slice | Order) -> Affine:
        """Return some of its outputs, in this order."""
        return Affine(self.weight.rows(places), None if self.bias is None else self.bias[places])


@dataclass(frozen=True, slots=True)
class Norm:
    """The numbers that a norm multiplies by (1 is added where the family does) and adds."""

    weight: Floats
    bias: Floats | None = None


@dataclass(frozen=True, slots=True)
class MlpParts:
    """One MLP of a layer: the only one, or one of its experts."""

    gate: Affine | None
    up: Affine
    down: Affine


@dataclass(frozen=True, slots=True)
class LayerParts:
    """One layer.

    Attributes:
        attention_norm, mlp_norm: of the residuals, before attention and MLP; None: they are read as they are.
            The same object where attention and MLP read the same numbers.
        query_norm, key_norm: weights of the norms of heads, (head,) or (numbers of all heads,).
        after_attention, after_mlp: weights of the norms of what is added to the residuals, (width,).
        mlps: one, or the experts; the last `shared` ones are for every row.
        router: (experts, width) of those that can be chosen, and below them of the shared ones if they have a
            score; None where there is nothing to choose. It reads normed residuals.
        window: positions that a row sees; 0 for all.
        turn: which table of angles is its own.
    """

    attention_norm: Norm | None
    queries: Affine
    keys: Affine
    values: Affine
    out: Affine
    query_norm: Floats | None
    key_norm: Floats | None
    after_attention: Floats | None
    mlp_norm: Norm | None
    mlps: tuple[MlpParts, ...]
    router: Floats | None
    shared: int
    after_mlp: Floats | None
    window: int
    turn: int


@dataclass(frozen=True, slots=True)
class ModelParts:
    """A whole model. Queries and keys turn by pairs that are half of the rotated numbers apart.

    Attributes:
        num_ids: rows of the embedding and of the head.
        inner: numbers of an MLP, or of one expert.
        activation: see `activations_kernel`.
        is_gated: MLPs have gates.
        is_parallel: attention and MLP read the same residuals.
        subtracts_mean: norms of residuals subtract the mean.
        attention_factor: scores of the attention are multiplied by it. attention_cap: they are bent below it;
            0: they are not.
        chosen: experts that a row chooses; 0: there is nothing to choose. shares_add_up: their shares are 1.
        embedding_factor: embeddings are multiplied by it; residual_factor: what is added to the residuals;
            score_factor: scores of the head (with their bias), before they are bent below score_cap.
        frequencies: (tables, half of the rotated numbers) float64, radians per position; the last table is of
            layers without positions. angle_scales: (tables,) factors of sines and cosines (YaRN).
        growth: of the logarithm by which queries are multiplied, and the positions for which they aren't.
        turns_first: queries and keys turn before they are normed.
        layer: reads what isn't a matrix of a layer, by its number.
    """

    num_layers: int
    num_ids: int
    width: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    eps: float
    activation: int
    is_gated: bool
    is_parallel: bool
    subtracts_mean: bool
    attention_factor: float
    attention_cap: float
    chosen: int
    shares_add_up: bool
    embedding_factor: float
    residual_factor: float
    score_factor: float
    score_cap: float
    frequencies: npt.NDArray[np.float64]
    angle_scales: Floats
    growth: tuple[float, int]
    turns_first: bool
    embedding: Weight
    output: Affine
    """The LM head's; the same Weight object as the embedding where they are tied."""
    final_norm: Norm
    layer: Callable[[int], LayerParts]

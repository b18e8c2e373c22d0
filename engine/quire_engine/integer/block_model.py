"""A model in blocks: its parts, packed for passes and described layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quire_engine.integer.block_packing import NotFinite, PackedWeight
from quire_engine.integer.model_parts import Affine, LayerParts, MlpParts, ModelParts, Norm
from quire_engine.integer.pass_data import Layers, Norms, Products, Shape

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BlockModel:
    """A model as passes read it.

    Attributes:
        layers: have the addresses of `weights`, which live as long as this.
        embedding: (ids, width); the head's own weight where they are tied.
        frequencies: (tables, half of the rotated numbers) float64, radians per position.
        angle_scales: (tables,) factors of sines and cosines (YaRN).
        growth: as of `ModelParts`.
    """

    shape: Shape
    layers: Layers
    embedding: PackedWeight
    frequencies: npt.NDArray[np.float64]
    angle_scales: Floats
    growth: tuple[float, int]
    weights: tuple[PackedWeight, ...]

    @property
    def num_ids(self) -> int:
        """Rows of the head."""
        return int(self.layers.head.outputs[0])

    @property
    def num_bytes(self) -> int:
        """Memory of the weights."""
        return sum(each.num_bytes for each in {id(each): each for each in self.weights}.values())


def assemble(parts: ModelParts, report: Callable[[float], None] = lambda _share: None) -> BlockModel:
    """Pack a model, two weights at a time.

    Args:
        report: told the share that is done; may raise to stop.

    Raises:
        NotFinite: a weight is NaN or infinite.
        ValueError: a model without layers.
    """
    if not parts.num_layers:
        raise ValueError("the model has no layers")
    layers = [parts.layer(number) for number in range(parts.num_layers)]
    tied = parts.output.weight is parts.embedding
    # one reads while the other packs; both leave the interpreter to others
    pool = ThreadPoolExecutor(2, "packing")
    try:
        ends = [pool.submit(each.packed) for each in (parts.embedding, parts.output.weight)[: 2 - tied]]
        packed: list[_PackedLayer] = []
        for each in pool.map(_pack_layer, layers):
            report(len(packed) / (parts.num_layers + 1))
            packed.append(each)
        embedding, head = ends[0].result(), _Packed((ends[-1].result(),), _bias((parts.output,)))
    finally:
        pool.shutdown(cancel_futures=True)
    kinds = (
        [each.qkv for each in packed],
        [each.out for each in packed],
        [gate_up for each in packed for gate_up, _ in each.mlps],
        [down for each in packed for _, down in each.mlps],
    )
    first = layers[0]
    routers = [np.zeros((0, 0), np.float32) if each.router is None else each.router.T for each in layers]
    model = BlockModel(
        _shape(parts, first),
        Layers(
            _products(kinds[0]),
            _products(kinds[1]),
            _products(kinds[2]),
            _products(kinds[3]),
            _norms([each.attention_norm for each in layers]),
            _norms([each.mlp_norm for each in layers]),
            _vectors([each.query_norm for each in layers]),
            _vectors([each.key_norm for each in layers]),
            np.array([each.window for each in layers], np.int64),
            np.array([each.turn for each in layers], np.int64),
            _vectors([each.after_attention for each in layers]),
            _vectors([each.after_mlp for each in layers]),
            np.ascontiguousarray(np.stack(routers), np.float32),
            _norms([parts.final_norm]),
            _products([head]),
        ),
        embedding,
        parts.frequencies,
        parts.angle_scales,
        parts.growth,
        (embedding, *head.weights, *(weight for kind in kinds for one in kind for weight in one.weights)),
    )
    if not all(np.isfinite(each).all() for each in _floats(model.layers)):
        raise NotFinite("a norm, a bias or a router is not finite")
    return model


@dataclass(frozen=True, slots=True)
class _Packed:
    """The parts of one product. bias: of all their outputs, or empty."""

    weights: tuple[PackedWeight, ...]
    bias: Floats


@dataclass(frozen=True, slots=True)
class _PackedLayer:
    """The products of one layer. mlps: gate and up, and down, of each."""

    qkv: _Packed
    out: _Packed
    mlps: tuple[tuple[_Packed, _Packed], ...]


def _pack_layer(layer: LayerParts) -> _PackedLayer:
    return _PackedLayer(
        _pack(layer.queries, layer.keys, layer.values),
        _pack(layer.out),
        tuple((_pack(*_ups(mlp)), _pack(mlp.down)) for mlp in layer.mlps),
    )


def _pack(*parts: Affine) -> _Packed:
    return _Packed(tuple(each.weight.packed() for each in parts), _bias(parts))


def _bias(parts: Sequence[Affine]) -> Floats:
    """Join the biases of parts, of which some may have none."""
    if all(each.bias is None for each in parts):
        return np.zeros(0, np.float32)
    none = (np.zeros(each.weight.outputs, np.float32) if each.bias is None else each.bias for each in parts)
    return np.concatenate(list(none))


def _ups(mlp: MlpParts) -> tuple[Affine, ...]:
    """Return the weights by which an MLP reads residuals."""
    return (mlp.up,) if mlp.gate is None else (mlp.gate, mlp.up)


def _products(packed: Sequence[_Packed]) -> Products:
    first = packed[0].weights
    return Products(
        np.array([[part.address for part in each.weights] for each in packed], np.int64),
        np.array([[part.form for part in each.weights] for each in packed], np.int64),
        np.array([part.outputs for part in first], np.int64),
        first[0].inputs,
        _vectors([each.bias for each in packed]),
    )


def _vectors(vectors: Sequence[Floats | None]) -> Floats:
    """Stack vectors of the layers; all of them may be missing."""
    size = max(0 if each is None else len(each) for each in vectors)
    found = np.zeros((len(vectors), size), np.float32)
    for row, each in zip(found, vectors, strict=True):
        if each is not None:
            row[: len(each)] = each
    return found


def _norms(norms: Sequence[Norm | None]) -> Norms:
    weight = _vectors([None if each is None else each.weight for each in norms])
    return Norms(weight, _vectors([None if each is None else each.bias for each in norms]))


def _floats(layers: Layers) -> list[npt.NDArray[Any]]:
    """List the numbers that aren't in blocks."""
    found: list[npt.NDArray[Any]] = []
    for part in layers:
        arrays = part if isinstance(part, tuple) else (part,)
        found.extend(each for each in arrays if isinstance(each, np.ndarray))
    return found


def _shape(parts: ModelParts, first: LayerParts) -> Shape:
    return Shape(
        parts.width,
        parts.heads,
        parts.kv_heads,
        parts.head,
        parts.inner,
        parts.eps,
        parts.attention_factor,
        parts.activation,
        parts.is_gated,
        parts.is_parallel,
        parts.subtracts_mean,
        parts.embedding_factor,
        parts.residual_factor,
        parts.attention_cap,
        parts.score_factor,
        parts.score_cap,
        len(first.mlps),
        parts.chosen,
        first.shared,
        parts.shares_add_up,
        parts.turns_first,
    )

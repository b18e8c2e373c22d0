"""A model in blocks: its parts, packed for passes and described layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """

    shape: Shape
    layers: Layers
    embedding: PackedWeight
    frequencies: npt.NDArray[np.float64]
    angle_scales: Floats
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
    """Pack a model, layer after layer.

    Args:
        report: told the share that is done; may raise to stop.

    Raises:
        NotFinite: a weight is NaN or infinite.
        ValueError: a model without layers.
    """
    if not parts.num_layers:
        raise ValueError("the model has no layers")
    room = _Room([], [], [], [])
    layers: list[LayerParts] = []
    for number in range(parts.num_layers):
        report(number / (parts.num_layers + 1))
        layers.append(parts.layer(number))
        room.pack(layers[-1])
    embedding = parts.embedding.packed()
    tied = parts.output.weight is parts.embedding
    head = _Packed((embedding if tied else parts.output.weight.packed(),), _bias((parts.output,)))
    first = layers[0]
    routers = [np.zeros((0, 0), np.float32) if each.router is None else each.router.T for each in layers]
    model = BlockModel(
        _shape(parts, first),
        Layers(
            _products(room.qkv),
            _products(room.out),
            _products(room.gate_up),
            _products(room.down),
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
        (embedding, *head.weights, *room.weights()),
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
class _Room:
    """The products of all layers by their kind."""

    qkv: list[_Packed]
    out: list[_Packed]
    gate_up: list[_Packed]
    down: list[_Packed]

    def pack(self, layer: LayerParts) -> None:
        """Pack one layer's."""
        self.qkv.append(_pack(layer.queries, layer.keys, layer.values))
        self.out.append(_pack(layer.out))
        for mlp in layer.mlps:
            self.gate_up.append(_pack(*_ups(mlp)))
            self.down.append(_pack(mlp.down))

    def weights(self) -> list[PackedWeight]:
        """List all of them."""
        kinds = (self.qkv, self.out, self.gate_up, self.down)
        return [weight for kind in kinds for packed in kind for weight in packed.weights]


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
    )

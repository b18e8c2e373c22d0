"""A model by its parts, from the names of its weights: families name and join them differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.weight_shapes import num_experts
from quire_engine.catalog.weights.file_tensor import ALL, FileTensor
from quire_engine.integer import family_traits as traits
from quire_engine.integer.block_packing import PACKED_TYPES, PackedWeight, pack_floats, pack_rows
from quire_engine.integer.model_parts import (
    Affine,
    Bits,
    Floats,
    LayerParts,
    MlpParts,
    ModelParts,
    Norm,
    Order,
)
from quire_engine.integer.rope_tables import frequencies

Tensors = Mapping[str, Tensor]
_PLAIN = frozenset({"BF16", "F16", "F32", "F64"})
_LAST_NORMS = ("model.norm", "model.final_layernorm", "gpt_neox.final_layer_norm")
_OUTPUTS = ("lm_head", "embed_out")


@dataclass(frozen=True, slots=True)
class FileWeight:
    """A matrix in a file.

    Attributes:
        places: its outputs, as rows of the tensor; None: all.
        bits: of a number, where the file has no blocks that products know.
    """

    tensor: FileTensor
    places: Order | None = None
    bits: Bits = 8

    @property
    def outputs(self) -> int:
        return self.tensor.num_rows if self.places is None else len(self.places)

    @property
    def inputs(self) -> int:
        return self.tensor.width

    def rows(self, places: slice | Order) -> FileWeight:
        own = np.arange(self.tensor.num_rows) if self.places is None else self.places
        return replace(self, places=own[places])

    def packed(self) -> PackedWeight:
        is_cut = self.bits == 4 and self.tensor.dtype in _PLAIN
        stored = None if is_cut else self.tensor.blocks(ALL if self.places is None else self.places)
        if stored is not None and stored[1] in PACKED_TYPES:
            return pack_rows(np.ascontiguousarray(stored[0]), stored[1], self.inputs)
        return pack_floats(self.floats(), self.bits)

    def floats(self) -> Floats:
        return self.tensor.floats(ALL if self.places is None else self.places)


@dataclass(frozen=True, slots=True)
class PieceWeight:
    """Some outputs and inputs of a matrix, with zeros where it ends before. first, size: of each."""

    weight: FileWeight
    first: tuple[int, int]
    size: tuple[int, int]

    @property
    def outputs(self) -> int:
        return self.size[0]

    @property
    def inputs(self) -> int:
        return self.size[1]

    def rows(self, places: slice | Order) -> PieceWeight:
        raise NotImplementedError("pieces of experts are not reordered")

    def packed(self) -> PackedWeight:
        return pack_floats(self.floats(), self.weight.bits)

    def floats(self) -> Floats:
        (row, column), (outputs, inputs) = self.first, self.size
        found = self.weight.rows(slice(row, row + outputs)).floats()[:, column : column + inputs]
        return np.pad(found, ((0, outputs - found.shape[0]), (0, inputs - found.shape[1])))


def model_parts(tensors: Tensors, config: Any, bits: Bits = 8) -> ModelParts:
    """Return a model's parts; nothing of a matrix is read.

    Args:
        tensors: by the names of its family.
        config: of the library.
        bits: as for `FileWeight`.

    Raises:
        ValueError: a model that passes can't run.
    """
    if problem := traits.unsupported_reason(config):
        raise ValueError(problem)
    return _Family(tensors, config, bits).parts()


class _Family:
    """Finds parts by name."""

    def __init__(self, tensors: Tensors, config: Any, bits: Bits) -> None:
        self._tensors = {name: each for name, each in tensors.items() if isinstance(each, FileTensor)}
        self._config = config
        self._bits: Bits = bits
        self._family = FAMILIES[config.model_type]

    def parts(self) -> ModelParts:
        config = self._config
        table = FileWeight(self._tensors[self._family.embedding], bits=self._bits)
        output = next((name for name in _OUTPUTS if f"{name}.weight" in self._tensors), None)
        is_tied = output is None or bool(config.tie_word_embeddings)
        head = Affine(table, self._bias(_OUTPUTS[0])) if is_tied or output is None else self._affine(output)
        angles, angle_scales = _angles(config)
        last = next((name for name in _LAST_NORMS if f"{name}.weight" in self._tensors), "")
        return ModelParts(
            num_layers=int(config.num_hidden_layers),
            num_ids=head.weight.outputs,
            width=int(config.hidden_size),
            heads=int(config.num_attention_heads),
            kv_heads=traits.kv_heads(config),
            head=traits.head_size(config),
            inner=traits.inner_size(config),
            eps=traits.norm_eps(config),
            activation=traits.activation(config),
            is_gated=self.layer(0).mlps[0].gate is not None,
            is_parallel=traits.is_parallel(config),
            subtracts_mean=traits.subtracts_mean(config),
            attention_factor=traits.attention_factor(config),
            attention_cap=traits.cap_of(config, "attn_logit_softcapping"),
            chosen=int(config.num_experts_per_tok) if num_experts(config) else 0,
            shares_add_up=traits.shares_add_up(config),
            embedding_factor=traits.embedding_factor(config),
            residual_factor=float(getattr(config, "residual_multiplier", 1.0)),
            score_factor=traits.score_factor(config),
            score_cap=traits.cap_of(config, "final_logit_softcapping"),
            frequencies=angles,
            angle_scales=angle_scales,
            growth=traits.query_growth(config),
            turns_first=config.model_type in traits.TURNS_FIRST,
            embedding=table,
            output=head,
            final_norm=self._norm(last),
            layer=self.layer,
        )

    def layer(self, number: int) -> LayerParts:
        config, front = self._config, f"{self._family.layers}{number}."
        attention = front + ("attention." if config.model_type == "gpt_neox" else "self_attn.")
        first, behind_attention, second, behind_mlp = self._norms(front)
        queries, keys, values = self._projections(attention)
        if config.model_type in traits.NEIGHBOURS_TURN:
            queries, keys = (_halves_apart(each, config) for each in (queries, keys))
        mlps, router, shared = self._mlps(front)
        out = attention + ("o_proj" if f"{attention}o_proj.weight" in self._tensors else "dense")
        heads = [
            self._norm(attention + name).weight if f"{attention}{name}.weight" in self._tensors else None
            for name in traits.head_norm_names(config.model_type)
        ]
        return LayerParts(
            first,
            queries,
            keys,
            values,
            self._affine(out),
            heads[0],
            heads[1],
            None if behind_attention is None else behind_attention.weight,
            second,
            mlps,
            router,
            shared,
            None if behind_mlp is None else behind_mlp.weight,
            traits.window(config, number),
            traits.turn(config, number),
        )

    def _norms(self, front: str) -> tuple[Norm | None, Norm | None, Norm | None, Norm | None]:
        """Return the norms before and after the attention, and before and after the MLP."""
        names = traits.norm_names(self._config.model_type)
        if names[2] and traits.has_norms(self._config) and f"{front}{names[2]}.weight" not in self._tensors:
            both = self._norm(front + names[0])
            return both, None, both, None
        first, behind_attention, second, behind_mlp = (
            self._norm(front + name) if name else None for name in names
        )
        return first, behind_attention, second, behind_mlp

    def _projections(self, attention: str) -> tuple[Affine, Affine, Affine]:
        config = self._config
        head, heads = traits.head_size(config), int(config.num_attention_heads)
        if f"{attention}query_key_value.weight" in self._tensors:
            whole = self._affine(f"{attention}query_key_value")  # those of each head together
            places = np.arange(3 * heads * head).reshape(heads, 3, head).transpose(1, 0, 2).reshape(-1)
            queries, keys, values = _split(whole.rows(places), [heads * head] * 3)
        elif f"{attention}qkv_proj.weight" in self._tensors:
            sizes = [heads * head, *(2 * [traits.kv_heads(config) * head])]
            queries, keys, values = _split(self._affine(f"{attention}qkv_proj"), sizes)
        else:
            queries, keys, values = (self._affine(f"{attention}{part}_proj") for part in "qkv")
        return queries, keys, values

    def _mlps(self, front: str) -> tuple[tuple[MlpParts, ...], Floats | None, int]:
        """Return the MLPs of a layer, the router's weight, and how many of them every row goes through."""
        count = num_experts(self._config)
        if not count:
            return (self._mlp(f"{front}mlp."),), None, 0
        sparse = f"{front}block_sparse_moe."
        if f"{sparse}input_linear.weight" in self._tensors:  # of all experts together
            ups, downs = (self._affine(f"{sparse}{name}_linear") for name in ("input", "output"))
            inner, width = ups.weight.outputs // count, downs.weight.outputs // count
            joined = [_split(each, [inner // 2] * 2) for each in _split(ups, [inner] * count)]
            pairs = zip(joined, _split(downs, [width] * count), strict=True)
            experts = tuple(MlpParts(gate, up, down) for (gate, up), down in pairs)
            return experts, self._tensors[f"{sparse}router.layer.weight"].floats(), 0
        if f"{sparse}gate.weight" in self._tensors:
            experts = tuple(self._mlp(f"{sparse}experts.{each}.", "w1", "w3", "w2") for each in range(count))
            return experts, self._tensors[f"{sparse}gate.weight"].floats(), 0
        experts = tuple(self._mlp(f"{front}mlp.experts.{each}.") for each in range(count))
        router = self._tensors[f"{front}mlp.gate.weight"].floats()
        if f"{front}mlp.shared_expert_gate.weight" not in self._tensors:
            return experts, router, 0
        scores = self._tensors[f"{front}mlp.shared_expert_gate.weight"].floats()
        shared = _pieces(self._mlp(f"{front}mlp.shared_expert."), experts[0].up.weight.outputs)
        return (*experts, *shared), np.concatenate([router, scores]), len(shared)

    def _mlp(
        self, front: str, gate: str = "gate_proj", up: str = "up_proj", down: str = "down_proj"
    ) -> MlpParts:
        if f"{front}gate_up_proj.weight" in self._tensors:
            whole = self._affine(f"{front}gate_up_proj")
            first, second = _split(whole, [whole.weight.outputs // 2] * 2)
            return MlpParts(first, second, self._affine(front + down))
        if f"{front}{gate}.weight" in self._tensors:
            return MlpParts(self._affine(front + gate), self._affine(front + up), self._affine(front + down))
        pairs = (("up_proj", "down_proj"), ("fc1", "fc2"), ("c_fc", "c_proj"))
        for one, two in (*pairs, ("dense_h_to_4h", "dense_4h_to_h")):
            if f"{front}{one}.weight" in self._tensors:
                return MlpParts(None, self._affine(front + one), self._affine(front + two))
        raise ValueError("an MLP of an unknown form")

    def _affine(self, name: str) -> Affine:
        return Affine(FileWeight(self._tensors[f"{name}.weight"], bits=self._bits), self._bias(name))

    def _bias(self, name: str) -> Floats | None:
        found = self._tensors.get(f"{name}.bias")
        return None if found is None else found.floats()

    def _norm(self, name: str) -> Norm:
        """Return a norm; one without weights multiplies by 1."""
        stored = self._tensors.get(f"{name}.weight")
        if stored is None:
            return Norm(np.ones(self._config.hidden_size, np.float32))
        weight = stored.floats().reshape(-1)
        weight = weight + np.float32(1) if self._config.model_type in traits.ONE_IS_ADDED else weight
        return Norm(weight, self._bias(name))


def _pieces(mlp: MlpParts, inner: int) -> list[MlpParts]:
    """Return MLPs of this inner size that give together what a larger one gives; the last one is padded."""
    assert mlp.gate is not None
    whole, width = mlp.up.weight.outputs, mlp.up.weight.inputs
    found = []
    for first in range(0, whole, inner):
        gate, up = (PieceWeight(_own(each), (first, 0), (inner, width)) for each in (mlp.gate, mlp.up))
        down = PieceWeight(_own(mlp.down), (0, first), (width, inner))
        found.append(MlpParts(Affine(gate), Affine(up), Affine(down)))
    return found


def _own(part: Affine) -> FileWeight:
    assert isinstance(part.weight, FileWeight)
    return part.weight


def _split(whole: Affine, sizes: list[int]) -> list[Affine]:
    ends = np.cumsum(sizes).tolist()
    return [whole.rows(slice(end - size, end)) for size, end in zip(sizes, ends, strict=True)]


def _halves_apart(part: Affine, config: Any) -> Affine:
    """Return queries or keys whose pairs are half of the rotated numbers apart; products stay the same."""
    head, rope = traits.head_size(config), next(iter(traits.rope_settings(config).values()))
    rotated = traits.rotated_numbers(config, rope)
    within = np.concatenate([np.arange(0, rotated, 2), np.arange(1, rotated, 2), np.arange(rotated, head)])
    heads = np.arange(part.weight.outputs // head)
    return part.rows((heads[:, None] * head + within).reshape(-1))


def _angles(config: Any) -> tuple[npt.NDArray[np.float64], Floats]:
    """Return radians per position by table, and their scales; ValueError where the library has others.

    There is a table for each kind of layer, and one more for layers without positions.
    """
    tables: list[npt.NDArray[np.float64]] = []
    scales: list[float] = []
    for name, rope in traits.rope_settings(config).items():
        found = frequencies(rope, traits.rotated_numbers(config, rope), config.max_position_embeddings)
        scale = 1.0
        if (kind := rope.get("rope_type", "default")) != "default":
            by_layer = {"layer_type": name} if name else {}
            theirs, scale = ROPE_INIT_FUNCTIONS[kind](config, None, **by_layer)
            if found.shape != theirs.shape or not np.allclose(found, theirs.double().numpy(), rtol=1e-5):
                raise ValueError("angles of positions aren't those of the library")
        tables.append(found)
        scales.append(float(scale))
    return np.stack([*tables, np.zeros_like(tables[0])]), np.array([*scales, 1.0], np.float32)

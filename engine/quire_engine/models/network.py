"""The two ways to run a model's layers: the library's own modules, and a fused form for the Llama family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from transformers.modeling_utils import PreTrainedModel

from quire_engine.catalog.model_families import FUSED_TYPES
from quire_engine.models.activations import silu, steady_activations
from quire_engine.models.attention import ATTENTION_NAME, attend_in_pass
from quire_engine.models.int8_weights import SmallLinear
from quire_engine.models.mixture_of_experts import EXPERTS_NAME
from quire_engine.models.target_model import NetworkEnds


class Network(NetworkEnds, Protocol):
    """A decoder without its cache: ids and positions in, hidden states and logits out."""

    @property
    def num_layers(self) -> int:
        """Decoder layers."""
        ...

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Run the layers over the pass in flight. ids, positions: (rows,). Returns (rows, width), normed."""
        ...


class LibraryNetwork:
    """The library's modules, with our attention, experts and activations in the place of theirs."""

    def __init__(self, model: PreTrainedModel) -> None:
        model.set_attn_implementation(ATTENTION_NAME)
        model.set_experts_implementation(EXPERTS_NAME)
        steady_activations(model)
        parts: Any = model  # the library types its modules as "tensor or module"
        self._model = model
        self._head: nn.Module = parts.get_output_embeddings()
        self._embedding: nn.Module = parts.get_input_embeddings()
        config = model.config
        self._embedding_multiplier = float(getattr(config, "embedding_multiplier", None) or 1.0)
        self._logit_scale = float(getattr(config, "logit_scale", None) or 1.0)
        self._logit_divisor = float(getattr(config, "logits_scaling", None) or 1.0)
        self._softcap = float(getattr(config, "final_logit_softcapping", None) or 0.0)

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self._model.device

    @property
    def num_layers(self) -> int:
        """Decoder layers."""
        return int(self._model.config.num_hidden_layers)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of these ids as the first layer sees them. (rows,) -> (rows, width)."""
        embedded: Tensor = self._embedding(ids)
        return embedded * self._embedding_multiplier

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Run the layers over the pass in flight. ids, positions: (rows,). Returns (rows, width), normed."""
        out = self._model.base_model(input_ids=ids[None], position_ids=positions[None], use_cache=False)
        states: Tensor = out.last_hidden_state[0]
        return states

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of the next token, float32 (rows, vocab)."""
        scores: Tensor = self._head(hidden).float()
        if self._logit_scale != 1:  # Cohere 2
            scores.mul_(self._logit_scale)
        if self._logit_divisor != 1:  # Granite
            scores.div_(self._logit_divisor)
        if self._softcap:  # Gemma 2
            scores.div_(self._softcap).tanh_().mul_(self._softcap)
        return scores


def last_states(network: Network, ids: Tensor, positions: Tensor) -> tuple[Tensor | None, Tensor]:
    """Run the layers over the pass in flight; return the last states before the final norm and after it.

    (rows, width) each; the library's modules don't show the first: None.
    """
    if isinstance(network, FusedDecoder):
        return network.residuals_and_hidden(ids, positions)
    return None, network.hidden(ids, positions)


class PackedLinear:
    """A matrix product whose weights are in the order that the CPU's kernel wants.

    weight: (out, in). On a CPU oneDNN packs it once for passes of `rows` rows, instead of on every call;
    elsewhere, or when that operator is missing, this is an ordinary linear layer.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, rows: int) -> None:
        self._bias = bias
        # either form, never both: the weights are most of the memory
        self._packed = _pack(weight, rows)
        self._weight = weight if self._packed is None else None

    def __call__(self, x: Tensor) -> Tensor:
        """Return x @ weight.T + bias. x: (rows, in)."""
        if self._weight is not None:
            return nn.functional.linear(x, self._weight, self._bias)
        out: Tensor = torch.ops.mkldnn._linear_pointwise(x, self._packed, self._bias, "none", [], "")
        return out


def _pack(weight: Tensor, rows: int) -> Tensor | None:
    if weight.device.type != "cpu" or not torch.backends.mkldnn.enabled:
        return None
    try:
        packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight, rows)
    except (RuntimeError, AttributeError):  # a build or a dtype without this kernel
        return None
    return packed


class _FusedLayer:
    """The weights of one decoder layer; q, k, v and gate, up are joined, so that a pass makes fewer calls."""

    def __init__(self, layer: Any, rows: int, config_window: int | None) -> None:
        attention, mlp = layer.self_attn, layer.mlp
        # Qwen has a window per layer, Mistral one for all
        self.window: int | None = getattr(attention, "sliding_window", config_window)
        self.qkv = _joined((attention.q_proj, attention.k_proj, attention.v_proj), rows)
        self.out = _joined((attention.o_proj,), rows)
        self.gate_up = _joined((mlp.gate_proj, mlp.up_proj), rows)
        self.down = _joined((mlp.down_proj,), rows)
        self.input_norm: Tensor = layer.input_layernorm.weight
        self.post_norm: Tensor = layer.post_attention_layernorm.weight
        self.query_norm: Tensor | None = _norm_weight(attention, "q_norm")
        self.key_norm: Tensor | None = _norm_weight(attention, "k_norm")

    @property
    def device(self) -> torch.device:
        """Where its weights are; the layers of a large model may be on several cards."""
        return self.input_norm.device


def _norm_weight(attention: Any, name: str) -> Tensor | None:
    norm = getattr(attention, name, None)
    return None if norm is None else norm.weight


def _joined(layers: Sequence[nn.Linear | SmallLinear], rows: int) -> PackedLinear | SmallLinear:
    small = [layer for layer in layers if isinstance(layer, SmallLinear)]
    if len(small) == len(layers):
        return SmallLinear.joined(small)
    return _packed([layer for layer in layers if isinstance(layer, nn.Linear)], rows)


def _packed(layers: Sequence[nn.Linear], rows: int) -> PackedLinear:
    weight = torch.cat([layer.weight for layer in layers]) if len(layers) > 1 else layers[0].weight
    biases: list[Tensor] = [layer.bias for layer in layers if layer.bias is not None]
    if biases and len(biases) != len(layers):
        raise ValueError("either all joined projections have a bias or none has")
    return PackedLinear(weight.detach(), torch.cat(biases).detach() if biases else None, rows)


class FusedDecoder:
    """Llama, Mistral, Qwen2 and Qwen3 in few large operations; weights and angles are the library's.

    Every load compares it with the library's own forward pass (self_test), so a misfit is noticed.
    take_apart: let go of the library's layers one by one while theirs are joined, which leaves that model
    unusable: otherwise most weights are in memory twice until it is gone.
    """

    def __init__(self, model: PreTrainedModel, rows: int, *, take_apart: bool = False) -> None:
        config = model.config
        parts: Any = model  # the library types its modules as "tensor or module"
        if config.model_type not in FUSED_TYPES or config.hidden_act != "silu":
            raise ValueError(f"no fused form for {config.model_type} with {config.hidden_act}")
        self._heads = int(config.num_attention_heads)
        self._kv_heads = int(config.num_key_value_heads)
        self._dim = int(getattr(config, "head_dim", None) or config.hidden_size // self._heads)
        self._eps = float(config.rms_norm_eps)
        with torch.no_grad():
            window = getattr(config, "sliding_window", None)
            self._layers: list[_FusedLayer] = []
            for number, layer in enumerate(parts.base_model.layers):
                self._layers.append(_FusedLayer(layer, rows, window))
                if take_apart:
                    parts.base_model.layers[number] = nn.Identity()
            self._head = _joined((parts.get_output_embeddings(),), rows)
        self._embedding: Tensor = parts.get_input_embeddings().weight.detach()
        self._final_norm: Tensor = parts.base_model.norm.weight.detach()
        self._rotary: nn.Module = parts.base_model.rotary_emb

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        return self._embedding.device

    @property
    def num_layers(self) -> int:
        """Decoder layers."""
        return len(self._layers)

    @property
    def num_devices(self) -> int:
        """Cards that its layers are on; 1 on a CPU."""
        return len({layer.device for layer in self._layers})

    def embed(self, ids: Tensor) -> Tensor:
        """Return the embeddings of these ids as the first layer sees them. (rows,) -> (rows, width)."""
        return nn.functional.embedding(ids, self._embedding)

    def hidden(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Run the layers over the pass in flight. ids, positions: (rows,). Returns (rows, width), normed."""
        return self.residuals_and_hidden(ids, positions)[1]

    def residuals_and_hidden(self, ids: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Run the layers as `hidden` does; return the last states before the final norm and after it."""
        x = nn.functional.embedding(ids, self._embedding)
        cos, sin = self._rotary(x[None], positions[None])
        half = self._dim // 2
        # rotate_half(x) * sin as one product with a signed sine on swapped halves
        cos = cos[0][:, None, :]
        sin = torch.cat([-sin[0][:, :half], sin[0][:, half:]], dim=-1)[:, None, :]
        for number, layer in enumerate(self._layers):
            if layer.device != x.device:
                x, cos, sin = x.to(layer.device), cos.to(layer.device), sin.to(layer.device)
            x = self._attention(number, layer, x, cos, sin)
            y = nn.functional.rms_norm(x, (x.shape[-1],), layer.post_norm, self._eps)
            gate, up = layer.gate_up(y).chunk(2, dim=-1)
            x = x + layer.down(silu(gate).mul_(up))
        x = x.to(self.device)
        return x, nn.functional.rms_norm(x, (x.shape[-1],), self._final_norm, self._eps)

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of the next token, float32 (rows, vocab)."""
        scores: Tensor = self._head(hidden)
        return scores.float()

    def _attention(self, number: int, layer: _FusedLayer, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        rows, heads, kv_heads, dim = x.shape[0], self._heads, self._kv_heads, self._dim
        y = nn.functional.rms_norm(x, (x.shape[-1],), layer.input_norm, self._eps)
        qkv = layer.qkv(y).view(rows, heads + 2 * kv_heads, dim)
        queries_keys, values = qkv[:, : heads + kv_heads], qkv[:, heads + kv_heads :]
        if layer.query_norm is not None and layer.key_norm is not None:
            queries = nn.functional.rms_norm(queries_keys[:, :heads], (dim,), layer.query_norm, self._eps)
            keys = nn.functional.rms_norm(queries_keys[:, heads:], (dim,), layer.key_norm, self._eps)
            queries_keys = torch.cat([queries, keys], dim=1)
        swapped = queries_keys.roll(dim // 2, -1)
        rotated = (queries_keys * cos).addcmul_(swapped, sin).transpose(0, 1)
        queries, keys = rotated[:heads], rotated[heads:]
        scale = dim**-0.5
        out = attend_in_pass(number, queries, keys, values.transpose(0, 1), scale, window=layer.window)
        return x + layer.out(out.reshape(rows, heads * dim))

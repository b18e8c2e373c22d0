"""The drafters as they are trained: the arithmetic of drafting over whole batches, with gradients."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.drafting.feature_drafter import FeatureShape, rotary_table
from quire_engine.training.hidden_states import FrozenTarget


class HeadsLearner(nn.Module):
    """The paper's extra heads (section 3.1): h' = post_norm(h + W norm(h)), one W and two norms per head."""

    def __init__(self, num_heads: int, width: int, scale: float, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(num_heads, width, width))
        self.norm = nn.Parameter(torch.ones(num_heads, width))
        # hidden states come with the target's final norm applied; at first a head hands them on as they are
        self.post_norm = nn.Parameter(torch.full((num_heads, width), scale))

    def forward(self, hidden: Tensor) -> Tensor:
        """Return every head's hidden state. hidden: (rows, width) -> (heads, rows, width)."""
        size = hidden.shape[-1:]
        normed = nn.functional.rms_norm(hidden, size, None, self.eps)
        inner = torch.matmul(normed * self.norm[:, None], self.weight.transpose(1, 2))
        return nn.functional.rms_norm(hidden + inner, size, None, self.eps) * self.post_norm[:, None]

    def weights(self, sharpness: tuple[float, ...] = (1.0,)) -> HeadsWeights:
        """Return what the drafter needs, in bfloat16."""
        weight, norm, post_norm = (
            each.detach().to("cpu", torch.bfloat16) for each in (self.weight, self.norm, self.post_norm)
        )
        return HeadsWeights(weight, norm, post_norm, self.eps, sharpness)


class FeatureLearner(nn.Module):
    """The feature drafter's layer on (feature, embedding of the next token), unrolled on its own outputs.

    Row t of step k stands for a node k levels below the pair t. It reads the step before and what the pair t
    found in its window of true pairs, as a drafter does.
    """

    def __init__(self, shape: FeatureShape) -> None:
        super().__init__()
        self.shape = shape
        self.parts = nn.ParameterDict(
            {name: nn.Parameter(torch.ones(size)) for name, size in shape.tensor_shapes().items()}
        )
        with torch.no_grad():
            for name, weight in self.parts.items():
                if name in ("out", "down"):
                    weight.zero_()
                elif weight.ndim > 1:
                    nn.init.normal_(weight, std=0.02)

    def start_from(self, tensors: Mapping[str, Tensor]) -> None:
        """Copy in whatever has the same shape."""
        with torch.no_grad():
            for name, tensor in tensors.items():
                if self.parts[name].shape == tensor.shape:
                    self.parts[name].copy_(tensor)

    def forward(self, features: Tensor, embeddings: Tensor, steps: int) -> list[Tensor]:
        """Return the predicted hidden states of each step.

        Args:
            features: (batch, pairs, width), the target's.
            embeddings: the same, of the token after each. Step k is (batch, pairs - k, width); its row t
                predicts the feature of pair t + k + 1.
        """
        inputs = self._joined(features, embeddings)
        found = self._look_back(inputs)
        outs = [self._guess(inputs, found)]
        for step in range(1, steps):
            rows = features.shape[1] - step
            inputs = self._joined(outs[-1][:, :rows], embeddings[:, step:])
            outs.append(self._guess(inputs, found[:, :rows]))
        return outs

    def _joined(self, features: Tensor, embeddings: Tensor) -> Tensor:
        both = torch.stack([features, embeddings.to(features.dtype)], dim=-2)
        return nn.functional.layer_norm(both, both.shape[-1:], None, None, self.shape.eps).flatten(-2)

    def _look_back(self, inputs: Tensor) -> Tensor:
        shape, parts = self.shape, self.parts
        batch, rows, _ = inputs.shape
        cos, sin = (part.to(inputs.device) for part in rotary_table(shape, rows))
        parts_of_heads = [
            (inputs @ parts[name].t()).view(batch, rows, -1, shape.head_dim)
            for name in ("query", "key", "value")
        ]
        query, key = (
            (x * cos + x.roll(shape.head_dim // 2, -1) * sin).to(x.dtype) for x in parts_of_heads[:2]
        )
        found = nn.functional.scaled_dot_product_attention(
            query.transpose(1, 2),
            key.transpose(1, 2),
            parts_of_heads[2].transpose(1, 2),
            attn_mask=_band(rows, shape.window, inputs.device),
            enable_gqa=True,
        )
        return found.transpose(1, 2).reshape(batch, rows, -1)

    def _guess(self, inputs: Tensor, found: Tensor) -> Tensor:
        shape, parts = self.shape, self.parts
        inner = nn.functional.silu(inputs @ parts["gate"].t()) * (inputs @ parts["up"].t())
        states = inputs[..., : shape.width] * parts["mix"]
        states = states + found @ parts["out"].t() + inner @ parts["down"].t()
        return nn.functional.layer_norm(states, (shape.width,), parts["norm"], None, shape.eps)

    def tensors(self) -> dict[str, Tensor]:
        """Return the weights as the drafter wants them, in bfloat16 on the CPU."""
        return {name: weight.detach().to("cpu", torch.bfloat16) for name, weight in self.parts.items()}


def last_layer(target: FrozenTarget, inputs: Tensor) -> dict[str, Tensor]:
    """Return the target's last layer and final norm as a start, by the names of FeatureShape.

    inputs: (rows, width), what that layer reads. It read one normed sum; the drafter reads hidden state and
    embedding apart, so each of them gets the same weights.
    """
    weights = dict(target.model.base_model.named_parameters())
    last = f"layers.{int(target.model.config.num_hidden_layers) - 1}."
    of_last = {
        name: weight for name, weight in weights.items() if name.startswith(last) or name == "norm.weight"
    }
    return layer_start(of_last, str(target.model.config.model_type), inputs.float().pow(2).mean().sqrt())


def layer_start(weights: Mapping[str, Tensor], model_type: str, size: Tensor | float) -> dict[str, Tensor]:
    """Return what `last_layer` does.

    Args:
        weights: of the last layer and the final norm, by the library's names.
        size: of what the layer reads, root mean square.
    """
    front = next((".".join(name.split(".")[:2]) + "." for name in weights if name.startswith("layers.")), "")
    found = {
        name: weights[front + place].detach().float()
        for name, place in _PLACES.items()
        if front + place in weights
    }
    # the norms of Gemma 1 to 3 are stored as what is added to 1
    added = float(model_type in ("gemma", "gemma2", "gemma3_text"))
    for name in ("query", "key", "value", "gate", "up"):
        norm = weights.get(
            front + ("input_layernorm" if name in _ATTENTION else "post_attention_layernorm") + ".weight"
        )
        if name in found and norm is not None:
            matrix = found[name] * (norm.detach().float() + added)
            found[name] = torch.cat([matrix, matrix], dim=1) * 0.5**0.5
    if "norm.weight" in weights:
        found["norm"] = weights["norm.weight"].detach().float() + added
    # what it writes is added to a state of size 1, not of the size that the target's has
    return found | {name: found[name] / size for name in ("out", "down") if name in found}


def narrowed(tensors: Mapping[str, Tensor], inner: int) -> dict[str, Tensor]:
    """Return a start whose MLP has at most `inner` units: those with the largest weights."""
    found = dict(tensors)
    if not {"gate", "up", "down"} <= found.keys() or len(found["gate"]) <= inner:
        return found
    size = found["gate"].norm(dim=1) * found["up"].norm(dim=1) * found["down"].norm(dim=0)
    units = size.topk(inner).indices.sort().values
    return found | {
        "gate": found["gate"][units],
        "up": found["up"][units],
        "down": found["down"][:, units].contiguous(),
    }


_ATTENTION = ("query", "key", "value")
_PLACES = {
    "query": "self_attn.q_proj.weight",
    "key": "self_attn.k_proj.weight",
    "value": "self_attn.v_proj.weight",
    "out": "self_attn.o_proj.weight",
    "gate": "mlp.gate_proj.weight",
    "up": "mlp.up_proj.weight",
    "down": "mlp.down_proj.weight",
}


def _band(rows: int, window: int, device: torch.device) -> Tensor:
    """Return which of the true pairs a row looks at: the last `window`, itself too. (rows, rows) bool."""
    places = torch.arange(rows, device=device)
    behind = places[:, None] - places[None]
    return (behind >= 0) & (behind < window)

"""The small Llama that ships with Quire: its making, its loss in little memory, its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS, PreTrainedModel
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaForCausalLM

from quire_engine.training.training_plan import ModelPreset

Chunk = tuple[Tensor, Tensor, Tensor]
ChunkLoss = Callable[[Tensor, Tensor, Tensor], Chunk]

_CAUSAL = "quire_causal"
_CHUNK_ROWS = {"cpu": 1024, "cuda": 16_384}  # rows of logits alive at once: 32 MiB and 512 MiB of float32


def build_model(preset: ModelPreset, seed: int) -> LlamaForCausalLM:
    """Return an untrained model of a preset in float32; made on the CPU, so the same for every device."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=preset.vocab_size,
        hidden_size=preset.hidden_size,
        intermediate_size=preset.intermediate_size,
        num_hidden_layers=preset.num_layers,
        num_attention_heads=preset.num_heads,
        num_key_value_heads=preset.num_kv_heads,
        max_position_embeddings=preset.max_positions,
        rope_parameters={"rope_type": "default", "rope_theta": preset.rope_theta},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
    )
    model = LlamaForCausalLM(config)
    model.set_attn_implementation(_CAUSAL)
    return model


def _causal_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    **others: Any,
) -> tuple[Tensor, None]:
    """Attend to all before a place. (pieces, heads, length, dim) each -> (pieces, length, heads, dim).

    The library's own "sdpa" does the same, but builds a mask of length x length where it is compiled with
    torch before 2.14; no mask function is registered for this one, so there is none, and flash attention is
    taken.
    """
    del module, attention_mask, others
    found = nn.functional.scaled_dot_product_attention(
        query, key, value, is_causal=True, scale=scaling, enable_gqa=True
    )
    return found.transpose(1, 2).contiguous(), None


ALL_ATTENTION_FUNCTIONS.register(_CAUSAL, _causal_attention)


def decoder_of(model: PreTrainedModel) -> nn.Module:
    """Return all of a model but its head."""
    library: Any = model  # what the library says of these is not typed
    decoder: nn.Module = library.get_decoder()
    return decoder


def head_of(model: PreTrainedModel) -> nn.Linear:
    """Return a model's head, whose weight may be that of its embedding."""
    library: Any = model
    head: nn.Linear = library.get_output_embeddings()
    return head


def hidden_states(model: LlamaForCausalLM, ids: Tensor) -> Tensor:
    """Return the last layer's states. ids: (pieces, length); result: (pieces, length, width)."""
    states: Tensor = model.model(ids, use_cache=False).last_hidden_state
    return states


def chunk_loss(hidden: Tensor, weight: Tensor, targets: Tensor) -> Chunk:
    """Return the summed cross-entropy of a chunk and its gradients.

    Args:
        hidden: (rows, width).
        weight: (vocab, width), of one type.
        targets: (rows,). The gradients have the shapes and the type of hidden and of weight.
    """
    logits = (hidden @ weight.t()).float()
    log_sums = logits.logsumexp(-1, keepdim=True)
    loss = (log_sums - logits.gather(-1, targets[:, None])).sum()
    slopes = (logits - log_sums).exp()
    slopes = slopes.scatter_add(-1, targets[:, None], slopes.new_full((len(targets), 1), -1.0))
    slopes = slopes.to(hidden.dtype)
    return loss, slopes @ weight, slopes.t() @ hidden


class _SummedLoss(torch.autograd.Function):
    """Cross-entropy that never holds more than a chunk of logits.

    The gradients are taken while a chunk is there: autograd would keep every chunk until the backward pass.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, targets: Tensor, of_chunk: ChunkLoss) -> Tensor:
        """Sum the loss over chunks of rows and keep its gradients, of the size of their tensors."""
        narrow = weight.to(hidden.dtype)
        total = torch.zeros((), device=hidden.device)
        hidden_slopes = torch.empty_like(hidden)
        weight_slopes = torch.zeros_like(weight)
        rows = _CHUNK_ROWS[hidden.device.type]
        for start in range(0, len(targets), rows):
            part = slice(start, start + rows)
            loss, hidden_slopes[part], slopes = of_chunk(hidden[part], narrow, targets[part])
            total += loss
            weight_slopes += slopes
        ctx.save_for_backward(hidden_slopes, weight_slopes)
        return total

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor, Tensor, None, None]:
        """Scale what forward kept."""
        hidden_slopes, weight_slopes = ctx.saved_tensors
        (scale,) = grad_outputs
        return hidden_slopes * scale.to(hidden_slopes.dtype), weight_slopes * scale, None, None


def sum_loss(hidden: Tensor, weight: Tensor, targets: Tensor, of_chunk: ChunkLoss = chunk_loss) -> Tensor:
    """Return the summed cross-entropy in nats, differentiable, a chunk of logits at a time.

    Args:
        hidden: (rows, width).
        weight: (vocab, width).
        targets: (rows,). Products are in hidden's type or, under autocast, in autocast's.
    """
    apply: Callable[..., Tensor] = _SummedLoss.apply  # its annotations are missing in torch
    return apply(hidden, weight, targets, of_chunk)


def save_model(model: LlamaForCausalLM, folder: Path) -> None:
    """Write the weights in bfloat16 safetensors, shards under 16 MB, with the configuration."""
    weights = LlamaForCausalLM(model.config)
    weights.load_state_dict(model.state_dict())
    module: Any = weights  # the library wraps `to` in a way that type checkers cannot follow
    module.to(torch.bfloat16)
    weights.save_pretrained(folder, max_shard_size="15MB")

"""Placement of layers on several GPUs, for models that are too large for one.

A model is split between layers. The first GPU holds both ends, embedding and LM head, so that everything
besides the layers sees one device; between GPUs one row of numbers per row of a pass is copied, unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.memory_fit import gigabytes
from quire_engine.models import int8_weights

COMFORTABLE = 0.75
"""Share of a GPU that weights may take before a second one is used: the KV cache needs the rest."""
MOST = 0.92


def place(layer_bytes: Sequence[int], end_bytes: int, free: Sequence[int]) -> tuple[int, ...] | None:
    """Return the card of every layer, ascending; None where all cards together are too small.

    Args:
        layer_bytes: of each layer.
        end_bytes: of what the first card holds besides.
        free: of each card. One card is taken if that is comfortable; otherwise all are filled to the same
            share of what is free on them.
    """
    if not free:
        return None
    if sum(layer_bytes) + end_bytes <= COMFORTABLE * free[0]:
        return (0,) * len(layer_bytes)
    for percent in range(1, round(100 * MOST) + 1):
        room = [percent * size // 100 for size in free]
        room[0] -= end_bytes
        if (found := _filled(layer_bytes, room)) is not None:
            return found
    return None


def _filled(layer_bytes: Sequence[int], room: Sequence[int]) -> tuple[int, ...] | None:
    """Fill one card after the other; None when there is a layer left, or the first card lacks room."""
    if room[0] < 0:
        return None
    cards: list[int] = []
    card, left = 0, room[0]
    for size in layer_bytes:
        while size > left:
            card += 1
            if card == len(room):
                return None
            left = room[card]
        left -= size
        cards.append(card)
    return tuple(cards)


def free_on_cards() -> tuple[int, ...]:
    """Return the free bytes of every CUDA device of this computer."""
    return tuple(int(torch.cuda.mem_get_info(card)[0]) for card in range(torch.cuda.device_count()))


def cards_for(
    model: PreTrainedModel, device: torch.device, free: Sequence[int], *, can_be_cut: bool
) -> tuple[int, ...]:
    """Return the card of every layer of a model that is still in main memory; nothing where one device does.

    EnvironmentProblem when it needs several cards and cannot be cut, or is too large for all of them.
    """
    if device.type != "cuda" or len(free) < 2:
        return ()
    parts: Any = model  # the library types its modules as "tensor or module"
    if not can_be_cut:
        total = int8_weights.num_bytes(model)
        if total <= MOST * free[0]:
            return ()
        raise EnvironmentProblem(
            "The model needs {size}, but the first GPU has only {free} free. Models of the type "
            "“{type}” can't use several GPUs yet; choose smaller weights or the CPU.",
            size=gigabytes(total),
            free=gigabytes(free[0]),
            type=model.config.model_type,
        )
    layers = [int8_weights.num_bytes(layer) for layer in parts.base_model.layers]
    ends = int8_weights.num_bytes(model) - sum(layers)
    found = place(layers, ends, free)
    if found is None:
        raise EnvironmentProblem(
            "The model needs {size}, but the GPUs have only {free} free. Choose smaller weights, a "
            "smaller model or the CPU.",
            size=gigabytes(sum(layers) + ends),
            free=gigabytes(sum(free)),
        )
    return found if max(found) > 0 else ()


def move(model: PreTrainedModel, device: torch.device) -> None:
    """Move a whole model to a device."""
    nn.Module.to(model, device)  # the library's own method carries no types


def spread(model: PreTrainedModel, cards: Sequence[int], kind: str = "cuda") -> None:
    """Move the layers of a model to their cards, and both its ends to the first. kind: of device."""
    parts: Any = model
    for layer, card in zip(parts.base_model.layers, cards, strict=True):
        layer.to(torch.device(kind, card))
    ends: tuple[nn.Module, ...] = (
        parts.get_input_embeddings(), parts.base_model.rotary_emb, parts.base_model.norm,
        parts.get_output_embeddings(),
    )  # fmt: skip
    for end in ends:
        end.to(torch.device(kind, 0))

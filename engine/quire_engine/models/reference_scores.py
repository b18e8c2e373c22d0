"""The library's own scores of a text: in the model's number format, and as its float32 form would have them.

There is never a second model in memory: a layer is turned to float32 when it is reached and back when it is
done, which gives the bits of the whole model in float32.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers.modeling_utils import PreTrainedModel

from quire_engine.models.int8_weights import SmallLinear

_BLOCK = 32
_OUTPUTS_AT_ONCE = 16_384
"""Outputs of the LM head in float32 at a time; it is larger than any layer."""


def library_scores(model: PreTrainedModel, texts: Sequence[Sequence[int]], last: int) -> Tensor:
    """Return the library's logits for the last positions of texts of one length, by eager attention.

    Returns:
        float32 (texts, last, vocab), on the host.
    """
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        ids = torch.tensor([list(text) for text in texts], device=model.device)
        out = model(input_ids=ids, use_cache=False, logits_to_keep=last)
    logits: Tensor = out.logits
    return logits.float().cpu()


def twin_of(model: PreTrainedModel) -> PreTrainedModel:
    """Return the same model over the same weights, whose numbers can be replaced without changing it."""
    numbers = (*model.parameters(), *model.buffers())
    memo: dict[int, Any] = {}
    for each in numbers:
        shared = each.detach()
        memo[id(each)] = (
            nn.Parameter(shared, requires_grad=False) if isinstance(each, nn.Parameter) else shared
        )
    return copy.deepcopy(model, memo)


@contextlib.contextmanager
def in_float32(model: PreTrainedModel, report: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let a model compute in float32, layer by layer; its weights are as they were afterwards.

    report: called before each layer; may raise to stop.
    """
    parts: Any = model  # the library types its modules as "tensor or module"
    layers: list[nn.Module] = list(parts.base_model.layers)
    output, embedding = parts.get_output_embeddings(), parts.get_input_embeddings()
    inside = {id(part) for layer in layers for part in layer.modules()}
    others = [
        part
        for part in model.modules()
        if id(part) not in inside
        and part not in (output, embedding)
        and any(True for _ in (*part.parameters(recurse=False), *part.buffers(recurse=False)))
    ]
    with contextlib.ExitStack() as stack:
        stack.enter_context(_few_rows(embedding))
        stack.enter_context(_few_outputs(output))
        for part in (*layers, *others):
            stack.enter_context(_widened(part, report))
        yield


@contextlib.contextmanager
def _widened(part: nn.Module, report: Callable[[], None]) -> Iterator[None]:
    """Turn a module to float32 whenever it runs."""
    kept: list[tuple[Tensor, Tensor]] = []

    def widen(*_: object) -> None:
        report()
        kept.extend((each, each.data) for each in _numbers(part) if each.dtype != torch.float32)
        for each, own in kept:
            each.data = own.float()

    def restore(*_: object) -> None:
        for each, own in kept:
            each.data = own
        kept.clear()

    hooks = part.register_forward_pre_hook(widen), part.register_forward_hook(restore)
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
        restore()  # after a pass that failed in the middle


def _numbers(part: nn.Module) -> list[Tensor]:
    return [each for each in (*part.parameters(), *part.buffers()) if each.is_floating_point()]


@contextlib.contextmanager
def _few_rows(embedding: Any) -> Iterator[None]:
    """Let an embedding hold only the rows that it is asked for, in float32."""
    weight: Tensor = embedding.weight
    own = weight.data

    def narrow(_: nn.Module, arguments: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        rows, places = torch.unique(arguments[0], return_inverse=True)
        weight.data = own[rows].float()
        return (places, *arguments[1:])

    def restore(*_: object) -> None:
        weight.data = own

    hooks = embedding.register_forward_pre_hook(narrow), embedding.register_forward_hook(restore)
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
        restore()


@contextlib.contextmanager
def _few_outputs(head: Any) -> Iterator[None]:
    """Let the LM head compute in float32 by a part of its outputs at a time."""

    def scores(hidden: Tensor) -> Tensor:
        is_small = isinstance(head, SmallLinear)
        numbers: Tensor = head.numbers if is_small else head.weight
        parts: list[Tensor] = []
        for start in range(0, numbers.shape[0], _OUTPUTS_AT_ONCE):
            few = slice(start, start + _OUTPUTS_AT_ONCE)
            weight = numbers[few].float()
            weight = weight * head.scales[few].float()[:, None] if is_small else weight
            bias = None if head.bias is None else head.bias[few].float()
            parts.append(nn.functional.linear(hidden, weight, bias))
        return torch.cat(parts, dim=-1)

    head.forward = scores
    try:
        yield
    finally:
        del head.forward


@contextlib.contextmanager
def in_digits(model: PreTrainedModel) -> Iterator[None]:
    """Round the inputs of a model's linear layers as integer passes do: 127 steps either way for each 32."""

    def cut(_: nn.Module, arguments: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        x = arguments[0]
        missing = -x.shape[-1] % _BLOCK
        blocks = nn.functional.pad(x, (0, missing)).reshape(*x.shape[:-1], -1, _BLOCK)
        steps = blocks.abs().amax(-1, keepdim=True).clamp_min(1e-30) / 127
        return ((blocks / steps).round() * steps).flatten(-2)[..., : x.shape[-1]], *arguments[1:]

    linear = [part for part in model.modules() if isinstance(part, nn.Linear)]
    hooks = [part.register_forward_pre_hook(cut) for part in linear]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()

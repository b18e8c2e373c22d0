"""Graphics cards that are not there: tensors are told apart by a tag, and mixing two cards is an error.

What `torch` does is done on the CPU; only where a tensor would be is pretended. So it shows that
everything is moved that must be, and nothing about speed or about a real card's arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

KIND = "cuda"
_FIRST = torch.device(KIND, 0)


def card_of(tensor: Tensor) -> torch.device:
    found: torch.device = getattr(tensor, "pretended_card", _FIRST)
    return found


class MixedCards(Exception):
    """An operation got tensors of two cards."""


class PretendCards(TorchFunctionMode):
    """Inside, `.to(cuda:N)` tags, results are where what they are made of is, and mixing raises."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[tuple[torch.device, torch.device]] = []

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        named = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if func == Tensor.device.__get__:
            return card_of(args[0])
        if name == "to" and len(args) > 1 and isinstance(args[1], torch.device):
            return self._moved(args[0], args[1])
        wanted = named.pop("device", None)
        given = list(_tensors((args, named)))
        large = {card_of(each) for each in given if each.ndim}  # a number alone may come from anywhere
        if len(large) > 1:
            raise MixedCards(f"{name} got {sorted(map(str, large))}")
        card = _FIRST if wanted is None else torch.device(wanted)
        card = next(iter(large), card)
        found = func(*args, **named)
        for each in _tensors(found):
            _tag(each, card)
        return found

    def _moved(self, tensor: Tensor, card: torch.device) -> Tensor:
        if card.type == "cpu" or card == card_of(tensor):
            return tensor
        self.moves.append((card_of(tensor), card))
        return _tag(tensor.clone(), card)


def _tag(tensor: Tensor, card: torch.device) -> Tensor:
    tensor.pretended_card = card  # type: ignore[attr-defined]
    return tensor


def _tensors(found: Any) -> Iterable[Tensor]:
    if isinstance(found, Tensor):
        yield found
    elif isinstance(found, Mapping):
        yield from _tensors(list(found.values()))
    elif isinstance(found, list | tuple):
        for each in found:
            yield from _tensors(each)


def lay(module: nn.Module, card: int) -> None:
    """Say that a module's weights are on a card."""
    for tensor in (*module.parameters(), *module.buffers()):
        _tag(tensor, torch.device(KIND, card))

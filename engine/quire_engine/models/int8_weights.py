"""Weights in about half the memory: 8 bits a number, and one scale for each output of a layer.

This changes the model a little, and so its words; it is done only when it is asked for, and the record of a
run names it. Rounded are the linear layers, and the output where it has weights of its own. An output that
shares the embedding's weights stays as it is, for the embedding is needed in full anyway; so do norms and
biases. The numbers of one output are multiplied by its scale after their sum, so a row of a pass depends on
itself and, as everywhere, on how many rows the pass has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from transformers.modeling_utils import PreTrainedModel

LARGEST = 127
_FEW_ROWS = 8
"""Rows up to which the CPU's own kernel is faster than unpacking; its time grows with every row."""
_REGISTER = 64
_OUTPUTS_AT_ONCE = {"cpu": 512}
_MANY_OUTPUTS = 16_384
"""Outputs that are unpacked together: few enough for a CPU's cache, or a corner of a GPU."""


class SmallLinear(nn.Module):
    """A linear layer whose weight is int8 `numbers` (out, in) times `scales` (out,), in the model's format.

    plain: unpack the whole weight and multiply as the library would; for comparison only.
    """

    def __init__(self, numbers: Tensor, scales: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.numbers = nn.Parameter(numbers, requires_grad=False)
        self.scales: Tensor
        self.register_buffer("scales", scales)
        self.bias = None if bias is None else nn.Parameter(bias.detach(), requires_grad=False)
        self.plain = False

    @classmethod
    def of(cls, layer: nn.Linear) -> SmallLinear:
        """Round a layer's weight: each output's largest number becomes 127."""
        numbers, scales = rounded(layer.weight.detach())
        return cls(numbers, scales, layer.bias)

    @classmethod
    def joined(cls, layers: Sequence[SmallLinear]) -> SmallLinear:
        """Return one layer with the outputs of all; rounding is by output, so no number changes."""
        if len(layers) == 1:
            return layers[0]
        biases: list[Tensor] = [layer.bias for layer in layers if layer.bias is not None]
        if biases and len(biases) != len(layers):
            raise ValueError("either all joined projections have a bias or none has")
        numbers = torch.cat([layer.numbers.detach() for layer in layers])
        scales = torch.cat([layer.scales for layer in layers])
        return cls(numbers, scales, torch.cat(biases) if biases else None)

    def weight(self) -> Tensor:
        """Return the weight that the rounded numbers stand for, (out, in)."""
        return self.numbers.to(self.scales.dtype) * self.scales[:, None]

    def forward(self, x: Tensor) -> Tensor:
        """Return x @ weight.T + bias. x: (..., in)."""
        if self.plain:
            return nn.functional.linear(x, self.weight(), self.bias)
        rows = x.reshape(-1, x.shape[-1]).contiguous()
        if rows.shape[0] <= _FEW_ROWS and _has_kernel(rows):
            out: Tensor = torch.ops.aten._weight_int8pack_mm(rows, self.numbers, self.scales)
        else:
            out = self._unpacking(rows)
        if self.bias is not None:
            out = out + self.bias
        return out.view(*x.shape[:-1], -1)

    def _unpacking(self, rows: Tensor) -> Tensor:
        """Multiply with a part of the outputs at a time, unpacked for just that. rows: (rows, in)."""
        count = _OUTPUTS_AT_ONCE.get(rows.device.type, _MANY_OUTPUTS)
        outputs, width = self.numbers.shape
        out = rows.new_empty(rows.shape[0], outputs)
        unpacked = rows.new_empty(min(count, outputs), width)
        for start in range(0, outputs, count):
            numbers = self.numbers[start : start + count]
            part = unpacked[: numbers.shape[0]].copy_(numbers)
            out[:, start : start + count] = nn.functional.linear(rows, part)
        return out.mul_(self.scales)


def _has_kernel(rows: Tensor) -> bool:
    """Say whether the CPU's own kernel takes such rows.

    It reads a whole register at a time and checks nothing: where a row is no multiple of one, its results are
    wrong or it reads beyond the memory (seen with torch 2.13).
    """
    return rows.dtype == torch.bfloat16 and rows.device.type == "cpu" and rows.shape[1] % _REGISTER == 0


def rounded(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Return the numbers (out, in) int8 and scales (out,) of a weight; the scales are in its own format."""
    largest = weight.float().abs().amax(dim=1)
    scales = torch.where(largest > 0, largest / LARGEST, 1.0).to(weight.dtype)
    numbers = weight.float().div(scales.float()[:, None]).round_().clamp_(-LARGEST, LARGEST)
    return numbers.to(torch.int8), scales


@torch.no_grad()
def shrink(model: PreTrainedModel) -> None:
    """Round the linear layers of a model in place, one after the other, so that little memory is added."""
    parts: Any = model  # the library types its modules as "tensor or module"
    output, embedding = parts.get_output_embeddings(), parts.get_input_embeddings()
    kept = output if output.weight is embedding.weight else None
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if type(child) is nn.Linear and child is not kept:
                setattr(parent, name, SmallLinear.of(child))


@contextlib.contextmanager
def plainly(model: nn.Module) -> Iterator[None]:
    """Let rounded layers multiply as the library would, so that our own products can be compared with it."""
    layers = [layer for layer in model.modules() if isinstance(layer, SmallLinear)]
    for layer in layers:
        layer.plain = True
    try:
        yield
    finally:
        for layer in layers:
            layer.plain = False


def num_bytes(model: nn.Module) -> int:
    """Return the memory of a model's weights, scales included, shared ones once."""
    scales = [layer.scales.nbytes for layer in model.modules() if isinstance(layer, SmallLinear)]
    return sum(parameter.nbytes for parameter in model.parameters()) + sum(scales)

"""How much memory a model takes beside its weights and its cache."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from quire_engine.catalog.weight_shapes import inner_size, num_experts
from quire_engine.catalog.workspace_size import workspace_bytes


@dataclass(slots=True)
class Workspace:
    """Bytes that passes need for what they compute with; set when it was measured."""

    num_bytes: int = 0


@contextlib.contextmanager
def workspace(config: Any, dtype: torch.dtype, device: torch.device, width: int) -> Iterator[Workspace]:
    """Measure what the passes inside need, where a GPU tells; elsewhere estimate it from the model's
    sizes."""
    found = Workspace(reckoned_workspace(config, dtype, width))
    if device.type != "cuda":
        yield found
        return
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    yield found
    found.num_bytes = max(torch.cuda.max_memory_allocated(device) - before, 0)


def reckoned_workspace(config: Any, dtype: torch.dtype, width: int) -> int:
    """Return about what a pass over a chunk needs, and the scores of a decode pass."""
    return workspace_bytes(
        hidden_size=int(config.hidden_size),
        intermediate_size=inner_size(config),
        vocab_size=int(config.vocab_size),
        is_mixture=num_experts(config) > 0,
        item=dtype.itemsize,
        width=width,
    )


def drafter_bytes(trained: Any) -> int:
    """Return the bytes of trained drafters; 0 where there are none."""
    if trained is None:
        return 0
    tensors: list[Any] = []
    if trained.feature is not None:
        tensors += [*trained.feature.tensors.values()]
        tensors += [] if trained.feature.head is None else [trained.feature.head]
    if trained.heads is not None:
        names = ("weight", "norm", "post_norm", "bias", "head")  # of the forms that heads have
        tensors += [getattr(trained.heads, name) for name in names if hasattr(trained.heads, name)]
    return sum(int(tensor.nbytes) for tensor in tensors)

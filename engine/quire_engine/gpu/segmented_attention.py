"""A kernel that attends over many stretches of the cache at once, and how the cache is cut into them.

PyTorch's variable-length attention cuts no sequence into parts that multiprocessors could share, unless the
keys are paged (torch 2.10 to 2.13, flash_api.cpp, mha_varlen_fwd: set_params_splitkv). So the parts are made
here: each is a sequence of its own, with the same queries. Where they begin depends on the position alone,
never on how much the cache can hold, so that a row keeps its bits when the cache grows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

_SIZES = ((4096, 512), (16_384, 1024))  # up to a position: keys of a part; a short text needs short parts
LARGEST_PART = 2048
"""Keys of the longest part that there is."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Which rows look at which keys: the rows of segment i, from query_bounds[i] to query_bounds[i + 1], see
    the keys from key_bounds[i] to key_bounds[i + 1], and no row sees others.

    Both bounds: int32 (segments + 1,) on the device. max_rows, max_keys: of any segment, known to the host.
    """

    query_bounds: Tensor
    key_bounds: Tensor
    max_rows: int
    max_keys: int


class SegmentKernel(Protocol):
    """Attends over segments. query: (rows, heads, dim); keys, values: (keys, heads, dim), rows of any stride.

    Returns the output, of the query's shape and kind, and its log-sum-exp, float32 (heads, rows). Both are
    without meaning where a segment has no keys.
    """

    def __call__(
        self, query: Tensor, keys: Tensor, values: Tensor, segments: Segments, scale: float
    ) -> tuple[Tensor, Tensor]:
        """Attend; see the class."""
        ...


def part_bounds(num_keys: int) -> tuple[int, ...]:
    """Return where the parts of a cache begin, and where the last of them ends: at num_keys or behind it.

    The parts of a smaller cache are the first ones of a larger.
    """
    bounds = [0, _size_at(0)]
    while bounds[-1] < num_keys:
        bounds.append(bounds[-1] + _size_at(bounds[-1]))
    return tuple(bounds)


def _size_at(position: int) -> int:
    return next((size for end, size in _SIZES if position < end), LARGEST_PART)


def steady_sum(parts: Tensor) -> Tensor:
    """Add up along the first dimension, neighbour by neighbour: zeros behind the last part change no bit."""
    while parts.shape[0] > 1:
        if parts.shape[0] % 2:
            parts = torch.cat([parts, torch.zeros_like(parts[:1])])
        parts = parts[0::2] + parts[1::2]
    return parts[0]


def varlen_kernel() -> SegmentKernel:
    """Return PyTorch's variable-length flash attention; ImportError or RuntimeError where it will not do."""
    from torch.nn.attention.varlen import AuxRequest, varlen_attn

    return kernel_from(varlen_attn, AuxRequest(lse=True))


def kernel_from(varlen_attn: Callable[..., Any], wants_lse: Any) -> SegmentKernel:
    """Return a kernel by a function like `varlen_attn`, whose arguments differ between versions of PyTorch.

    wants_lse: what asks for the log-sum-exp. RuntimeError when the function cannot be asked what is needed.
    """
    known = inspect.signature(varlen_attn).parameters
    if missing := {"scale", "return_aux"} - set(known):
        raise RuntimeError(f"variable-length attention without {', '.join(sorted(missing))}")
    # one part is one piece of work: how the device is occupied otherwise may not decide the bits
    options = {"num_splits": 1} if "num_splits" in known else {}

    def attend(
        query: Tensor, keys: Tensor, values: Tensor, segments: Segments, scale: float
    ) -> tuple[Tensor, Tensor]:
        out, lse = varlen_attn(
            query,
            keys,
            values,
            segments.query_bounds,
            segments.key_bounds,
            segments.max_rows,
            segments.max_keys,
            return_aux=wants_lse,
            scale=scale,
            **options,
        )
        if lse.shape != (query.shape[1], query.shape[0]):
            raise RuntimeError(f"variable-length attention gave a log-sum-exp of {tuple(lse.shape)}")
        return out, lse

    return attend

"""Parts of a cache: the same however large it is; and the GPU's kernel is asked as its version wants it."""

from __future__ import annotations

import inspect
from itertools import pairwise
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.gpu.segmented_attention import (
    LARGEST_PART,
    Segments,
    kernel_from,
    part_bounds,
    steady_sum,
    varlen_kernel,
)
from tests.engine.tiny import few


@few
@given(st.integers(1, 200_000), st.integers(0, 200_000))
def test_a_larger_cache_has_the_parts_of_the_smaller_and_more(num_keys: int, more: int) -> None:
    small, large = part_bounds(num_keys), part_bounds(num_keys + more)
    assert small == large[: len(small)]
    assert small[0] == 0
    assert small[-2] < num_keys <= small[-1]
    assert all(0 < b - a <= LARGEST_PART for a, b in pairwise(large))


@few
@given(st.integers(1, 40), st.integers(0, 40))
def test_zeros_behind_the_last_part_change_no_bit_of_the_sum(count: int, more: int) -> None:
    parts = torch.randn(count, 7, generator=torch.Generator().manual_seed(count)).exp()
    padded = torch.cat([parts, torch.zeros(more, 7)])
    assert torch.equal(steady_sum(padded), steady_sum(parts))
    torch.testing.assert_close(steady_sum(parts), parts.sum(0))


# ---------------------------------------------------------------- the kernel's versions
BOUNDS = torch.tensor([0, 2], dtype=torch.int32)
SEGMENTS = Segments(BOUNDS, BOUNDS + 1, 2, LARGEST_PART)
QUERY, KEYS = torch.ones(2, 3, 8), torch.ones(5, 3, 8)


def old(
    query: Tensor, key: Tensor, value: Tensor, cu_seq_q: Tensor, cu_seq_k: Tensor, max_q: int, max_k: int,
    is_causal: bool = False, return_aux: Any = None, scale: float | None = None,
) -> Any:  # fmt: skip
    """As in torch 2.10."""
    asked = [query is QUERY, key is KEYS, value is KEYS, cu_seq_q is BOUNDS, cu_seq_k is SEGMENTS.key_bounds]
    assert all(asked)
    assert (max_q, max_k, is_causal, return_aux, scale) == (2, LARGEST_PART, False, "lse", 0.5)
    return query, torch.zeros(3, 2)


def new(
    query: Tensor, key: Tensor, value: Tensor, cu_seq_q: Tensor, cu_seq_k: Tensor, max_q: int, max_k: int,
    *, return_aux: Any = None, scale: float | None = None, num_splits: int | None = None,
) -> Any:  # fmt: skip
    """As in torch 2.13."""
    assert num_splits == 1
    return old(query, key, value, cu_seq_q, cu_seq_k, max_q, max_k, False, return_aux, scale)


def unscaled(*args: Any, return_aux: Any = None) -> Any:
    return args, return_aux


def rows_first(*args: Any, return_aux: Any = None, scale: float | None = None) -> Any:
    return args[0], torch.zeros(2, 3)


@pytest.mark.parametrize("function", [old, new])
def test_every_version_of_the_kernel_is_asked_in_its_own_words(function: Any) -> None:
    out, lse = kernel_from(function, "lse")(QUERY, KEYS, KEYS, SEGMENTS, 0.5)
    assert out is QUERY
    assert lse.shape == (3, 2)


def test_a_version_that_does_not_scale_is_not_used() -> None:
    with pytest.raises(RuntimeError, match="scale"):
        kernel_from(unscaled, "lse")


def test_a_log_sum_exp_in_another_order_is_rejected() -> None:
    with pytest.raises(RuntimeError, match="log-sum-exp"):
        kernel_from(rows_first, "lse")(QUERY, KEYS, KEYS, SEGMENTS, 0.5)


def test_this_pytorch_has_the_kernel() -> None:
    from torch.nn.attention.varlen import varlen_attn

    assert callable(varlen_kernel())
    assert {"cu_seq_q", "cu_seq_k", "max_q", "max_k"} <= set(inspect.signature(varlen_attn).parameters)

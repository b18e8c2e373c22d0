"""Kernels: near attention in double precision for any mask; a row is the same whatever is beside it."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.models import attention_kernels
from quire_engine.models.attention_kernels import Scoring, attend, attend_by_products, merge
from tests.engine.tiny import few

Numbers = tuple[Tensor, Tensor, Tensor]


def numbers(rows: int, num_keys: int, dim: int = 24, dtype: torch.dtype = torch.float32) -> Numbers:
    """Return a query, keys and values of 2 heads; scores are large enough for a softcap to matter."""
    generator = torch.Generator().manual_seed(rows * 1000 + num_keys)
    query, keys, values = (
        torch.randn(1, 2, count, dim, generator=generator).to(dtype) for count in (rows, num_keys, num_keys)
    )
    return query * 2, keys, values


def in_double(
    query: Tensor, keys: Tensor, values: Tensor, scoring: Scoring, hidden: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Return attention as the textbook has it."""
    scores = query.double() @ keys.double().transpose(-1, -2) * scoring.scale
    if scoring.softcap is not None:
        scores = scoring.softcap * torch.tanh(scores / scoring.softcap)
    if hidden is not None:
        scores = scores.masked_fill(hidden, -math.inf)
    return (scores.softmax(-1) @ values.double()).float(), scores.logsumexp(-1).float()


@few
@given(
    rows=st.integers(1, 70),
    num_keys=st.integers(1, 90),
    softcap=st.sampled_from([None, 1.5, 50.0]),
    chunk=st.sampled_from([7, 64, 4096]),
)
def test_products_are_attention(rows: int, num_keys: int, softcap: float | None, chunk: int) -> None:
    query, keys, values = numbers(rows, num_keys)
    hidden = torch.rand(rows, num_keys, generator=torch.Generator().manual_seed(1)) < 0.5
    hidden[:, 0] = False
    scoring = Scoring(0.3, softcap)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attention_kernels, "KEY_CHUNK", chunk)
        for mask in (None, hidden):
            out, lse = attend_by_products(query, keys, values, scoring, hidden=mask)
            wanted, wanted_lse = in_double(query, keys, values, scoring, mask)
            torch.testing.assert_close(out, wanted, rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(lse, wanted_lse, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("softcap", [None, 3.0])
@pytest.mark.parametrize("flash", [True, False])
def test_every_way_to_attend_is_attention(
    monkeypatch: pytest.MonkeyPatch, causal: bool, softcap: float | None, flash: bool
) -> None:
    query, keys, values = numbers(20, 20)
    scoring = Scoring(0.25, softcap)
    ahead = torch.ones(20, 20, dtype=torch.bool).triu_(1) if causal else None
    monkeypatch.setattr(attention_kernels, "FLASH_DEVICES", {"cpu"} if flash else set())
    out, lse = attend(query, keys, values, scoring, causal=causal)
    wanted, wanted_lse = in_double(query, keys, values, scoring, ahead)
    torch.testing.assert_close(out, wanted, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(lse, wanted_lse, rtol=1e-4, atol=1e-5)


@few
@given(first=st.integers(1, 40), second=st.integers(1, 40))
def test_merged_parts_are_the_whole(first: int, second: int) -> None:
    query, keys, values = numbers(5, first + second)
    scoring = Scoring(0.2)
    parts = [
        attend(query, keys[:, :, part], values[:, :, part], scoring)
        for part in (slice(0, first), slice(first, None))
    ]
    (a, a_lse), (b, b_lse) = parts
    wanted, _ = in_double(query, keys, values, scoring)
    torch.testing.assert_close(merge(a, a_lse, b, b_lse), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("rows", [3, 8, 24, 100])
@pytest.mark.parametrize("num_keys", [64, 320, 4160])
@pytest.mark.parametrize("softcap", [None, 5.0])
def test_a_row_of_products_has_the_same_bits_at_every_place(
    dtype: torch.dtype, rows: int, num_keys: int, softcap: float | None
) -> None:
    query, keys, values = numbers(rows, num_keys, 64, dtype)
    out, lse = attend_by_products(query, keys, values, Scoring(0.125, softcap))
    for shift in (1, rows // 2):
        moved, moved_lse = attend_by_products(query.roll(shift, 2), keys, values, Scoring(0.125, softcap))
        assert torch.equal(moved, out.roll(shift, 2))
        assert torch.equal(moved_lse, lse.roll(shift, 2))


def test_attention_over_nothing_is_rejected() -> None:
    query, keys, values = numbers(2, 1)
    with pytest.raises(ValueError, match="key"):
        attend_by_products(query, keys[:, :, :0], values[:, :, :0], Scoring(1.0))

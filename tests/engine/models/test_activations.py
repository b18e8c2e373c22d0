"""Activations: the library's numbers, and the same bits wherever an element is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor, nn
from transformers.activations import ACT2FN

from quire_engine.models.activations import gelu, gelu_tanh, silu, steady_activations

OURS: dict[str, Callable[[Tensor], Tensor]] = {
    "silu": silu,
    "swish": silu,
    "gelu": gelu,
    "gelu_new": gelu_tanh,
    "gelu_pytorch_tanh": gelu_tanh,
}


@pytest.fixture
def three_threads() -> Iterator[None]:
    """Shares of a tensor end at odd places then."""
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(1)


@pytest.mark.parametrize("name", OURS)
def test_the_numbers_are_the_librarys(name: str) -> None:
    x = torch.linspace(-30, 30, 4001)
    torch.testing.assert_close(OURS[name](x), ACT2FN[name](x), rtol=1e-5, atol=1e-6)
    wide = x.bfloat16()
    assert OURS[name](wide).dtype == torch.bfloat16
    torch.testing.assert_close(OURS[name](wide), ACT2FN[name](wide), rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", OURS)
def test_a_row_has_the_same_bits_at_every_place(three_threads: None, name: str, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(1)
    row = torch.randn(12_347, generator=generator).to(dtype) * 2
    rows = OURS[name](row.expand(8, -1).contiguous())
    assert torch.equal(rows, rows[:1].expand_as(rows))
    assert torch.equal(OURS[name](row), rows[0])


@pytest.mark.parametrize("name", OURS)
def test_activations_of_a_model_are_replaced_wherever_they_are(name: str) -> None:
    inner = nn.Sequential(nn.Linear(4, 4), ACT2FN[name])
    model = nn.Sequential(inner, nn.Tanh())
    x = torch.randn(3, 4)
    with torch.no_grad():
        wanted = model(x)
        steady_activations(model)
        torch.testing.assert_close(model(x), wanted)
    assert type(inner[1]) is not type(ACT2FN[name])
    assert isinstance(model[1], nn.Tanh)

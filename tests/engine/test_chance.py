"""The checks of the tests themselves."""

from __future__ import annotations

import torch

from tests.engine.chance import follows


def test_even_counts_follow_an_even_distribution() -> None:
    assert follows(torch.full((50,), 1600.0), torch.full((50,), 1 / 50))


def test_one_bin_of_fifty_a_quarter_too_full_is_noticed() -> None:
    counts = torch.full((50,), 1600.0)
    counts[3] *= 1.25
    assert not follows(counts, torch.full((50,), 1 / 50))


def test_what_is_impossible_may_not_happen_once() -> None:
    assert not follows(torch.tensor([1000.0, 1000.0, 1.0]), torch.tensor([0.5, 0.5, 0.0]))

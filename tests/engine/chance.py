"""Whether counts are what chance makes of a distribution."""

from __future__ import annotations

import math
from statistics import NormalDist

from torch import Tensor


def chi_square_limit(degrees: int) -> float:
    """Return what chi-square exceeds once in a thousand times (Wilson and Hilferty's approximation)."""
    z = NormalDist().inv_cdf(0.999)
    return degrees * (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3


def chi_square(counts: Tensor, probabilities: Tensor) -> float:
    """Return the statistic of counts against probabilities of the same shape, none of them 0."""
    expected = counts.sum() * probabilities
    return float(((counts - expected) ** 2 / expected).sum())


def follows(counts: Tensor, probabilities: Tensor) -> bool:
    """Say whether counts are what chance makes of these probabilities; what cannot be must not have been."""
    possible = probabilities > 0
    if bool(counts[~possible].any()):
        return False
    counts, probabilities = counts[possible].double(), probabilities[possible].double()
    return chi_square(counts, probabilities) < chi_square_limit(len(counts) - 1)

"""Recover LLaMA 3's scaling of positions from the factors that a GGUF file stores instead."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Floats64 = npt.NDArray[np.float64]
_USUAL = ((1.0, 4.0, 8192), (1.0, 4.0, 4096), (1.0, 4.0, 16384), (1.0, 4.0, 32768), (1.0, 8.0, 8192))
_CLOSE = 2e-4


def llama3_scaling(factors: Floats64, base: float, dim: int) -> dict[str, Any] | None:
    """Return the scaling whose factors these are; None if they belong to none.

    Args:
        factors: by which each pair's angle is divided, one per pair.
        base: the rope's base.
        dim: numbers of a head that are rotated.
    """
    if factors.size != dim // 2 or not np.all(np.isfinite(factors)) or not np.all(factors > 0):
        return None
    if np.allclose(factors, 1.0, atol=1e-6):
        return {"rope_type": "default"}
    factor = float(factors.max())
    factor = float(round(factor)) if abs(factor - round(factor)) < 1e-3 else factor
    for low, high, trained in (*_USUAL, *_solved(factors, factor, base, dim)):
        if np.allclose(_factors_of(factor, low, high, trained, base, dim), factors, rtol=_CLOSE):
            return {
                "rope_type": "llama3",
                "factor": factor,
                "low_freq_factor": low,
                "high_freq_factor": high,
                "original_max_position_embeddings": trained,
            }
    return None


def _wavelengths(base: float, dim: int) -> Floats64:
    exponents = np.arange(0, dim, 2, dtype=np.float64) / dim
    waves: Floats64 = 2 * math.pi * base**exponents
    return waves


def _factors_of(factor: float, low: float, high: float, trained: int, base: float, dim: int) -> Floats64:
    """Return the factors that a scaling gives: 1 for short waves, all for long ones, a slope between."""
    waves = _wavelengths(base, dim)
    share = (trained / waves - low) / (high - low)
    between = 1 / ((1 - share) / factor + share)
    found: Floats64 = np.where(waves < trained / high, 1.0, np.where(waves > trained / low, factor, between))
    return found


def _solved(factors: Floats64, factor: float, base: float, dim: int) -> tuple[tuple[float, float, int], ...]:
    """Fit the line between the two ends, with 1 as the lower factor: only ratios matter."""
    inside = (factors > 1 + 1e-6) & (factors < factor * (1 - 1e-6))
    if inside.sum() < 2 or factor <= 1:
        return ()
    share = (1 / factors[inside] - 1 / factor) / (1 - 1 / factor)
    slope, offset = np.polyfit(1 / _wavelengths(base, dim)[inside], share, 1)
    if not (offset < 0 < slope):
        return ()
    high = 1 - 1 / float(offset)
    return ((1.0, round(high, 4), round(float(slope) * (high - 1))),)

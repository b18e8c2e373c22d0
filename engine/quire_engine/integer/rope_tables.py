"""How fast the numbers of a head turn with the position, by the settings of a model, the same on every
computer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

KINDS = ("default", "linear", "llama3", "yarn")
"""Kinds of scaling that are known here."""


def frequencies(rope: Mapping[str, Any], numbers: int, context_length: int) -> Doubles:
    """Return radians per position, (half of the numbers that are rotated,).

    They are rounded to float32: before that, the power functions of two systems may differ in the last bit
    of a float64.

    Args:
        rope: `rope_parameters` of the library's configuration.
        numbers: of a head that are rotated.
        context_length: the model's, where the settings don't name the one that it was trained with.
    """
    theta, kind = float(rope["rope_theta"]), rope.get("rope_type", "default")
    plain = np.array([theta ** (-2 * place / numbers) for place in range(numbers // 2)])
    if kind == "linear":
        plain = plain / float(rope["factor"])
    elif kind == "llama3":
        plain = _llama3(plain, rope)
    elif kind == "yarn":
        plain = _yarn(plain, rope, theta, numbers, context_length)
    elif kind != "default":
        raise ValueError(f"unknown kind of rope scaling: {kind}")
    return plain.astype(np.float32).astype(np.float64)


def _llama3(plain: Doubles, rope: Mapping[str, Any]) -> Doubles:
    """Slow down what turns less than once in the text that the model was trained with."""
    slow, fast = float(rope["low_freq_factor"]), float(rope["high_freq_factor"])
    factor, trained = float(rope["factor"]), float(rope["original_max_position_embeddings"])
    turns = trained * plain / (2 * math.pi)
    share = np.clip((turns - slow) / (fast - slow), 0.0, 1.0)
    scaled: Doubles = (1 - share) * plain / factor + share * plain
    return scaled


def _yarn(
    plain: Doubles, rope: Mapping[str, Any], theta: float, numbers: int, context_length: int
) -> Doubles:
    trained = float(rope.get("original_max_position_embeddings") or context_length)
    factor = float(rope["factor"])

    def place_of(turns: float) -> float:
        return numbers * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(theta))

    first, last = place_of(rope.get("beta_fast") or 32), place_of(rope.get("beta_slow") or 1)
    if rope.get("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, numbers - 1)
    width = (last - first) or 0.001
    share = np.clip((np.arange(numbers // 2) - first) / width, 0.0, 1.0)
    scaled: Doubles = share * plain / factor + (1 - share) * plain
    return scaled

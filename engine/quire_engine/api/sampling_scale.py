"""How a model weighs its words, and what sampling settings mean with it. Imports no torch.

A repetition penalty divides logits, so how much it changes depends on how large a model's logits are: 1.2
takes 1.3 nats from the best word that was seen before with the built-in model and 3 nats with SmolLM2, whose
text then avoids every common word. And a model that was tuned to answer is surer of itself than its words
deserve, so that the same temperature gives it less variety. Both are measured once per model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from quire_engine.api.config import SamplingConfig

_TEMPERATURES = (0.85, 1.3)
"""Least and largest factor on a temperature: a model beyond them needs more than another temperature."""
_MOST_TAKEN = 0.5
"""Largest share of a logit that a penalty takes."""
_NEAR_PENALTY, _NEAR_TEMPERATURE = 0.15, 0.05
"""Models that differ less from the reference keep the settings as they are: the measurement is not finer."""


@dataclass(frozen=True, slots=True)
class SamplingScale:
    """What was measured of a model on a page of a novel.

    Attributes:
        seen_logit: mean size of the largest logit among the words seen before, which a penalty divides.
        temperature: with which the page is least surprising; above 1 the model is too sure of itself.
    """

    seen_logit: float
    temperature: float


REFERENCE = SamplingScale(seen_logit=8.2, temperature=1.022)
"""The model with which the presets were measured: Quire's built-in one."""


def scaled(sampling: SamplingConfig, scale: SamplingScale) -> SamplingConfig:
    """Return settings that mean with a model what `sampling` means with the reference: a penalty takes as
    many nats, and a temperature leaves as much variety."""
    share = REFERENCE.seen_logit / max(scale.seen_logit, 1e-6)
    factor = min(max(scale.temperature / REFERENCE.temperature, _TEMPERATURES[0]), _TEMPERATURES[1])
    penalty, temperature = sampling.repetition_penalty, sampling.temperature
    if abs(share - 1) > _NEAR_PENALTY:
        penalty = round(1 / (1 - min((1 - 1 / penalty) * share, _MOST_TAKEN)), 4)
    if abs(factor - 1) > _NEAR_TEMPERATURE:
        temperature = round(temperature * factor, 2)
    return replace(sampling, repetition_penalty=penalty, temperature=temperature)

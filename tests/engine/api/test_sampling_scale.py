"""Settings that mean the same with every model."""

from __future__ import annotations

import math

import pytest

from quire_engine.api.config import SamplingConfig
from quire_engine.api.sampling_scale import REFERENCE, SamplingScale, scaled

BALANCED = SamplingConfig(banned=("suddenly",), seed=5)


def nats_taken(penalty: float, logit: float) -> float:
    return logit * (1 - 1 / penalty)


def test_the_reference_keeps_its_settings() -> None:
    for scale in (REFERENCE, SamplingScale(REFERENCE.seen_logit * 1.1, REFERENCE.temperature * 0.97)):
        assert scaled(BALANCED, scale) == BALANCED


@pytest.mark.parametrize("logit", [2.5, 4.0, 18.5, 40.0])
@pytest.mark.parametrize("penalty", [1.2, 1.3, 1.35])
def test_a_penalty_takes_as_many_nats_as_with_the_reference(penalty: float, logit: float) -> None:
    sampling = SamplingConfig(repetition_penalty=penalty)
    followed = scaled(sampling, SamplingScale(logit, REFERENCE.temperature))
    wanted = nats_taken(penalty, REFERENCE.seen_logit)
    assert nats_taken(followed.repetition_penalty, logit) == pytest.approx(min(wanted, logit / 2), rel=0.02)
    assert followed.temperature == sampling.temperature


def test_a_model_that_is_too_sure_of_itself_is_warmed_and_one_that_is_not_is_cooled() -> None:
    sure = scaled(BALANCED, SamplingScale(REFERENCE.seen_logit, REFERENCE.temperature * 1.2))
    unsure = scaled(BALANCED, SamplingScale(REFERENCE.seen_logit, REFERENCE.temperature * 0.9))
    assert (sure.temperature, unsure.temperature) == (1.2, 0.9)
    assert scaled(BALANCED, SamplingScale(REFERENCE.seen_logit, 9.0)).temperature == 1.3  # within reason


def test_other_settings_stay_and_what_is_off_stays_off() -> None:
    loud = SamplingScale(30.0, 1.5)
    followed = scaled(BALANCED, loud)
    assert (followed.seed, followed.banned, followed.min_p) == (5, ("suddenly",), BALANCED.min_p)
    assert scaled(SamplingConfig(repetition_penalty=1.0), loud).repetition_penalty == 1.0
    assert scaled(SamplingConfig(temperature=0.0), loud).temperature == 0.0
    assert math.isfinite(scaled(BALANCED, SamplingScale(1e-9, 1.0)).repetition_penalty)

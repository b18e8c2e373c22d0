from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from quire_engine.api.config import DraftingConfig, Goal, ModelConfig, SamplingConfig


def test_the_defaults_are_the_papers() -> None:
    sampling = SamplingConfig()
    assert (sampling.temperature, sampling.min_p) == (1.0, 0.1)
    assert (sampling.repetition_penalty, sampling.penalty_window) == (1.2, 1024)
    assert DraftingConfig().partial_budget == 4096
    assert ModelConfig("m").reproducible


LIMITS: dict[str, tuple[list[Any], list[Any]]] = {
    "temperature": ([0, 0.001, 0.1, 1000], [-0.1, -1, 0.0001, 1001]),
    "top_k": ([0, 1, 10**6], [-1]),
    "top_p": ([1e-9, 0.5, 1], [0, -0.1, 1.01]),
    "min_p": ([0, 0.5, 0.999], [-0.1, 1, 2]),
    "eta": ([0, 0.5, 0.999], [-0.1, 1]),
    "repetition_penalty": ([1, 1.2, 1000], [0.99, 0, -1, 1001]),
    "penalty_window": ([0, 1, 10**6], [-1]),
    "penalty_growth": ([0, 0.5, 100], [-0.1, 101]),
    "seed": ([0, 1, 2**63 - 1], [-1, 2**63]),
}


@pytest.mark.parametrize("name", LIMITS)
def test_sampling_settings_know_their_limits(name: str) -> None:
    good, bad = LIMITS[name]
    for value in good:
        assert getattr(SamplingConfig(**{name: value}), name) == value
    for value in bad:
        with pytest.raises(ValueError, match=rf"^{name} must be .*, got {value}"):
            SamplingConfig(**{name: value})


def test_every_sampling_setting_has_limits() -> None:
    assert {field.name for field in fields(SamplingConfig)} == {*LIMITS, "banned"}


def test_banned_phrases_are_few_and_short() -> None:
    longest = tuple(str(number).zfill(100) for number in range(200))
    assert SamplingConfig(banned=longest).banned == longest
    for bad, said in (
        ((*longest, "one more"), "at most 200 phrases, got 201"),
        (("x" * 101,), "phrases of at most 100 characters, got one of 101"),
        (("a testament to", " \t"), "words or phrases, got an empty one"),
    ):
        with pytest.raises(ValueError, match=f"^banned must be {said}"):
            SamplingConfig(banned=bad)


@pytest.mark.parametrize("name", ["temperature", "top_p", "min_p", "eta", "repetition_penalty"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_setting_that_is_no_number_is_rejected(name: str, value: float) -> None:
    """Or it makes every logit infinite, and the model is blamed for it."""
    with pytest.raises(ValueError, match=f"^{name} must be "):
        SamplingConfig(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [-1, 129])
def test_a_pass_has_one_to_128_rows_or_as_many_as_the_device_likes(width: int) -> None:
    assert ModelConfig("m").width == 0
    with pytest.raises(ValueError, match="width"):
        ModelConfig("m", width=width)


@pytest.mark.parametrize(
    "drafting",
    [
        *[{"drafters": ("magic",)}, {"drafters": ("ngrams", "ngrams")}, {"tree": (0,)}, {"tree": (1, 65)}],
        *[{"tree": (1,) * 17}, {"partial_budget": 31}],
        *[{"gamma": 0}, {"gamma": 17}, {"tails": 0}, {"tails": 257}, {"table_delay": -1}],
    ],
    ids=str,
)
def test_drafting_settings_know_their_limits(drafting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(drafting))):
        DraftingConfig(method="tokenswift", **drafting)


def test_threads_are_not_negative() -> None:
    with pytest.raises(ValueError, match="threads"):
        ModelConfig("m", threads=-1)


def test_a_goal_needs_words_or_tokens() -> None:
    with pytest.raises(ValueError, match="words or tokens"):
        Goal()
    assert Goal(words=1).tokens is None
    assert Goal(tokens=1).words is None


@pytest.mark.parametrize(
    "limits", [{"words": 0}, {"tokens": 0}, {"words": -5}, {"words": 5, "tokens": -1}], ids=str
)
def test_a_goal_is_at_least_one(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Goal(**limits)


def test_a_slack_is_not_negative() -> None:
    with pytest.raises(ValueError, match="sentence_slack"):
        Goal(words=5, sentence_slack=-1)


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        SamplingConfig().seed = 3  # type: ignore[misc]

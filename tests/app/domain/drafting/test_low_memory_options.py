"""What is offered when memory ran out: only what would help."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.low_memory_options import LEAST_WORDS, SHORTEST_VIEW, WaysOn, ways_on
from quire.domain.drafting.run import Run, RunState
from quire_engine.api.config import CacheForm, SamplingConfig
from quire_engine.api.messages import ModelLoaded
from quire_engine.api.model_identity import ModelIdentity

MODEL = ModelLoaded(
    ModelIdentity("m", "f", "bfloat16", 8, "test"), 8192, 1, True, 0.0,
    cache_bytes_per_token=100, workspace_bytes=1000, is_on_gpu=True,
)  # fmt: skip
RUN = Run(
    1, 1, SamplingConfig(), 1000, "a", "a", RunState.PAUSED, num_prompt=2000, num_tokens=400, num_words=300
)


def test_on_a_gpu_the_computer_can_help_and_elsewhere_not() -> None:
    assert ways_on(MODEL, RUN, 0) == WaysOn(0, 1152, in_computer=True, smaller=True)
    assert ways_on(replace(MODEL, is_on_gpu=False), RUN, 0) == WaysOn(0, 1152, smaller=True)


@pytest.mark.parametrize(
    ("cache", "in_computer", "smaller"),
    [("full", True, True), ("float8", True, False), ("computer", False, False)],
)
def test_what_was_done_already_is_not_offered_again(
    cache: CacheForm, in_computer: bool, smaller: bool
) -> None:
    ways = ways_on(replace(MODEL, cache=cache), RUN, 0)
    assert (ways.in_computer, ways.smaller) == (in_computer, smaller)


@pytest.mark.parametrize(
    ("context", "wanted"), [(8192, 1152), (2048, 1024), (1024, 512), (1000, 0), (512, 0)]
)
def test_a_shorter_view_is_half_of_what_is_in_view(context: int, wanted: int) -> None:
    assert ways_on(replace(MODEL, context_length=context), RUN, 0).context == wanted


def test_a_goal_is_offered_that_fits_counted_as_the_last_one_was() -> None:
    room = 2400 + 460  # tokens: half of the 700 words that are left, at 4 tokens to 3 words
    free = round((room * 100) / 0.9) + 1000
    ways = ways_on(MODEL, RUN, free)
    assert 300 + 330 < ways.goal_words < 300 + 350
    assert ways_on(MODEL, replace(RUN, goal_start=200), free).goal_words == ways.goal_words - 200
    assert ways_on(MODEL, RUN, 2 * free).goal_words == 0  # it fits as it is, so it was not the goal
    assert ways_on(MODEL, RUN, free // 2).goal_words == 0  # nothing would be left to write
    assert ways_on(replace(MODEL, context_length=2560), RUN, free).goal_words == 0  # it never takes more
    assert ways_on(replace(MODEL, held_bytes_per_token=50), RUN, free).goal_words == 0


@given(st.integers(0, 10**6), st.integers(0, 5000), st.integers(0, 3000), st.integers(1, 20_000))
def test_whatever_is_offered_is_less_than_what_there_was(
    free: int, prompt: int, words: int, goal: int
) -> None:
    run = replace(RUN, num_prompt=prompt, num_tokens=2 * words, num_words=words, goal_words=goal)
    ways = ways_on(MODEL, run, free)
    assert ways.goal_words == 0 or words + LEAST_WORDS <= ways.goal_words < goal
    assert ways.context == 0 or SHORTEST_VIEW <= ways.context <= min(prompt + 2 * words, 8192) // 2
    assert ways.context % 64 == 0

"""What helps when there is not enough memory for a draft, and what does not."""

from __future__ import annotations

from dataclasses import dataclass

from quire.domain.drafting.run import Run
from quire_engine.api.messages import ModelLoaded

SHORTEST_VIEW = 512
"""Tokens: looking back over less than this would hardly go on with the same story."""
LEAST_WORDS = 50
"""A goal that leaves fewer words to write is no help."""
_BLOCK = 64
_SPARE = 0.9
"""Share of the free memory that is counted on: other programs want some, too."""


@dataclass(frozen=True, slots=True)
class WaysOn:
    """The options that would help.

    Attributes:
        goal_words: a goal that fits, counted as the last one was; 0: the goal was not the cause.
        context: a shorter context in tokens; 0: there is no text to leave out.
        in_computer: whether the KV cache could be kept in main memory.
        smaller: whether the KV cache could be compressed.
    """

    goal_words: int = 0
    context: int = 0
    in_computer: bool = False
    smaller: bool = False


def ways_on(model: ModelLoaded, run: Run, free_bytes: int) -> WaysOn:
    """Return what would help a run that had too little memory.

    Args:
        free_bytes: memory for the KV cache, including what it uses already; 0 where unknown.
    """
    tokens = run.num_prompt + run.num_tokens
    return WaysOn(
        goal_words=_goal_that_fits(model, run, free_bytes),
        context=_shorter_view(min(tokens, model.context_length)),
        in_computer=model.is_on_gpu and model.cache != "computer",
        smaller=model.cache == "full",
    )


def _shorter_view(in_view: int) -> int:
    context = in_view // 2 // _BLOCK * _BLOCK
    return context if context >= SHORTEST_VIEW else 0


def _goal_that_fits(model: ModelLoaded, run: Run, free_bytes: int) -> int:
    from quire.domain.drafting.expected_time import (
        tokens_of_words,  # numpy would delay the first window
    )

    per_token = model.held_bytes_per_token or model.cache_bytes_per_token
    if free_bytes <= 0 or per_token <= 0:
        return 0
    tokens = run.num_prompt + run.num_tokens
    left = max(run.goal_words - run.num_words, 0)
    wanted = tokens + tokens_of_words(left, run.num_tokens, run.num_words)
    room = int(_SPARE * (free_bytes - model.workspace_bytes)) // per_token
    if room >= min(wanted, model.context_length):
        return 0  # the goal was not the cause
    fits = left * max(room - tokens, 0) // max(wanted - tokens, 1)
    return run.num_words - run.goal_start + fits if fits >= LEAST_WORDS else 0

"""Answers that a model writes: a run on a KV cache of its own, or a reply of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quire_engine.api.config import Goal
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import (
    FinishReason,
    GenerationFinished,
    GenerationPaused,
    ReadingProgressed,
    StartGeneration,
    StepCompleted,
)
from quire_engine.api.queries import QueryProgressed, TextWritten, WriteText
from quire_engine.runtime.engine_thread import RunEvent, StartCommand

_READ = 0.3
"""Share of the progress that reading the prompt takes."""


def write_text(
    run: Callable[[StartCommand], Iterator[RunEvent]], query: WriteText, *, can_ask: bool
) -> Iterator[QueryProgressed | TextWritten]:
    """Write an answer piece by piece; EnvironmentProblem where the model has to stop before its end.

    Args:
        run: starts a run that no other one knows of.
        can_ask: the model answers requests.
    """
    start = StartGeneration(
        0, query.prompt_text, query.sampling, query.prompt_goal, read_tail=True, drafting=query.drafting
    )
    if can_ask:
        start = StartGeneration(
            0, "", query.sampling, query.goal, drafting=query.drafting, front_text=query.request, chat=True,
            is_request=True,
        )  # fmt: skip
    text, num_tokens, fraction, is_cut = "", 0, 0.0, False
    for event in run(start):
        piece = ""
        match event:
            case ReadingProgressed(num_read=num_read, num_total=num_total):
                fraction = _READ * num_read / max(num_total, 1)
            case StepCompleted(text=piece, token_ids=ids, num_words=num_words):
                text += piece
                num_tokens += len(ids)
                fraction = max(fraction, _READ + (1 - _READ) * _share(start.goal, num_words, num_tokens))
            case GenerationFinished(reason=reason):
                is_cut = can_ask and reason is FinishReason.GOAL
            case GenerationPaused(message=message):
                raise EnvironmentProblem(message)
            case _:
                pass
        yield QueryProgressed(query.query_id, fraction, piece)
    yield TextWritten(query.query_id, text, can_ask, num_tokens, is_cut)


def _share(goal: Goal, num_words: int, num_tokens: int) -> float:
    """Return how much of the longest answer is written."""
    shares = [
        done / most for done, most in ((num_words, goal.words), (num_tokens, goal.tokens)) if most is not None
    ]
    return min(max(shares, default=0.0), 1.0)

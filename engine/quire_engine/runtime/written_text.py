"""Answers that a model writes: a run on a KV cache of its own, or a reply of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import GenerationPaused, ReadingProgressed, StartGeneration, StepCompleted
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
        0,
        "" if can_ask else query.prompt_text,
        query.sampling,
        query.goal,
        drafting=query.drafting,
        front_text=query.request if can_ask else "",
        chat=can_ask,
    )
    text, num_tokens, fraction = "", 0, 0.0
    for event in run(start):
        piece = ""
        match event:
            case ReadingProgressed(num_read=num_read, num_total=num_total):
                fraction = _READ * num_read / max(num_total, 1)
            case StepCompleted(text=piece, token_ids=ids, num_words=num_words):
                text += piece
                num_tokens += len(ids)
                fraction = max(fraction, _READ + (1 - _READ) * _share(query, num_words, num_tokens))
            case GenerationPaused(message=message):
                raise EnvironmentProblem(message)
            case _:
                pass
        yield QueryProgressed(query.query_id, fraction, piece)
    yield TextWritten(query.query_id, text, can_ask, num_tokens)


def _share(query: WriteText, num_words: int, num_tokens: int) -> float:
    """Return how much of the longest answer is written."""
    goal = query.goal
    shares = [
        done / most for done, most in ((num_words, goal.words), (num_tokens, goal.tokens)) if most is not None
    ]
    return min(max(shares, default=0.0), 1.0)

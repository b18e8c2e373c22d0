"""How long a draft takes to a goal when the model's context holds only a part of the text.

Time follows the curve of `quire.domain.drafting.time_left`; its length is the number of tokens in context. A
full context is rebuilt from half of it, so the length swings between half and all from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.time_left import TimeCurve, TimeFit, TimeLeft

TOKENS_PER_WORD = 1.35
"""Of English prose, until a run has told its own."""
_LEAST_WORDS = 30
_MOST_PIECES_PER_WORD = 6.0


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """The model's context while it drafts.

    Attributes:
        tokens: of the text and the run so far.
        context: the limit in tokens; 0: unknown, and treated as unlimited.
    """

    tokens: int = 0
    context: int = 0

    @property
    def in_view(self) -> int:
        """Tokens in context for the next one."""
        return context_length(self.tokens, self.context)


def context_length(num_tokens: int, context: int) -> int:
    """Return how many tokens of a text of this length are in context."""
    if context < 2 or num_tokens < context:
        return num_tokens
    kept = context // 2
    return kept + (num_tokens - context) % (context - kept)


def seconds_to(curve: TimeCurve, tokens: int, goal: int, context: int) -> float:
    """Return how long the tokens from a length of the text to a goal take."""
    if goal <= tokens:
        return 0.0
    if context < 2:
        return max(curve.seconds(tokens, goal), 0.0)
    passed = 0.0
    if tokens < context:
        end = min(goal, context)
        passed, tokens = curve.seconds(tokens, end), end
    kept = context // 2
    cycle = context - kept
    return max(
        passed + _rolled(curve, goal - context, kept, cycle) - _rolled(curve, tokens - context, kept, cycle),
        0.0,
    )


def _rolled(curve: TimeCurve, tokens: int, kept: int, cycle: int) -> float:
    """Return the seconds of a number of tokens after the context was full for the first time."""
    if tokens <= 0:
        return 0.0
    rounds, rest = divmod(tokens, cycle)
    return rounds * curve.seconds(kept, kept + cycle) + curve.seconds(kept, kept + rest)


def time_to(fit: TimeFit, tokens: int, goal: int, context: int) -> TimeLeft | None:
    """Return how long a run takes to a goal, as a range; None while it cannot be estimated."""
    curve = fit.curve()
    straight = fit.left(tokens, goal)
    if curve is None or straight is None:
        return None
    likely = seconds_to(curve, tokens, goal, context)
    if straight.likely_s <= 0:
        return TimeLeft(likely, likely, likely)
    return TimeLeft(
        likely * straight.low_s / straight.likely_s, likely, likely * straight.high_s / straight.likely_s
    )


def fit_of(steps: Sequence[StepRecord], num_prompt: int, context: int) -> TimeFit:
    """Return the curve of a stored run."""
    fit = TimeFit()
    tokens = num_prompt
    for step in steps:
        fit.add(context_length(tokens, context), step.num_tokens, step.step_ms / 1000)
        tokens += step.num_tokens
    return fit


def tokens_of_words(words: int, run_tokens: int = 0, run_words: int = 0) -> int:
    """Return about how many tokens a number of words takes, by the run's own ratio once it has enough
    words."""
    per_word = TOKENS_PER_WORD
    if run_words >= _LEAST_WORDS:
        per_word = min(max(run_tokens / run_words, 1.0), _MOST_PIECES_PER_WORD)
    return round(words * per_word)

"""What the steps of one subset of drafters have shown."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from quire_engine.api.config import Source
from quire_engine.drafting.cost_model import SteadyMean

FIRST_WAIT = 64
"""Steps before a subset that lost is tried again for the first time."""

_MEMORY = 0.995  # decay per step of a subset: about its last 200 count
_IDLE_MEMORY = 0.998  # decay per step of the others
_RECENT = 32  # latest steps, compared with what the subset used to give
_BREAK = 3.5  # standard errors below which the subset has got worse
_JUMP = 2.0  # standard errors above which a trial has got better
_LEAST_DEVIATION = 0.5  # tokens per step; drafts that were never accepted may still be


@dataclass(slots=True)
class DrafterSubset:
    """A subset of drafters and the results of its steps; weight and sums decay with every step of the run."""

    sources: tuple[Source, ...]
    steps: int = 0
    weight: float = 0.0
    total: float = 0.0
    squares: float = 0.0
    expected: float = 0.0
    recent: float = 0.0
    usual: float = 1.0
    trial_tokens: int = 0
    trial_steps: int = 0
    touched: int = 0
    nodes: SteadyMean = field(default_factory=lambda: SteadyMean(50))
    draft_ms: SteadyMean = field(default_factory=lambda: SteadyMean(100))
    rest_ms: SteadyMean = field(default_factory=lambda: SteadyMean(100))
    wait: int = FIRST_WAIT
    due: int = 0
    made_up: int = 0  # step by which the time is saved that its drafters took to read

    def fade(self, now: int) -> None:
        self.keep(_IDLE_MEMORY ** (now - self.touched))
        self.touched = now

    def take(self, tokens: int, expected: float) -> None:
        self.keep(_MEMORY)
        self.steps += 1
        self.weight += 1
        self.total += tokens
        self.squares += tokens * tokens
        self.expected += expected
        self.trial_tokens += tokens
        self.trial_steps += 1
        self.recent += (tokens - self.recent) / min(self.steps, _RECENT)

    def start_trial(self) -> None:
        self.usual, self.trial_tokens, self.trial_steps = self.tokens, 0, 0

    def forget_if_better(self) -> None:
        """Keep only the trial if it gave much more than the subset used to."""
        if not self.trial_steps or not self.weight:
            return
        fresh = self.trial_tokens / self.trial_steps
        error = self.error * math.sqrt(self.weight / self.trial_steps)
        if fresh > self.usual + _JUMP * error:
            self._restart(fresh, self.trial_steps)

    def forget_if_broken(self) -> bool:
        """Keep only the last steps if they gave much less than the subset used to."""
        usual = self.total / self.weight
        # an exponential mean over n steps varies as the plain mean of 2 n steps
        error = self.error * math.sqrt(self.weight / (2 * _RECENT))
        if self.weight < 2 * _RECENT or self.recent > usual - _BREAK * error:
            return False
        self._restart(self.recent, _RECENT)
        return True

    def _restart(self, tokens: float, weight: float) -> None:
        spread = max(0.0, self.squares / self.weight - (self.total / self.weight) ** 2)
        self.weight, self.total, self.expected = weight, weight * tokens, weight * tokens
        self.squares = weight * (tokens**2 + spread)

    def keep(self, share: float) -> None:
        """Let what its steps gave count for this share of what it did."""
        self.weight *= share
        self.total *= share
        self.squares *= share
        self.expected *= share

    @property
    def tokens(self) -> float:
        """Tokens per step: the expected number, which varies little, corrected by the actual one, which is
        unbiased.

        The difference counts as far as it exceeds chance (positive-part James-Stein estimate).
        """
        if not self.weight or not self.sources:
            return 1.0
        surprise = (self.total - self.expected) / self.weight
        if abs(surprise) > self.error:
            return max(1.0, self.expected / self.weight + surprise - self.error**2 / surprise)
        return self.expected / self.weight

    @property
    def error(self) -> float:
        """Standard error of `tokens`."""
        if not self.sources:
            return 0.0  # a plain step gives one token
        variance = self.squares / self.weight - (self.total / self.weight) ** 2
        return max(_LEAST_DEVIATION, math.sqrt(max(0.0, variance))) / math.sqrt(self.weight)

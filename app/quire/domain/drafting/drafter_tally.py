"""What each drafter brought a run, counted step by step."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import Source


@dataclass(frozen=True, slots=True)
class Earned:
    """The accepted tokens of a drafter, and how many words the run had before the first of them."""

    num_tokens: int
    since_words: int


class DrafterTally:
    """Counts the accepted tokens of each drafter.

    Attributes:
        num_tokens: of the run, however they came about.
    """

    def __init__(self) -> None:
        self.num_tokens = 0
        self._num_words = 0
        self._accepted = Counter[Source]()
        self._since: dict[Source, int] = {}

    def add(self, step: StepRecord) -> None:
        """Count the next step."""
        for source in step.sources:
            self._accepted[source] += 1
            self._since.setdefault(source, self._num_words)
        self.num_tokens += step.num_tokens
        self._num_words = step.num_words

    def of(self, source: Source) -> Earned | None:
        """Return what a drafter brought; None for nothing."""
        since = self._since.get(source)
        return None if since is None else Earned(self._accepted[source], since)

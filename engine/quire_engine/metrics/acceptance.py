"""What became of a run's drafts: rates, depths, sources and time; definitions in `quire_engine.metrics`."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from quire_engine.api.config import SOURCES, Source

PHRASES: frozenset[Source] = frozenset({"ngrams", "fourgrams"})
"""Sources that reuse phrases of the text (the paper's token reutilisation, section 3.3)."""


@dataclass(frozen=True, slots=True)
class StepMetrics:
    """What one step did and cost.

    Attributes:
        num_nodes: draft tokens verified.
        draft_depth: longest drafted path.
        accepted_sources: the drafter of each accepted token, by depth.
        num_tokens: tokens that the step added.
        draft_ms, verify_ms, rest_ms: milliseconds in drafting, in the verify pass, and in sampling and
            learning.
        margin: smallest margin of the step.
    """

    num_nodes: int
    draft_depth: int
    accepted_sources: tuple[Source, ...]
    num_tokens: int
    draft_ms: float
    verify_ms: float
    rest_ms: float
    margin: float

    def __post_init__(self) -> None:
        if len(self.accepted_sources) > self.draft_depth:
            raise ValueError(
                f"{len(self.accepted_sources)} accepted tokens do not fit a draft of depth {self.draft_depth}"
            )


class RunMetrics:
    """Sums over steps; every metric of a run follows from them, so none can contradict another."""

    def __init__(self) -> None:
        self.num_steps = 0
        self.num_tokens = 0
        self.num_nodes = 0
        self.drafted_depth = 0
        self.num_accepted = 0
        self.num_from_phrases = 0
        self.margin = math.inf
        self.draft_ms = 0.0
        self.verify_ms = 0.0
        self.rest_ms = 0.0
        self._num_drafted_to: Counter[int] = Counter()
        self._num_accepted_to: Counter[int] = Counter()
        self._by_source: Counter[Source] = Counter()

    def add(self, step: StepMetrics) -> None:
        """Add a step."""
        accepted = len(step.accepted_sources)
        self.num_steps += 1
        self.num_tokens += step.num_tokens
        self.num_nodes += step.num_nodes
        self.drafted_depth += step.draft_depth
        self.num_accepted += accepted
        if PHRASES.issuperset(step.accepted_sources):
            self.num_from_phrases += accepted
        self.margin = min(self.margin, step.margin)
        self.draft_ms += step.draft_ms
        self.verify_ms += step.verify_ms
        self.rest_ms += step.rest_ms
        self._num_drafted_to[step.draft_depth] += 1
        self._num_accepted_to[accepted] += 1
        self._by_source.update(step.accepted_sources)

    @property
    def alpha(self) -> float | None:
        """Acceptance rate (paper, Eq. 4): accepted / drafted depth; None when nothing was drafted."""
        return _ratio(self.num_accepted, self.drafted_depth)

    @property
    def beta(self) -> float | None:
        """N-gram acceptance rate: accepted on paths that are phrases from end to end / drafted depth."""
        return _ratio(self.num_from_phrases, self.drafted_depth)

    @property
    def phrase_share(self) -> float | None:
        """Accepted tokens credited to phrases / all accepted tokens."""
        return _ratio(sum(self._by_source[source] for source in PHRASES), self.num_accepted)

    @property
    def tokens_per_pass(self) -> float | None:
        """Tokens that a pass adds, on average, plain steps included."""
        return _ratio(self.num_tokens, self.num_steps)

    @property
    def total_ms(self) -> float:
        """Time of all steps, without prefill and pauses."""
        return self.draft_ms + self.verify_ms + self.rest_ms

    @property
    def tokens_per_s(self) -> float | None:
        """Tokens / seconds spent in steps."""
        return _ratio(1000 * self.num_tokens, self.total_ms)

    @property
    def outside_share(self) -> float | None:
        """Share of the time outside of drafting and verify passes: sampling, learning, planning, upkeep."""
        return _ratio(self.rest_ms, self.total_ms)

    @property
    def acceptance_at_depth(self) -> tuple[float, ...]:
        """For depth 1, 2, ...: steps that accepted this many tokens or more / steps that drafted this
        deep."""
        deepest = max(self._num_drafted_to, default=0)
        rates: list[float] = []
        for depth in range(1, deepest + 1):
            drafted = sum(steps for to, steps in self._num_drafted_to.items() if to >= depth)
            accepted = sum(steps for to, steps in self._num_accepted_to.items() if to >= depth)
            rates.append(accepted / drafted)
        return tuple(rates)

    @property
    def accepted_lengths(self) -> tuple[int, ...]:
        """Number of steps that accepted 0, 1, 2, ... draft tokens."""
        longest = max(self._num_accepted_to, default=-1)
        return tuple(self._num_accepted_to[length] for length in range(longest + 1))

    @property
    def accepted_by_source(self) -> dict[Source, int]:
        """Accepted tokens by source, where there are any."""
        return {source: self._by_source[source] for source in SOURCES if self._by_source[source]}

    def report(self) -> dict[str, Any]:
        """Return every metric for a JSON report; None where there is nothing to divide by."""
        return {
            "steps": self.num_steps,
            "tokens": self.num_tokens,
            "tokens_per_s": self.tokens_per_s,
            "tokens_per_pass": self.tokens_per_pass,
            "alpha": self.alpha,
            "beta": self.beta,
            "phrase_share": self.phrase_share,
            "accepted": self.num_accepted,
            "drafted_depth": self.drafted_depth,
            "drafting_steps": self.num_steps - self._num_drafted_to[0],
            "nodes_per_step": _ratio(self.num_nodes, self.num_steps),
            "kept_at_depth": list(self.acceptance_at_depth),
            "accepted_lengths": list(self.accepted_lengths),
            "accepted_by_source": dict(self.accepted_by_source),
            "draft_ms": self.draft_ms,
            "verify_ms": self.verify_ms,
            "rest_ms": self.rest_ms,
            "outside_share": self.outside_share,
            "margin": None if math.isinf(self.margin) else self.margin,
        }


def _ratio(amount: float, of: float) -> float | None:
    return amount / of if of else None

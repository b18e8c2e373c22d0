"""The report of a run from the command line: text, metrics, and how varied its words are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from quire_engine.api.messages import StepCompleted
from quire_engine.metrics.acceptance import RunMetrics, StepMetrics
from quire_engine.metrics.distinct_n import DistinctCounter

if TYPE_CHECKING:
    from quire_engine.decoding.token_stream import Step


def facts_of(step: StepCompleted | Step, rest_ms: float) -> StepMetrics:
    """Return the part of a step that the metrics use. rest_ms: time outside of drafting and the pass."""
    return StepMetrics(
        num_nodes=step.num_drafted,
        draft_depth=step.draft_depth,
        accepted_sources=step.accepted_sources,
        num_tokens=len(step.token_ids),
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
        rest_ms=rest_ms,
        margin=step.margin,
    )


@dataclass(slots=True)
class RunTally:
    """Collects the steps of one run."""

    prompt_tokens: int = 0
    token_ids: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    figures: RunMetrics = field(default_factory=RunMetrics)
    distinct: DistinctCounter = field(default_factory=DistinctCounter)

    @property
    def seconds(self) -> float:
        """Seconds spent in steps, without prefill."""
        return self.figures.total_ms / 1000

    def add(self, step: StepCompleted) -> None:
        """Add a step."""
        self.token_ids.extend(step.token_ids)
        self.text.append(step.text)
        self.distinct.add_all(step.token_ids)
        self.figures.add(facts_of(step, step.step_ms - step.draft_ms - step.verify_ms))

    def report(self) -> dict[str, Any]:
        """Return the metrics by name, as quire_engine.metrics defines them."""
        rounded = {
            name: round(value, 4) if isinstance(value, float) else value
            for name, value in self.figures.report().items()
        }
        return rounded | {
            "token_ids": self.token_ids,
            "text": "".join(self.text),
            "seconds": round(self.seconds, 4),
            "prompt_tokens": self.prompt_tokens,
            "passes": self.figures.num_steps,
            "distinct": self.distinct.reading().report(),
        }

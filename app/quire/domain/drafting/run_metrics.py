"""What is kept of every step of a run. Definitions: `quire_engine.metrics`."""

from __future__ import annotations

from dataclasses import dataclass

from quire_engine.api.config import Source
from quire_engine.api.messages import StepCompleted


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step; the fields are those of the engine's StepCompleted.

    Attributes:
        num_tokens: that it added.
        num_words: whole words in the run after it.
        depth: longest drafted path, 0 for a plain step, and where a server tells only a sum over several.
        num_drafted: draft tokens that its pass verified.
        num_accepted: of the longest accepted path.
        sources: which drafter each accepted token came from, in order of depth.
        margin: its closest decision, in logits; infinite where nothing else could have been drawn.
        token_chars: characters that each token completed; empty in records of older versions.
    """

    num_tokens: int
    num_words: int
    depth: int
    num_drafted: int
    num_accepted: int
    step_ms: float
    draft_ms: float
    verify_ms: float
    margin: float
    sources: tuple[Source, ...] = ()
    token_chars: tuple[int, ...] = ()


def record_of(step: StepCompleted, text: str) -> StepRecord:
    """Return the record of a step with the text that was stored; lengths only where they match it."""
    is_whole = sum(step.token_chars) == len(text)
    return StepRecord(
        num_tokens=len(step.token_ids),
        num_words=step.num_words,
        depth=step.draft_depth,
        num_drafted=step.num_drafted,
        num_accepted=step.num_accepted,
        step_ms=step.step_ms,
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
        margin=step.margin,
        sources=step.accepted_sources,
        token_chars=step.token_chars if is_whole else (),
    )

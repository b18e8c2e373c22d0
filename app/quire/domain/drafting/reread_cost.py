"""What the next start reads, and how long that takes, in words."""

from __future__ import annotations

from quire.domain.drafting.context_usage import ContextUsage
from quire.domain.drafting.steering import RestartReason


def cost_sentence(use: ContextUsage, why: RestartReason, tokens_per_s: float, *, has_run: bool) -> str:
    """Return what the next start reads again, as a sentence.

    why: the last run cannot go on. tokens_per_s: how fast the model reads; 0: nobody knows. has_run: whether
    there is a run to go on with.
    """
    size = f"{use.words:,} words{_duration(use.used, tokens_per_s)}"
    if not has_run:
        return f"The first start reads everything: {size}."
    match why:
        case RestartReason.FRONT:
            return f"The next start reads everything again: {size}."
        case RestartReason.DIRECTION:
            return "The next start begins a new run with the stage direction; the newest page is read again."
        case RestartReason.BEAT:
            return "The next start begins a new run with the next beat; the newest page is read again."
        case RestartReason.NOTHING:
            return f"Changing Memory, Lorebook or Opening means reading everything again: {size}."


def duration_text(seconds: float) -> str:
    """Return a time as a writer would say it."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"about {round(seconds)} s"
    return f"about {round(seconds / 60)} min"


def _duration(tokens: int, tokens_per_s: float) -> str:
    return f", {duration_text(tokens / tokens_per_s)}" if tokens_per_s > 0 else ""

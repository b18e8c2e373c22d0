"""What the next start reads, and how long that takes, in words."""

from __future__ import annotations

from quire.domain.drafting.context_usage import ContextUsage
from quire.domain.drafting.steering import RestartReason
from quire_engine.api.user_message import UserMessage


def cost_sentence(use: ContextUsage, why: RestartReason, tokens_per_s: float, *, has_run: bool) -> str:
    """Return what the next start reads again, as a sentence.

    Args:
        why: why the last run cannot be continued.
        tokens_per_s: how fast the model reads; 0: unknown.
        has_run: whether there is a run to continue.
    """
    if tokens_per_s > 0:
        duration = duration_text(use.used / tokens_per_s)
        size = UserMessage("{words:,} words ({duration})", words=use.words, duration=duration)
    else:
        size = UserMessage("{words:,} words", words=use.words)
    if not has_run:
        return UserMessage("The model will read {size} first.", size=size)
    match why:
        case RestartReason.FRONT | RestartReason.SYNOPSIS:
            return UserMessage("The model will reread {size} first.", size=size)
        case RestartReason.DIRECTION:
            return UserMessage("The author's note starts a new draft; the model rereads the latest page.")
        case RestartReason.BEAT:
            return UserMessage("The next beat starts a new draft; the model rereads the latest page.")
        case RestartReason.NOTHING:
            return UserMessage("Edits here make the model reread {size}.", size=size)


def duration_text(seconds: float) -> str:
    """Return a time as a writer would say it."""
    if seconds < 1:
        return UserMessage("under a second")
    if seconds < 90:
        return UserMessage("about {seconds} s", seconds=round(seconds))
    return UserMessage("about {minutes} min", minutes=round(seconds / 60))

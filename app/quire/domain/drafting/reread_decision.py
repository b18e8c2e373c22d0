"""What the next start reads again after the text was changed, and whether to ask first."""

from __future__ import annotations

from dataclasses import dataclass

ASK_FROM_S = 2.0
"""A reading that is over sooner needs no question."""
_UNKNOWN_FROM_TOKENS = 4_000
"""So much is worth a question as long as nobody knows how fast the model reads here."""


@dataclass(frozen=True, slots=True)
class PrefillEstimate:
    """What is read before the first word; `tokens` is an estimate, `seconds` None where the speed is
    unknown."""

    tokens: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit inside what a model has read, in characters of the story.

    Attributes:
        place: the first that changed.
        num_chars: of the story.
        is_held: whether the text before the edit is still cached, so that only what follows is read.
    """

    place: int
    num_chars: int
    is_held: bool


def reading_of(chars: int, chars_per_token: float, tokens_per_s: float, context: int = 0) -> PrefillEstimate:
    """Return what reading a number of characters costs.

    Args:
        tokens_per_s: 0 for unknown.
        context: 0 for unlimited.
    """
    tokens = round(max(chars, 0) / max(chars_per_token, 0.1))
    if context:
        tokens = min(tokens, context)
    return PrefillEstimate(tokens, tokens / tokens_per_s if tokens_per_s > 0 else None)


def reading_after(
    edit: Edit, chars_per_token: float, tokens_per_s: float, context: int = 0
) -> PrefillEstimate:
    """Return what is read again if the model is to see the new wording."""
    unread = edit.num_chars - edit.place if edit.is_held else edit.num_chars
    return reading_of(unread, chars_per_token, tokens_per_s, context)


def must_ask(edit: Edit, reading: PrefillEstimate) -> bool:
    """Return whether to ask before reading again.

    Without a cache everything is read whatever the answer is, so the new wording costs nothing.
    """
    if not edit.is_held:
        return False
    if reading.seconds is None:
        return reading.tokens >= _UNKNOWN_FROM_TOKENS
    return reading.seconds > ASK_FROM_S

"""How much of a text a model has in context here, and what stays in it when the text outgrows it.

A rule decides the text, so a rule that was ever used never changes, and a run continues with the rule it
started with. `quire_engine.decoding.context_window` implements them. Imports no torch.
"""

from __future__ import annotations

import re

from quire_engine.api.config import CPU_CONTEXT

DEFAULT_CONTEXT_RULE = "half view, pinned front, version 1"
"""The rule of a run without a front that must stay in the context."""

_KEPT_FRONT = re.compile(r"kept front of (\d{1,9}), version 2")


def context_rule(num_front: int) -> str:
    """Return the name of the rule for a run whose first `num_front` tokens must stay in the context."""
    return f"kept front of {num_front}, version 2" if num_front else DEFAULT_CONTEXT_RULE


def front_length(rule: str) -> int | None:
    """Return how many tokens a rule pins beyond the default; None for an unknown rule.

    Empty: a run of the first version, which recorded none.
    """
    if rule in ("", DEFAULT_CONTEXT_RULE):
        return 0
    found = _KEPT_FRONT.fullmatch(rule)
    return int(found[1]) if found else None


CONTEXT_STEP = 64
"""Contexts are whole blocks of this many tokens (quire_engine.models.attention.BLOCK)."""


def context_here(model_context: int, limit: int = 0, *, on_gpu: bool) -> int:
    """Return the context window of a model here, in tokens: what it is loaded with and what a writer is
    shown.

    Args:
        model_context: what the model itself supports.
        limit: the writer's own limit; 0: all that the model supports on a GPU, CPU_CONTEXT at most on a
            processor, where every token in the context makes the next one slower.
    """
    most = limit or (model_context if on_gpu else CPU_CONTEXT)
    return min(model_context, most) // CONTEXT_STEP * CONTEXT_STEP

"""How much context a model gets on this computer: the one place where that is decided. Imports no torch."""

from __future__ import annotations

from quire_engine.api.config import CPU_CONTEXT

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

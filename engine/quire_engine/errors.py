"""Errors, split by whose fault they are."""

from __future__ import annotations


class EngineError(Exception):
    """Base of every error the engine raises on purpose."""


class EnvironmentProblem(EngineError):
    """The machine, the model or the request cannot do it. The text is a sentence for the writer."""


class OutOfMemory(EnvironmentProblem):
    """Memory ran out in the middle of a run or a question; what was held for it has been given back."""


class EngineBug(EngineError):
    """An invariant broke. The text is for a bug report."""


_OUT_OF_MEMORY = ("memory", "alloc", "could not create a primitive")


def is_out_of_memory(error: BaseException) -> bool:
    """Say whether a library's error means that memory ran out; they have no one name for it."""
    if isinstance(error, RuntimeError):
        return any(sign in str(error).lower() for sign in _OUT_OF_MEMORY)
    return isinstance(error, MemoryError)

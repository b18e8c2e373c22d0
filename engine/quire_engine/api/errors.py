"""Errors, split by whose fault they are."""

from __future__ import annotations

from quire_engine.api.user_message import UserMessage


class MessageError(Exception):
    """Base of the errors that say in a sentence what happened and what to do."""

    def __init__(self, template: str, /, **arguments: object) -> None:
        """Make the sentence: a template and its arguments, or a message that is there already."""
        if isinstance(template, UserMessage) and not arguments:
            self.message = template
        else:
            self.message = UserMessage(template, **arguments)
        super().__init__(self.message)


class EngineError(MessageError):
    """Base of every error the engine raises on purpose."""


class EnvironmentProblem(EngineError):
    """The machine, the model or the request cannot do it. The text is a message for the writer."""


class OutOfMemory(EnvironmentProblem):
    """Memory ran out in the middle of a run or a question; what was held for it has been given back."""


class EngineBug(EngineError):
    """An invariant broke. The text is for a bug report."""


_OUT_OF_MEMORY = ("memory", "alloc", "could not create a primitive", "cublascreate")
_DEVICE_ERRORS = (
    "cuda error",
    "cuda driver error",
    "hip error",
    "device lost",
    "cublas_status",
    "cudnn_status",
)
_DEVICE_IS_FULL = ("out of memory", "alloc_failed", "cublascreate")


def is_out_of_memory(error: BaseException) -> bool:
    """Say whether an exception means out of memory; libraries have no common name for it."""
    if isinstance(error, RuntimeError):
        return not is_device_lost(error) and any(sign in str(error).lower() for sign in _OUT_OF_MEMORY)
    return isinstance(error, MemoryError | OutOfMemory)


def is_device_lost(error: BaseException) -> bool:
    """Say whether an exception means that the GPU stopped; after anything but a full memory it stays stopped.

    "An illegal memory access" is one, although it mentions memory.
    """
    said = str(error).lower()
    if not isinstance(error, RuntimeError) or any(sign in said for sign in _DEVICE_IS_FULL):
        return False
    return type(error).__name__ == "AcceleratorError" or any(sign in said for sign in _DEVICE_ERRORS)


def tokenizer_problem(error: BaseException) -> EnvironmentProblem | None:
    """Return what to tell the writer when the tokenizer's Rust part panicked; None for any other error.

    A panic is no Exception, and a pattern that never ends in one text may do well in others.
    """
    if (type(error).__module__, type(error).__name__) != ("pyo3_runtime", "PanicException"):
        return None
    reason = next(iter(str(error).splitlines()), "")[:200].rstrip(". ")
    return EnvironmentProblem(
        "The model's tokenizer fails on this text ({reason}). Choose another model.", reason=reason
    )

"""Work with tensors that ends within one operation when something else wants the processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode


class LearningInterrupted(Exception):
    """Something else wants the processor."""


class Interruptible(TorchDispatchMode):  # type: ignore[no-untyped-call]  # the library's own
    """Looks before every operation inside the block, those of a backward pass too, whether to stop.

    The block ends with LearningInterrupted then. What was being computed is lost; an optimizer may have
    moved some of its weights, which no learning minds.

    Args:
        must_stop: asked before every operation.
    """

    def __init__(self, must_stop: Callable[[], bool]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._must_stop = must_stop

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        """Run one operation, or raise LearningInterrupted."""
        del types
        if self._must_stop():
            raise LearningInterrupted
        return func(*args, **(kwargs or {}))

"""What stays in the model's view when a text outgrows it: a rule that depends on the stream alone.

The stream is the prompt and everything generated after it. When the view is full, it is rebuilt from the
pinned front of the stream and its newest part, half of the view in all; a front that must stay in view (the
writer's memory) is kept whole and may make that up to three quarters. The rule looks at token counts only, so
plain, speculative, paused and resumed runs roll over at the same tokens and read the same text.
"""

from __future__ import annotations

from dataclasses import dataclass

from quire_engine.api.context_rules import DEFAULT_CONTEXT_RULE

__all__ = ["DEFAULT_CONTEXT_RULE", "ContextRule", "View"]


@dataclass(frozen=True, slots=True)
class View:
    """Which tokens of the stream the model holds: [0, pinned) and [start, ...).

    reread: stream index up to which the view is read as prompt, in large chunks; what follows was written
    by the run and is read by decode passes, so that its bits come back.
    """

    pinned: int
    start: int
    reread: int

    def length(self, num_read: int) -> int:
        """Return how many tokens the view holds once stream[:num_read] was read."""
        return self.pinned + num_read - self.start


@dataclass(frozen=True, slots=True)
class ContextRule:
    """capacity: positions of the model; block: granularity of the pinned front and of the kept half.

    num_front: tokens at the stream's front that stay in view, up to half of it; 0: no more than the usual.
    A change of what the rules do needs a new name in `quire_engine.api.context_rules`.
    """

    capacity: int
    block: int
    num_front: int = 0

    @property
    def kept(self) -> int:
        """Tokens that a rollover leaves in view; with a long front it can be more."""
        return self.capacity // 2 // self.block * self.block

    def view(self, num_prompt: int, num_read: int) -> View:
        """Return the view in which the token after stream[:num_read] is placed.

        num_prompt: tokens of the prompt, at most `capacity`; all but its last are read as prompt.
        """
        if num_read < self.capacity:
            return View(pinned=0, start=0, reread=num_prompt - 1)
        pinned = min(num_prompt, self.capacity // 8) // self.block * self.block
        newest = self.kept - pinned
        if self.num_front:
            whole_front = -(-self.num_front // self.block) * self.block
            pinned = min(max(pinned, whole_front), self.kept)
            newest = max(self.kept - pinned, self.capacity // 4 // self.block * self.block)
        step = self.capacity - pinned - newest
        last = self.capacity + (num_read - self.capacity) // step * step
        return View(pinned=pinned, start=last - newest, reread=last)

    def is_due(self, context_length: int) -> bool:
        """Say whether the view must be rebuilt before another token is placed."""
        return context_length >= self.capacity

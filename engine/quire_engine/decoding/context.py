"""What stays in the model's view when a text outgrows it: a rule that depends on the stream alone.

The stream is the prompt and everything generated after it. When the view is full, it is rebuilt from the
pinned front of the stream and its newest part, half of the view in all. The rule looks at token counts
only, so plain, speculative, paused and resumed runs roll over at the same tokens and read the same text.
"""

from __future__ import annotations

from dataclasses import dataclass

ROLLOVER = "half view, pinned front, version 1"
"""Name and version of the policy; it decides the text, so a change of the rule below changes this name."""


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
class RolloverPolicy:
    """capacity: positions of the model; block: granularity of the pinned front and of the kept half."""

    capacity: int
    block: int

    @property
    def kept(self) -> int:
        """Tokens that a rollover leaves in view."""
        return self.capacity // 2 // self.block * self.block

    def view(self, num_prompt: int, num_read: int) -> View:
        """Return the view in which the token after stream[:num_read] is placed.

        num_prompt: tokens of the prompt, at most `capacity`; all but its last are read as prompt.
        """
        if num_read < self.capacity:
            return View(pinned=0, start=0, reread=num_prompt - 1)
        step = self.capacity - self.kept
        last = self.capacity + (num_read - self.capacity) // step * step
        pinned = min(num_prompt, self.capacity // 8) // self.block * self.block
        return View(pinned=pinned, start=last - (self.kept - pinned), reread=last)

    def is_due(self, view_length: int) -> bool:
        """Say whether the view must be rebuilt before another token is placed."""
        return view_length >= self.capacity

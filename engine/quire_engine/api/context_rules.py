"""Names of the rules by which a text that outgrows the model's view goes on; a run's record keeps its own.

A rule decides the text, so one that was ever used stays as it was, and a run goes on by the rule that it
began with. What the rules do stands in `decoding.context`. Imports no torch.
"""

from __future__ import annotations

import re

DEFAULT_CONTEXT_RULE = "half view, pinned front, version 1"
"""The rule of a run whose text has no front that must stay in view."""

_KEPT_FRONT = re.compile(r"kept front of (\d{1,9}), version 2")


def context_rule(num_front: int) -> str:
    """Return the name of the rule for a run whose first so many tokens must stay in view."""
    return f"kept front of {num_front}, version 2" if num_front else DEFAULT_CONTEXT_RULE


def front_length(rule: str) -> int | None:
    """Return how many tokens a rule keeps at the front beyond the usual; None for a rule that is not known.

    Empty: the rule of the first version, which recorded none.
    """
    if rule in ("", DEFAULT_CONTEXT_RULE):
        return 0
    found = _KEPT_FRONT.fullmatch(rule)
    return int(found[1]) if found else None

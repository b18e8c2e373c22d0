"""Names of the context rules: what stays in the context when a text outgrows the window.

A rule decides the text, so a rule that was ever used never changes, and a run continues with the rule it
started with. `quire_engine.decoding.context_window` implements them. Imports no torch.
"""

from __future__ import annotations

import re

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

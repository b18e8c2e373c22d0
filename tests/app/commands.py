"""What a command left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

OPENING = "It was a dark night."


@dataclass
class Said:
    """What one command left behind."""

    code: int
    out: str
    err: str


Say = Callable[..., Said]


def refused(said: Said) -> str:
    """Return the one sentence (or two) of a refusal."""
    assert (said.code, said.out) == (1, "")
    assert "Traceback" not in said.err
    *_, sentence = said.err.splitlines()
    assert sentence.startswith("quire: ")
    assert sentence.endswith(".")
    return sentence.removeprefix("quire: ")

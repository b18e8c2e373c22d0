"""How the bootstrap speaks to the person at the keyboard."""

from __future__ import annotations

import sys


class Problem(Exception):
    """A sentence for the person at the keyboard: what is wrong and what to do."""


def say(line: str) -> None:
    """Print a line at once, so that it stands before what a child process prints."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def last_lines(text: str, count: int = 12) -> str:
    """Return the end of a long output, indented."""
    return "\n".join(f"    {line}" for line in text.strip().splitlines()[-count:])

"""Questions on a terminal; without one nothing is taken for a yes."""

from __future__ import annotations

import sys

from quire.errors import WriterProblem


def is_confirmed(question: str, otherwise: str) -> bool:
    """Ask a question and return whether the answer was yes.

    WriterProblem where nobody can be asked.

    Args:
        otherwise: what to do instead there.
    """
    if not sys.stdin.isatty():
        raise WriterProblem("Can't ask for confirmation here. {otherwise}", otherwise=otherwise)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")

"""One text on every instruction set that this computer can imitate.

`python -m tests.proofs.engine.instruction_sets` compiles the kernels for each of them, and ends with 1 if one
of them writes another text.
"""

from __future__ import annotations

import sys

from tests.engine.integer.kernel_digest import PROCESSORS, digest_of
from tests.engine.integer.test_kernel_digest import WANTED


def main() -> int:
    """Run every one of them, print what it wrote, and compare."""
    wrong = 0
    for processor in ("host", *PROCESSORS):
        found, _, instructions = digest_of(processor).partition(" ")
        wrong += found != WANTED
        verdict = "as expected" if found == WANTED else "ANOTHER TEXT"
        sys.stdout.write(f"{instructions:<12} {found} {verdict}\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

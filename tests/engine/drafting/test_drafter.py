"""What all drafters share: how many draft tokens they give, and the pass that a fixed tree needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from quire_engine.drafting.drafter import rows_of_shape


@pytest.mark.parametrize(
    ("tree", "num_drafters", "rows"),
    [
        ((), 1, 1),
        ((1, 3, 3, 3), 1, 41),
        ((3, 2, 1, 1), 3, 1 + 3 + 6 + 6 + 6),
        ((64,), 1, 9),
        ((64,), 3, 25),
        ((9, 64), 1, 1 + 8 + 64),
        ((64,), 0, 1),
    ],
)
def test_a_fixed_tree_needs_rows_for_what_drafters_can_propose(
    tree: tuple[int, ...], num_drafters: int, rows: int
) -> None:
    assert rows_of_shape(tree, num_drafters) == rows


def test_asking_for_it_does_not_wait_for_torch() -> None:
    program = "import sys, quire_engine.drafting.drafter; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

"""What all drafters share: how many draft tokens they give, and the pass that a fixed tree needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from quire_engine.drafting.drafter import rows_of_shape


@pytest.mark.parametrize(
    ("tree", "rows"),
    [
        ((), 1),
        ((1, 3, 3, 3), 41),
        ((3, 2, 1, 1), 1 + 3 + 6 + 6 + 6),
        ((64,), 65),
        ((1, 9, 9, 9), 821),
    ],
)
def test_a_fixed_tree_needs_a_row_for_every_node(tree: tuple[int, ...], rows: int) -> None:
    assert rows_of_shape(tree) == rows


def test_asking_for_it_does_not_wait_for_torch() -> None:
    program = "import sys, quire_engine.drafting.drafter; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

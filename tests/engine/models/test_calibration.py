"""What passes cost: measured for every size, and nothing is left behind."""

from __future__ import annotations

import pytest

from quire_engine.models.calibration import measure_passes
from quire_engine.models.passes import PassRunner
from tests.engine.conftest import Networks
from tests.engine.tiny import VOCAB_SIZE


@pytest.mark.parametrize(("padded", "nodes"), [(True, {0, 7}), (False, {0, 1, 3, 7})])
def test_every_size_is_measured_in_short_and_long_texts(
    networks: Networks, padded: bool, nodes: set[int]
) -> None:
    runner = PassRunner(networks(), 8, 2048, padded=padded)
    measured = measure_passes(runner, VOCAB_SIZE)
    assert {num_nodes for num_nodes, _, _ in measured} == nodes
    assert {length for _, length, _ in measured} >= {64}
    assert all(milliseconds > 0 for _, _, milliseconds in measured)
    assert runner.length == 0


@pytest.mark.parametrize("width", [1, 64])
def test_a_context_that_is_short_and_a_pass_that_is_narrow_or_wide_are_measured(
    networks: Networks, width: int
) -> None:
    runner = PassRunner(networks(width=width), width, 256)
    assert {(n, length) for n, length, _ in measure_passes(runner, VOCAB_SIZE)} == {
        *[(0, 64), (width - 1, 64)]
    }

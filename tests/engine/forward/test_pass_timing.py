"""What passes cost: measured for every size, and nothing is left behind."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from quire_engine.forward import pass_timing
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.forward.pass_timing import LONG_CONTEXT, measure_passes
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.models.target_model import Runner
from tests.engine.blocks import in_blocks
from tests.engine.conftest import Networks
from tests.engine.tiny import VOCAB_SIZE, build


@pytest.mark.parametrize(("padded", "nodes"), [(True, {0, 7}), (False, {0, 1, 3, 7})])
def test_every_size_is_measured_in_short_and_long_texts(
    networks: Networks, padded: bool, nodes: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pass_timing, "_READING_S", math.inf)
    runner = PassRunner(networks(), 8, 2048, padded=padded)
    measured = measure_passes(runner, VOCAB_SIZE)
    assert {num_nodes for num_nodes, _, _ in measured} == nodes
    assert {length for _, length, _ in measured} == {64, LONG_CONTEXT}
    assert all(milliseconds > 0 for _, _, milliseconds in measured)
    assert runner.length == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.int8])
def test_a_model_that_reads_slowly_is_measured_behind_a_context_of_zeros(
    networks: Networks, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pass_timing, "_READING_S", 0.0)
    monkeypatch.setattr(pass_timing, "_TIMING_S", math.inf)
    runner: Runner = PassRunner(networks(), 8, 2048)
    if dtype == torch.int8:
        runner = IntegerRunner(in_blocks(build("llama")), 8, 2048)
    measured = measure_passes(runner, VOCAB_SIZE)
    assert {length for _, length, _ in measured} == {64, LONG_CONTEXT}
    assert all(0 < milliseconds < math.inf for _, _, milliseconds in measured)
    assert runner.length == 0


@pytest.mark.parametrize("width", [1, 64])
def test_a_context_that_is_short_and_a_pass_that_is_narrow_or_wide_are_measured(
    networks: Networks, width: int
) -> None:
    runner = PassRunner(networks(width=width), width, 256)
    assert {(n, length) for n, length, _ in measure_passes(runner, VOCAB_SIZE)} == {
        *[(0, 64), (width - 1, 64)]
    }


def test_sizes_are_measured_in_turn_so_that_a_disturbance_falls_on_no_single_one(networks: Networks) -> None:
    sizes: list[int] = []

    class Noting(PassRunner):
        def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
            sizes.append(len(token_ids))
            return super().decode(token_ids, parents)

    measure_passes(Noting(networks(), 8, 256, padded=False), VOCAB_SIZE)
    rounds = [tuple(sizes[start : start + 4]) for start in range(0, len(sizes), 4)]
    assert len(rounds) > 2
    assert set(rounds) == {(1, 2, 4, 8)}

"""Collecting for learning takes a bounded share of a run's time."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.drafter import Observed
from quire_engine.runtime import text_collector
from quire_engine.runtime.text_collector import SHARE, TextCollector
from quire_engine.training.draft_samples import DraftSample

STEP = Observed(
    [7],
    torch.zeros(1, 4),
    kept_tokens=[(np.array([7, 9], dtype=np.int64), np.array([1.0, 0.5], dtype=np.float32))],
)


@pytest.mark.parametrize(("cost_s", "least", "most"), [(0.0, 1.0, 1.0), (0.02, 0.3, 0.6)])
def test_pieces_are_passed_by_where_collecting_has_had_its_share(
    monkeypatch: pytest.MonkeyPatch, cost_s: float, least: float, most: float
) -> None:
    """A step takes a second; where collecting one takes twice its share, half of the text is collected."""
    monkeypatch.setattr(text_collector, "PIECE", 10)
    now = [0.0]
    taken: list[DraftSample] = []
    collector = TextCollector(taken.append, SamplingConfig(), clock=lambda: now[0])
    spent, steps = 0.0, 2_000
    for _ in range(steps):
        now[0] += 1.0
        with collector.timed():
            if collector.is_collecting:
                now[0] += cost_s
                spent += cost_s
            collector.observe(STEP)
    assert least <= 10 * len(taken) / steps <= most
    assert spent <= SHARE * now[0] + 10 * cost_s
    assert all(len(sample) == 10 for sample in taken)


def test_what_was_only_read_is_nothing_to_learn_from_and_what_the_penalty_sees() -> None:
    taken: list[DraftSample] = []
    collector = TextCollector(taken.append, SamplingConfig())
    collector.observe(Observed([3, 4]))
    for _ in range(text_collector.PIECE):
        collector.observe(STEP)
    (sample,) = taken
    assert list(sample.before) == [3, 4]
    assert set(sample.successors.tolist()) == {7}

"""What a draft model learns from a text is what the target would have drawn among at every place of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from quire_engine.api.config import ModelConfig, SamplingConfig
from quire_engine.runtime.loaded_model import LoadedModel, load_model
from quire_engine.training.draft_samples import TextReader
from quire_engine.training.soft_targets import agreement
from tests.engine import tiny

TEXT = np.array(tiny.prompt_ids(100), dtype=np.int64)
SAMPLING = SamplingConfig(repetition_penalty=1.3, min_p=0.05, seed=4)


@pytest.fixture(scope="module")
def loaded(llama: Path) -> LoadedModel:
    """A tiny Llama."""
    return load_model(ModelConfig(str(llama), "float32", 8, threads=1))


def test_every_place_has_what_is_drawn_among(loaded: LoadedModel) -> None:
    before, ids = TEXT[:20], TEXT[20:]
    sample = TextReader(loaded.target, SAMPLING, loaded.suppressed).read(before, ids, lambda _: True)
    assert sample is not None
    assert sample.successors.tolist() == ids[1:].tolist()
    loaded.target.reset()
    loaded.target.prefill([*map(int, ids[:-1])])
    scores = loaded.target.scores(0, len(ids) - 1).clone()
    torch.testing.assert_close(sample.hidden.float(), loaded.target.hidden.float(), atol=0.02, rtol=0.02)
    scores[:, list(loaded.suppressed)] = -torch.inf
    for place in (0, 40, len(ids) - 2):
        seen = torch.from_numpy(np.union1d(before, ids[: place + 1]))
        row = scores[place]
        row[seen] = torch.where(row[seen] > 0, row[seen] / 1.3, row[seen] * 1.3)
        row = row.masked_fill(row < row.max() + np.log(0.05), -torch.inf)
        found = torch.zeros(len(row))
        found[sample.kept[place][sample.kept[place] >= 0].long()] = sample.shares[place][
            sample.kept[place] >= 0
        ].float()
        torch.testing.assert_close(found, row.softmax(-1), atol=0.01, rtol=0)
        assert sample.shares[place].float().sum() == pytest.approx(1, abs=0.01)


def test_reading_stops_when_it_is_told_to(loaded: LoadedModel) -> None:
    told: list[int] = []

    def go_on(tokens: int) -> bool:
        told.append(tokens)
        return len(told) < 2

    sample = TextReader(loaded.target, SAMPLING, ()).read(TEXT[:0], TEXT, go_on)
    assert sample is not None
    assert told == [32, 64]
    assert len(sample) == 64
    assert loaded.target.length == 0


def test_agreement_is_how_often_both_draw_the_same() -> None:
    random = torch.Generator().manual_seed(1)
    scores = 1.5 * torch.randn(1, 12, generator=random)
    goal = torch.randn(1, 8, generator=random).softmax(-1)
    noise = -(-torch.rand(200_000, 12, generator=random).clamp(1e-7, 1 - 1e-7).log()).log()
    theirs = (scores + noise).argmax(-1)
    own = (goal.log() + noise[:, :8]).argmax(-1)
    measured = float((theirs == own).float().mean())
    assert float(agreement(scores, goal, 0.0)[0]) == pytest.approx(measured, abs=0.01)

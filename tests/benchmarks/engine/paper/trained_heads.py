"""The paper's heads, trained anew on pieces of a certain length, to see what that length matters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.training.drafter_trainer import DrafterPlan, DrafterTrainer
from quire_engine.training.hidden_states import FrozenTarget, Pieces, Tokens, own_text
from quire_engine.training.prepare_model import shape_of
from tests.benchmarks.engine.paper.sizes import Size

_OPENING = 48


def write_training_text(
    target: FrozenTarget,
    human: list[int],
    suppressed: Sequence[int],
    size: Size,
    sampling: SamplingConfig,
    file: Path,
) -> Tokens:
    """Return what the model writes to learn from, texts of the longest piece; kept in a file.

    human: tokens that every text begins with some of. suppressed: ids that are never drawn.
    """
    if file.is_file():
        stored: Tokens = np.load(file)
        return stored
    length = max(size.pieces)
    count = max(1, size.own_tokens // length)
    opening = min(_OPENING, length // 2, len(human))
    starts = np.linspace(0, len(human) - opening, count).astype(int)
    prompts = torch.tensor([human[start : start + opening] for start in starts])
    written = own_text(target, prompts, length - opening, sampling, suppressed).reshape(-1)
    np.save(file, written)
    return written


def train_heads(
    target: FrozenTarget, text: Tokens, piece: int, size: Size, sampling: SamplingConfig, checkpoint: Path
) -> HeadsWeights:
    """Train heads on pieces of so many tokens; goes on from the checkpoint where there is one."""
    plan = DrafterPlan(
        heads_steps=size.heads_steps,
        feature_steps=0,
        batch=max(1, size.step_tokens // piece),
        length=piece,
        warmup_steps=size.heads_steps // 8,
        seed=sampling.seed,
    )
    pieces = Pieces([(text, 1.0)], piece, plan.seed)
    shape = shape_of(target.model.config, plan.window)
    trainer = DrafterTrainer(target, pieces, shape, None, plan, sampling, checkpoint)
    trainer.restore()
    trainer.run(lambda *_: None)
    return trainer.heads.weights()

"""What a training leaves beside its model: figures, and the picture of its loss."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from quire_engine.training.training_plan import TrainingPlan
from tests.training.held_out_loss import HeldOutLoss
from tests.training.loss_curve import loss_curve, read_log
from tests.training.trainer import TrainingProgress


def write_report(
    path: Path,
    plan: TrainingPlan,
    progress: TrainingProgress,
    loss: HeldOutLoss | None,
    authors: Mapping[str, str],
) -> None:
    """Write what the model card quotes: plan, cost, and the loss on held-out books in nats per token.

    authors: of the held-out books, by title.
    """
    report: dict[str, Any] = {
        "plan": asdict(plan),
        "progress": asdict(progress),
        "held_out_authors": dict(authors),
    }
    if loss is not None:
        report["held_out_loss"] = {
            **loss.by_book,
            "mean": loss.mean,
            "tokens_per_word": loss.tokens_per_word,
            "perplexity_per_word": loss.perplexity_per_word,
        }
        report["held_out_loss_by_position"] = loss.by_position
    path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def write_curve(path: Path, work: Path, title: str) -> None:
    """Draw the loss curve of the logs in a work folder."""
    picture = loss_curve(read_log(work / "loss.csv"), read_log(work / "held_out.csv"), title)
    path.write_text(picture, encoding="utf-8")

"""What is beside a trained model."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from quire_engine.training.training_plan import Phase, TrainingPlan
from tests.training.held_out_loss import HeldOutLoss
from tests.training.report import write_curve, write_report
from tests.training.trainer import TrainingProgress

PLAN = TrainingPlan(1000, (Phase(16, 1.0),))


def test_the_report_says_how_the_model_was_made(tmp_path: Path) -> None:
    loss = HeldOutLoss({"A Book": 3.5}, 3.5, 1.4, {"0-512": 3.6})
    write_report(tmp_path / "training.json", PLAN, TrainingProgress(step=3), loss, {"A Book": "Ann Étoile"})
    report = json.loads((tmp_path / "training.json").read_text(encoding="utf-8"))
    assert report["plan"]["total_tokens"] == PLAN.total_tokens
    assert report["plan"]["phases"] == [{"length": 16, "share": 1.0}]
    assert report["progress"]["step"] == 3
    assert report["held_out_loss"]["A Book"] == report["held_out_loss"]["mean"] == 3.5
    assert report["held_out_loss"]["perplexity_per_word"] == pytest.approx(134.29, abs=0.01)
    assert report["held_out_loss_by_position"] == {"0-512": 3.6}
    assert report["held_out_authors"] == {"A Book": "Ann Étoile"}


def test_a_model_that_nothing_could_measure_has_a_report_too(tmp_path: Path) -> None:
    write_report(tmp_path / "training.json", PLAN, TrainingProgress(), None, {})
    assert "held_out_loss" not in json.loads((tmp_path / "training.json").read_text(encoding="utf-8"))


def test_the_curve_is_drawn_from_the_logs(tmp_path: Path) -> None:
    (tmp_path / "loss.csv").write_text("1,1000,1.0,8.0\n2,2000,2.0,7.0\n", encoding="utf-8")
    (tmp_path / "held_out.csv").write_text("2,2000,7.5\n", encoding="utf-8")
    write_curve(tmp_path / "loss.svg", tmp_path, "A title")
    picture = ElementTree.parse(tmp_path / "loss.svg").getroot()
    assert picture.findtext("{http://www.w3.org/2000/svg}title") == "A title"
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}circle"))) == 2

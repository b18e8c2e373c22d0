"""The measurement of presets: every setting is drafted with, and what is recommended keeps its rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from quire_engine.api.config import SamplingConfig
from tests.benchmarks.engine import preset_grid
from tests.benchmarks.engine.__main__ import main
from tests.benchmarks.engine.preset_grid import GridRow, recommended
from tests.proofs.engine.tiny_models import write_tiny_model

HUMAN_LOSS = 3.6
ROW = GridRow("Balanced", SamplingConfig(), 9000, 0.7, 0.65, 0.75, 0.9, 0.0, 0, 2.4, 0.5, 2.4, 300.0)


def test_three_settings_are_recommended_by_what_they_did() -> None:
    rows = [
        ROW,
        replace(ROW, name="loops", loss=1.0, loops=1),
        replace(ROW, name="low", loss=1.0, lowest_2=0.5),
        replace(ROW, name="echoes", loss=1.0, echoes=0.2),
        replace(ROW, name="unknown", loss=1.0, lowest_2=None),
        replace(ROW, name="calm", loss=2.2, distinct_2=0.65),
        replace(ROW, name="bright", loss=3.1, distinct_2=0.8),
        replace(ROW, name="scattered", loss=3.2, distinct_2=0.89, highest_2=0.93),
        replace(ROW, name="surprising", loss=4.0, distinct_2=0.85),
    ]
    chosen = recommended(rows, HUMAN_LOSS)
    assert {preset: row.name for preset, row in chosen.items()} == {
        "Faithful": "calm",
        "Balanced": "Balanced",
        "Lively": "bright",
    }
    assert recommended([], HUMAN_LOSS) == {}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_suite_measures_what_is_asked_for(
    one_thread: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = write_tiny_model("llama", tmp_path / "llama")
    monkeypatch.setattr(preset_grid, "_OPENINGS", ())
    monkeypatch.setattr(preset_grid, "opening_text", lambda _: "The ferry left the quay at dusk.")
    out = tmp_path / "report.json"
    asked = ["--settings", "Balanced", "no penalty", "--tokens", "30", "--seeds", "1", "2"]
    common = ["--model", str(model), "--dtype", "float32", "--threads", "1", "--json", str(out)]
    assert main(["presets", *common, *asked]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert [row["name"] for row in report["rows"]] == ["Balanced", "no penalty"]
    assert all(row["tokens"] >= 2 * 30 and row["loss"] > 0 for row in report["rows"])
    assert report["recommended"] == {"Balanced": "Balanced"}
    assert "no penalty" in capsys.readouterr().out

"""A draft of a real model that is killed in the middle: continued, it is the text of one that was not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quire.cli import main
from quire.services.transactions.closed_projects import read_project
from tests.engine.real_models import smollm2
from tests.fakes import ENVIRONMENT
from tests.proofs.app.kill_draft import num_stored

__all__ = ["smollm2"]
pytestmark = pytest.mark.slow
_WORDS = 14


def draft(path: Path, model: Path) -> list[str]:
    return ["draft", str(path), "--model", str(model), "--words", str(_WORDS), "--seed", "7"]


@pytest.mark.sliced("killed drafts")
def test_a_killed_draft_of_a_real_model_goes_on_in_the_same_words(smollm2: Path, tmp_path: Path) -> None:
    opening = tmp_path / "opening.txt"
    opening.write_text("The ferry left the quay at dusk, and nobody on the shore could say who was on board.")
    killed, whole = tmp_path / "killed.quire", tmp_path / "whole.quire"
    for path in (killed, whole):
        assert main.main(["new", str(path), "--opening", str(opening)]) == 0
    command = [sys.executable, "-m", "quire", *draft(killed, smollm2)]
    own = os.environ | {"PYTHONPATH": ENVIRONMENT["PYTHONPATH"]}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=own
    ) as child:
        assert child.stderr is not None
        assert any(line.startswith("Drafting") for line in child.stderr)  # the first words are stored
        child.kill()
    assert child.returncode != 0
    stored = num_stored(killed)
    assert stored > 0
    for path in (killed, whole):
        assert main.main(draft(path, smollm2)) == 0
    assert num_stored(killed) == num_stored(whole) > stored
    assert read_project(killed).text == read_project(whole).text

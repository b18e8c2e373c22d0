"""The real engine in a process of its own, killed without a warning in the middle of a draft."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from quire.cli.main import main
from quire.domain.drafting.run import RunState
from quire.services.transactions.closed_projects import read_project
from tests.fakes import ENVIRONMENT

pytestmark = pytest.mark.slow

SEED = 11
NUM_WORDS = 120
KILLED_AT = {"float32": (20,), "bfloat16": (10, 40), "int8": (20,)}
"""Words that a process has reported as stored when it is killed; the second one goes on after the first."""

_STORED = re.compile(r"Drafting: (\d+) of \d+ words stored")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.engine.tiny import save  # torch: only when these tests run

    return save("llama", tmp_path_factory.mktemp("model"))


@pytest.fixture
def opening(tmp_path: Path) -> Path:
    from tests.engine.tiny import OPENING

    path = tmp_path / "opening.txt"
    path.write_text(OPENING, encoding="utf-8")
    return path


def here(*arguments: object) -> None:
    """Run a command in this process, which has torch already."""
    assert main([str(argument) for argument in arguments]) == 0


def killed_at(num_words: int, *arguments: object) -> int:
    """Kill a draft as soon as it has reported so many words; return how many it reported as stored."""
    command = [sys.executable, "-m", "quire", *map(str, arguments)]
    with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        stored = 0
        for line in process.stderr:
            if found := _STORED.match(line):
                stored = int(found[1])
            if stored >= num_words:
                process.kill()
        assert process.wait() != 0, "it finished before it was killed"
    return stored


@pytest.mark.sliced("killed drafts")
@pytest.mark.parametrize("dtype", KILLED_AT)
def test_a_killed_draft_keeps_what_it_stored_and_ends_as_if_nothing_had_happened(
    dtype: str, model: Path, opening: Path, tmp_path: Path
) -> None:
    whole, broken = tmp_path / "whole.quire", tmp_path / "broken.quire"
    options = ("--words", NUM_WORDS, "--seed", SEED, "--model", model)
    here("new", whole, "--opening", opening)
    here("new", broken, "--opening", opening)
    here("draft", whole, *options, "--dtype", dtype)
    expected = read_project(whole)
    for num_words in KILLED_AT[dtype]:
        acknowledged = killed_at(num_words, "draft", broken, *options, "--dtype", dtype)
        left = read_project(broken)
        assert [run.state for run in left.runs] == [RunState.PAUSED]
        assert left.runs[0].num_words >= acknowledged
        assert expected.text.startswith(left.text)
    here("draft", broken, *options)  # in the run's own dtype, without being told
    ended = read_project(broken)
    assert ended.text == expected.text
    assert [run.num_tokens for run in ended.runs] == [run.num_tokens for run in expected.runs]
    assert len(ended.text) > len(opening.read_text(encoding="utf-8")) + NUM_WORDS

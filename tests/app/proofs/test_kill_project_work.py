from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import ENVIRONMENT
from tests.proofs.app import kill_project_work


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.sliced
@pytest.mark.parametrize("work", kill_project_work.WORKS)
def test_work_that_is_killed_loses_nothing(tmp_path: Path, work: str) -> None:
    place = list(kill_project_work.WORKS).index(work)
    (found,) = kill_project_work.work_kills(tmp_path, place, 1)
    assert (found.phase, found.wrong) == (work, "")


# ---------------------------------------------------------------- planted faults
@pytest.mark.parametrize("work", ["editing", "backing up", "making", "restoring"])
def test_an_acknowledgement_that_came_too_early_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    def lies(_work: str, path: Path, _seed: int, _rng: object) -> list[list[str]]:
        return [["tasks", "5"], ["done", "5", str(path.with_name("nothing.quire"))]]

    monkeypatch.setattr(kill_project_work, "kill", lies)
    (found,) = kill_project_work.work_kills(tmp_path, list(kill_project_work.WORKS).index(work), 1)
    assert found.wrong


def test_a_migration_that_loses_the_text_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = "migrating"
    monkeypatch.setattr(kill_project_work, "kill", lambda _work, path, *_rest: path.write_bytes(b""))
    (found,) = kill_project_work.work_kills(tmp_path, list(kill_project_work.WORKS).index(work), 1)
    assert found.wrong


def test_work_that_ends_by_itself_is_no_proof(tmp_path: Path) -> None:
    import random

    with pytest.raises(RuntimeError, match="ended by itself"):
        kill_project_work.kill("editing", tmp_path / "nothing.quire", 1, random.Random(1))

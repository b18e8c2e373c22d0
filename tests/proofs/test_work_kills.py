from __future__ import annotations

from pathlib import Path

import pytest

from quire.proofs import work_kills
from tests.fakes import ENVIRONMENT


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("work", work_kills.WORKS)
def test_work_that_is_killed_loses_nothing(tmp_path: Path, work: str) -> None:
    place = list(work_kills.WORKS).index(work)
    (found,) = work_kills.work_kills(tmp_path, place, 1)
    assert (found.phase, found.wrong) == (work, "")


# ---------------------------------------------------------------- planted faults
@pytest.mark.parametrize("work", ["editing", "backing up", "making", "restoring"])
def test_an_acknowledgement_that_came_too_early_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    def lies(_work: str, path: Path, _seed: int, _rng: object) -> list[list[str]]:
        return [["doing", "5"], ["done", "5", str(path.with_name("nothing.quire"))]]

    monkeypatch.setattr(work_kills, "kill", lies)
    (found,) = work_kills.work_kills(tmp_path, list(work_kills.WORKS).index(work), 1)
    assert found.wrong


def test_an_upgrade_that_loses_the_text_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_kills, "kill", lambda _work, path, _seed, _rng: path.write_bytes(b""))
    (found,) = work_kills.work_kills(tmp_path, list(work_kills.WORKS).index("upgrading"), 1)
    assert found.wrong


def test_work_that_ends_by_itself_is_no_proof(tmp_path: Path) -> None:
    import random

    with pytest.raises(RuntimeError, match="ended by itself"):
        work_kills.kill("editing", tmp_path / "nothing.quire", 1, random.Random(1))

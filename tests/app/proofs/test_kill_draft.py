from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import ENVIRONMENT
from tests.proofs.app import kill_draft, stop_draft


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.sliced("killed drafts")
@pytest.mark.slow
def test_a_killed_draft_loses_nothing_and_ends_with_the_same_text(tmp_path: Path) -> None:
    found = list(kill_draft.kills(tmp_path, 3, "int8", words=120, number=2))
    assert [one for one in found if one.wrong] == []
    assert len(found) > 1


@pytest.mark.slow
def test_a_draft_that_is_asked_to_stop_ends_in_time(tmp_path: Path) -> None:
    assert [one for one in stop_draft.stops(tmp_path, 1, 1, within_s=60) if one.wrong] == []

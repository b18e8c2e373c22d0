from __future__ import annotations

from pathlib import Path

from tests.proofs.app.another_life import EVENTS, lives
from tests.proofs.app.log_damaged import DAMAGE, damaged_logs


def test_no_project_takes_over_what_another_one_left_behind(tmp_path: Path) -> None:
    found = list(lives(tmp_path, 1))
    assert [(case.phase, case.wrong) for case in found if case.wrong] == []
    assert {case.phase for case in found} == set(EVENTS)


def test_what_a_damaged_log_lost_is_reported(tmp_path: Path) -> None:
    found = list(damaged_logs(tmp_path, 1, 16))
    assert [(case.phase, case.wrong) for case in found if case.wrong] == []
    assert {case.phase.partition(",")[0] for case in found} == set(DAMAGE)
    assert {case.phase.partition(", ")[2] for case in found} == {"nothing lost", "told"}

"""What pauses a draft: a loop or the end of words, once the guard is on, and never a draft that has ended."""

from __future__ import annotations

import pytest

from quire.domain.text_quality.alarms import SEVERITIES, Alarm, AlarmKind, Severity
from quire.domain.text_quality.loop_guard import LoopGuard


def alarm(kind: AlarmKind) -> Alarm:
    return Alarm(kind, SEVERITIES[kind], 3, 9, "It repeats itself.")


@pytest.mark.parametrize("kind", AlarmKind)
@pytest.mark.parametrize("is_on", [True, False])
@pytest.mark.parametrize("has_ended", [True, False])
def test_only_a_fault_that_goes_on_for_ever_pauses_a_running_draft(
    kind: AlarmKind, is_on: bool, has_ended: bool
) -> None:
    paused: list[bool] = []
    guard, found = LoopGuard(lambda: paused.append(True), is_on=is_on), alarm(kind)
    is_fault = SEVERITIES[kind] is Severity.PAUSE
    assert guard.take(found, has_ended=has_ended) == is_fault
    assert guard.fault is (found if is_fault else None)
    assert guard.has_paused == bool(paused) == (is_fault and is_on and not has_ended)
    guard.begin()
    assert (guard.fault, guard.has_paused) == (None, False)

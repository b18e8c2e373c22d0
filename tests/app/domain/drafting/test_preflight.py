from __future__ import annotations

import pytest

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.preflight import MemoryNeed, Preflight, RoomFit, is_due
from quire.domain.drafting.reread_decision import PrefillEstimate


@pytest.mark.parametrize(
    ("needed", "free", "fit"),
    [
        (8, 100, RoomFit.FITS),
        (95, 100, RoomFit.TIGHT),
        (101, 100, RoomFit.TOO_LARGE),
        (8, 0, RoomFit.UNKNOWN),
        (0, 8, RoomFit.UNKNOWN),
    ],
)
def test_memory_is_held_against_what_is_free(needed: int, free: int, fit: RoomFit) -> None:
    assert MemoryNeed(needed, free).fit is fit


@pytest.mark.parametrize(
    ("at_goal", "context", "fit"),
    [(4_000, 4_000, RoomFit.FITS), (4_001, 4_000, RoomFit.TOO_LARGE), (4_001, 0, RoomFit.UNKNOWN)],
)
def test_space_is_what_the_model_can_look_back_over(at_goal: int, context: int, fit: RoomFit) -> None:
    assert Preflight(DraftGoal(words=10), 0, at_goal, PrefillEstimate(0, None), "", context).space is fit


@pytest.mark.parametrize(
    ("goal", "from_words", "due"),
    [
        (DraftGoal(words=5_000), 5_000, True),
        (DraftGoal(words=4_999), 5_000, False),
        (DraftGoal(words=200_000), 0, False),
        (DraftGoal(at_heading=True), 5_000, True),
        (DraftGoal(minutes=30), 5_000, False),
        (DraftGoal(words=20_000, minutes=30), 5_000, True),
        (DraftGoal(phrase="The End"), 5_000, True),
    ],
)
def test_the_panel_is_for_long_drafts(goal: DraftGoal, from_words: int, due: bool) -> None:
    assert is_due(goal, from_words) is due

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.theme.keeper import ThemeKeeper
from quire.widgets.goal_box import GoalBox


@pytest.fixture
def box(qtbot: Any, themes: ThemeKeeper) -> GoalBox:
    box = GoalBox()
    qtbot.addWidget(box)
    box.show()
    return box


def test_it_offers_goals_in_words(box: GoalBox) -> None:
    assert [box.itemText(i) for i in range(box.count())] == ["500 words", "2,000 words", "20,000 words"]
    assert box.goal_words == 500


def test_a_typed_goal_is_taken_with_return(box: GoalBox, qtbot: Any) -> None:
    line = box.lineEdit()
    assert line is not None
    line.selectAll()
    with qtbot.waitSignal(box.goal_changed) as changed:
        qtbot.keyClicks(line, "1.5k")
        qtbot.keyClick(line, Qt.Key.Key_Return)
    assert changed.args == [1500]
    assert box.currentText() == "1,500 words"


def test_what_is_no_goal_gives_way_to_the_last_one(box: GoalBox, qtbot: Any) -> None:
    line = box.lineEdit()
    assert line is not None
    line.selectAll()
    with qtbot.assertNotEmitted(box.goal_changed):
        qtbot.keyClicks(line, "a lot")
        box.commit()
    assert box.currentText() == "500 words"


def test_a_goal_is_chosen_from_the_list(box: GoalBox, qtbot: Any) -> None:
    with qtbot.waitSignal(box.goal_changed) as changed:
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert changed.args == [2000]

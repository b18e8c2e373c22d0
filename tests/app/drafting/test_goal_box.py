from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.domain.drafting.draft_goal import DraftGoal
from quire.drafting.goal_box import GoalBox, PhraseDialog
from quire.theme.theme_switch import ThemeSwitch


@pytest.fixture
def box(qtbot: Any, themes: ThemeSwitch) -> GoalBox:
    box = GoalBox()
    qtbot.addWidget(box)
    box.show()
    return box


def typed(box: GoalBox, qtbot: Any, text: str) -> None:
    line = box.lineEdit()
    assert line is not None
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def test_it_offers_every_kind_of_goal(box: GoalBox) -> None:
    assert [box.itemText(i) for i in range(box.count())] == [
        "500 words",
        "2,000 words",
        "20,000 words",
        "End of chapter",
        "30 minutes",
        "Stop at a phrase…",
    ]
    assert box.goal_words == 500
    assert box.goal == DraftGoal(words=500)


def test_a_typed_goal_is_taken_with_return(box: GoalBox, qtbot: Any) -> None:
    with qtbot.waitSignal(box.goal_changed) as changed:
        typed(box, qtbot, "1.5k")
    assert changed.args == [1500]
    assert box.currentText() == "1,500 words"


@pytest.mark.parametrize(
    ("text", "goal", "shown"),
    [
        ("chapter", DraftGoal(at_heading=True), "End of chapter"),
        ("2 h", DraftGoal(minutes=120), "120 minutes"),
        ("30 minutes", DraftGoal(minutes=30), "30 minutes"),
    ],
)
def test_other_goals_can_be_typed_and_leave_the_words_as_they_were(
    box: GoalBox, qtbot: Any, text: str, goal: DraftGoal, shown: str
) -> None:
    with qtbot.waitSignal(box.draft_goal_changed) as changed, qtbot.assertNotEmitted(box.goal_changed):
        typed(box, qtbot, text)
    assert changed.args == [goal]
    assert box.currentText() == shown
    assert box.goal_words == 500
    typed(box, qtbot, "500")
    assert box.goal == DraftGoal(words=500)


def test_what_is_no_goal_gives_way_to_the_last_one(box: GoalBox, qtbot: Any) -> None:
    line = box.lineEdit()
    assert line is not None
    line.selectAll()
    with qtbot.assertNotEmitted(box.draft_goal_changed):
        qtbot.keyClicks(line, "a lot")
        box.commit()
    assert box.currentText() == "500 words"


def test_a_goal_is_chosen_from_the_list(box: GoalBox, qtbot: Any) -> None:
    with qtbot.waitSignal(box.goal_changed) as changed:
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert changed.args == [2000]
    for _ in range(2):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.goal == DraftGoal(at_heading=True)
    assert "20,000" in box.toolTip()


def test_a_phrase_ends_a_draft_beside_its_goal(box: GoalBox, qtbot: Any) -> None:
    dialog = box.ask_for_phrase()
    dialog.phrase_edit.setText("The End")
    dialog.end_box.setChecked(True)
    with qtbot.waitSignal(box.draft_goal_changed) as changed:
        dialog.take_button.click()
    assert changed.args == [DraftGoal(words=500, phrase="The End", at_end=True)]
    assert box.currentText() == "500 words or “The End”"
    box.commit()
    assert box.goal.phrase == "The End"
    again = box.ask_for_phrase()
    assert (again.phrase_edit.text(), again.end_box.isChecked()) == ("The End", True)
    again.phrase_edit.clear()
    again.end_box.setChecked(False)
    again.take_button.click()
    assert box.goal == DraftGoal(words=500)


def test_the_last_entry_of_the_list_asks_for_it(box: GoalBox) -> None:
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    dialog = box.findChild(PhraseDialog)
    assert dialog is not None
    assert box.currentText() == "500 words"
    dialog.cancel_button.click()
    assert box.goal == DraftGoal(words=500)


def test_a_goal_that_was_only_a_phrase_is_words_again_without_it(box: GoalBox) -> None:
    box.show_goal(DraftGoal(phrase="The End"))
    assert box.currentText() == "A phrase or “The End”"
    dialog = box.ask_for_phrase()
    dialog.phrase_edit.clear()
    dialog.take_button.click()
    assert box.goal == DraftGoal(words=500)

"""Two texts side by side."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QTextEdit

from quire.charts.chart_kinds import ChartKind
from quire.domain.drafting.live_run_metrics import ComparedRun
from quire.domain.drafting.take_metrics import DraftFigures, TakeFigures, TextFigures
from quire.domain.manuscript.text_diff import differences
from quire.takes.compare_choices import THE_TEXT, Compared, Side, SideKey, SideKind
from quire.takes.compare_dialog import CompareDialog, CompareView
from quire.theme.theme_switch import ThemeSwitch
from tests.app.charts.simulated_run import simulated_run

LEFT = Qt.MouseButton.LeftButton
TAKE, SNAPSHOT = SideKey(SideKind.TAKE, 3), SideKey(SideKind.SNAPSHOT, 8)
CHOICES = ((THE_TEXT, "Current text"), (TAKE, "Take 1"), (SNAPSHOT, "Before drafting"))
FIGURES = TakeFigures(
    TextFigures(1_234, 0.81, 0.007), DraftFigures(900, 125.0, 4.4, 0.84, ("Balanced",), (5,))
)


def compared(left: str, right: str, *, left_stands: bool = True) -> Compared:
    sides = (
        Side(THE_TEXT, "Current text", left, left_stands, FIGURES),
        Side(TAKE, "Take 1", right, figures=FIGURES),
    )
    return Compared(*sides, differences(left, right))


def dialog(themes: ThemeSwitch, qtbot: Any, left: str, right: str, **stands: bool) -> CompareDialog:
    found = CompareDialog(CHOICES, compared(left, right, **stands), themes)
    qtbot.addWidget(found)
    found.show()
    QApplication.processEvents()
    return found


def marked(column: QTextEdit) -> str:
    document, words = column.document(), ""
    block = document.begin()
    while block.isValid():
        spans = block.begin()
        while not spans.atEnd():
            if spans.fragment().charFormat().fontUnderline():
                words += spans.fragment().text()
            spans += 1
        block = block.next()
    return words


def test_what_differs_is_marked_in_both_and_counted(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, "\U0001f600 The ferry isn’t late.", "\U0001f600 The ferry is late.")
    assert (marked(shown.left), marked(shown.right)) == ("isn’t", "is")
    assert shown.summary.text() == "2 words differ. 1 changed passage."


def test_equal_texts_are_said_to_be_equal(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, "The same.", "The same.")
    assert shown.summary.text() == "The texts are identical."
    assert not shown.next_button.isEnabled()
    assert not shown.copy_button.isEnabled()


def paragraph_at_a_third(column: QTextEdit) -> str:
    height = column.viewport().height() // 3
    block = column.cursorForPosition(QPoint(0, height)).block()
    return block.text() or block.next().text()


def test_scrolling_one_takes_the_other_along(themes: ThemeSwitch, qtbot: Any) -> None:
    common = "\n\n".join(f"Paragraph {number} of the text." for number in range(200))
    shown = dialog(themes, qtbot, common, "New beginning. " * 400 + "\n\n" + common)
    bar = shown.left.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    left, right = (paragraph_at_a_third(column) for column in (shown.left, shown.right))
    assert 50 < int(left.split()[1]) < 150
    assert abs(int(left.split()[1]) - int(right.split()[1])) <= 1
    shown.next_button.click()
    assert shown.right.verticalScrollBar().value() == 0


def test_keys_go_from_difference_to_difference_in_a_circle(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, "one two three four five", "one 2 three 4 five")
    shown.activateWindow()
    shown.left.setFocus()
    places = [shown.left.caret]
    for key, modifier in (
        (Qt.Key.Key_F8, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier),
        (Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier),
    ):
        qtbot.keyClick(shown.left, key, modifier)
        places.append(shown.left.caret)
    assert places == [4, 14, 4, 14, 4]
    assert shown.right.caret == 4


NOW = "The ferry crossed.\n\nNobody sang on board that night.\n\nThen it rained."
THEN = "The ferry crossed.\n\nNobody spoke on board that night.\n\nA lamp burned.\n\nThen it rained."


def test_the_paragraph_at_the_caret_of_the_take_is_copied_to_the_text(
    themes: ThemeSwitch, qtbot: Any
) -> None:
    shown = dialog(themes, qtbot, NOW, THEN)
    assert shown.copy_hint.whole_text == "Will replace: “Nobody sang on board that night.”"
    with qtbot.waitSignal(shown.copy_asked) as asked:
        qtbot.mouseClick(shown.copy_button, LEFT)
    (copy,) = asked.args
    assert copy.applied(NOW) == NOW.replace("sang", "spoke")
    shown.texts.show_place(1, THEN.index("A lamp"))
    assert shown.copy_hint.whole_text == "Will be inserted after: “Nobody sang on board that night.”"
    shown.texts.show_place(1, 2)
    assert not shown.copy_button.isEnabled()
    assert shown.copy_hint.whole_text == "This paragraph is the same in both."
    shown.texts.show_place(1, THEN.index("A lamp"))
    shown.set_locked(locked=True)
    assert not shown.copy_button.isEnabled()
    assert not any(button.isEnabled() for button in shown.keep_buttons)


def test_nothing_is_copied_between_two_that_do_not_stand(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, NOW, THEN, left_stands=False)
    assert not shown.copy_button.isEnabled()
    assert "compare with the current text" in shown.copy_hint.whole_text


def test_one_side_is_kept(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, NOW, THEN, left_stands=False)
    for button, key in zip(shown.keep_buttons, (THE_TEXT, TAKE), strict=True):
        with qtbot.waitSignal(shown.keep_asked) as asked:
            qtbot.mouseClick(button, LEFT)
        assert asked.args == [key]
    standing = dialog(themes, qtbot, NOW, THEN)
    assert [button.isEnabled() for button in standing.keep_buttons] == [False, True]


def test_any_two_are_chosen(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, NOW, THEN)
    assert [combo.currentText() for combo in shown.combos] == ["Current text", "Take 1"]
    with qtbot.waitSignal(shown.pair_asked) as asked:
        shown.combos[0].setCurrentIndex(2)
        shown.combos[0].activated.emit(2)
    assert asked.args == [SNAPSHOT, TAKE]


def test_the_figures_of_both_stand_in_a_table(themes: ThemeSwitch, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, NOW, THEN)
    qtbot.mouseClick(shown.view_buttons[CompareView.FIGURES], LEFT)
    assert shown.table.isVisible()
    assert not shown.next_button.isVisible()
    model = shown.table.model()
    cells = [
        [model.index(row, column).data() for column in range(3)] for row in range(shown.table.rowCount())
    ]
    assert cells[0] == ["Words", "1,234", "1,234"]
    assert ["Seed", "5", "5"] in cells
    assert ["Model", "–", "–"] in cells


@pytest.mark.parametrize("has_run", [True, False])
def test_the_charts_of_both_lie_over_each_other_until_one_is_switched_off(
    themes: ThemeSwitch, qtbot: Any, has_run: bool
) -> None:
    shown = dialog(themes, qtbot, NOW, THEN)
    shown.charts.show_run(simulated_run(400), 100)
    shown.show_other_run(ComparedRun("Take 1", simulated_run(300, seed=9), 100) if has_run else None)

    def names() -> list[str]:
        return [series.name for series in shown.charts.chart(ChartKind.PACE).series]

    qtbot.mouseClick(shown.view_buttons[CompareView.CHARTS], LEFT)
    assert shown.deck.isVisible()
    assert shown.other_button.isEnabled() == has_run
    assert ("Take 1" in names()) == has_run
    shown.other_button.setChecked(False)
    assert "Take 1" not in names()
    shown.other_button.setChecked(True)
    assert ("Take 1" in names()) == has_run

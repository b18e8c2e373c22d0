"""Takes, snapshots and comparing them, as widgets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QTextEdit

from quire.domain.differences import differences
from quire.domain.records import Snapshot, SnapshotReason
from quire.domain.takes import TakeSummary
from quire.models.take_list import groups_of
from quire.theme.keeper import ThemeKeeper
from quire.widgets.compare_dialog import Compared, CompareDialog
from quire.widgets.side_panel import SidePanel
from quire.widgets.snapshots_panel import SnapshotsPanel
from quire.widgets.takes_panel import TakesPanel

LEFT = Qt.MouseButton.LeftButton
TAKES = (TakeSummary(3, 5, False, 1_234, "A lamp", (5,)), TakeSummary(4, 5, True, 1, "The ferry"))


@pytest.fixture
def takes(themes: ThemeKeeper, qtbot: Any) -> TakesPanel:
    panel = TakesPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.show_takes(groups_of(TAKES, "Once upon"))
    return panel


def rows(panel: TakesPanel | SnapshotsPanel) -> list[str]:
    return [panel.list.item(row).text() for row in range(panel.list.count())]


def test_takes_are_listed_by_place_and_the_one_in_the_text_is_marked(takes: TakesPanel) -> None:
    assert rows(takes) == [
        "After \u2026 Once",
        "Take 1 \u00b7 1,234 words\nA lamp",
        "Take 2 \u00b7 1 word \u00b7 in the text\nThe ferry",
    ]
    assert takes.list.currentRow() == 2
    assert not takes.choose_button.isEnabled()  # it is in the text already
    assert not takes.compare_button.isEnabled()


def test_another_take_is_chosen_and_compared(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(1)
    with qtbot.waitSignal(takes.take_chosen) as chosen:
        qtbot.mouseClick(takes.choose_button, LEFT)
    with qtbot.waitSignal(takes.compare_asked) as compared:
        qtbot.mouseClick(takes.compare_button, LEFT)
    assert (chosen.args, compared.args) == ([3], [3])


def test_nothing_is_chosen_while_the_text_cannot_change(takes: TakesPanel, qtbot: Any) -> None:
    takes.list.setCurrentRow(1)
    takes.set_locked(locked=True)
    assert not takes.choose_button.isEnabled()
    with qtbot.assertNotEmitted(takes.take_chosen):
        takes.list.itemActivated.emit(takes.list.currentItem())


def test_without_takes_there_is_a_hint(takes: TakesPanel) -> None:
    takes.show_takes(())
    assert takes.hint.isVisible()
    assert not takes.list.isVisible()


@pytest.fixture
def snapshots(themes: ThemeKeeper, qtbot: Any) -> SnapshotsPanel:
    panel = SnapshotsPanel()
    qtbot.addWidget(panel)
    panel.show()
    when = datetime(2026, 3, 1, 12, tzinfo=UTC)
    panel.show_snapshots(
        (
            Snapshot(3, "Good one", SnapshotReason.BY_HAND, when, (1, 2)),
            Snapshot(2, "Before drafting", SnapshotReason.BEFORE_DRAFT, when, (1,)),
            Snapshot(1, "", SnapshotReason.BY_HAND, when, (2,)),
        ),
        1,
    )
    return panel


def test_snapshots_that_hold_the_text_are_listed(snapshots: SnapshotsPanel) -> None:
    assert [row.split("\n")[0] for row in rows(snapshots)] == ["Good one", "Before drafting"]


def test_a_snapshot_is_taken_compared_and_restored(snapshots: SnapshotsPanel, qtbot: Any) -> None:
    snapshots.list.setCurrentRow(1)
    for button, signal, args in (
        (snapshots.take_button, snapshots.take_asked, []),
        (snapshots.compare_button, snapshots.compare_asked, [2]),
        (snapshots.restore_button, snapshots.restore_asked, [2]),
    ):
        with qtbot.waitSignal(signal) as asked:
            qtbot.mouseClick(button, LEFT)
        assert asked.args == args
    snapshots.set_locked(locked=True)
    assert not snapshots.restore_button.isEnabled()
    assert not snapshots.take_button.isEnabled()
    assert snapshots.compare_button.isEnabled()


def test_one_panel_is_in_front(themes: ThemeKeeper, qtbot: Any) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    one, other = QLabel("one"), QLabel("other")
    side.add(one, "One")
    side.add(other, "Other")
    assert side.panel is one
    with qtbot.waitSignal(side.shown) as shown:
        side.show_panel(other)
    assert (side.panel, shown.args) == (other, [1])


# ---------------------------------------------------------------- comparing
def dialog(themes: ThemeKeeper, qtbot: Any, left: str, right: str) -> CompareDialog:
    compared = Compared("Now", left, "Then", right, differences(left, right))
    found = CompareDialog(compared, themes)
    qtbot.addWidget(found)
    found.show()
    QApplication.processEvents()
    return found


def marked(dialog: CompareDialog, side: str) -> str:
    column = dialog.left if side == "left" else dialog.right
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


def test_what_differs_is_marked_in_both(themes: ThemeKeeper, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, "\U0001f600 The ferry isn\u2019t late.", "\U0001f600 The ferry is late.")
    assert (marked(shown, "left"), marked(shown, "right")) == ("isn\u2019t", "is")
    assert shown.summary.text() == "They differ in one place."


def test_equal_texts_are_said_to_be_equal(themes: ThemeKeeper, qtbot: Any) -> None:
    shown = dialog(themes, qtbot, "The same.", "The same.")
    assert shown.summary.text() == "The two texts are the same."
    assert not shown.next_button.isEnabled()


def paragraph_at_a_third(column: QTextEdit) -> str:
    height = column.viewport().height() // 3
    block = column.cursorForPosition(QPoint(0, height)).block()
    return block.text() or block.next().text()


def test_scrolling_one_takes_the_other_along(themes: ThemeKeeper, qtbot: Any) -> None:
    common = "\n\n".join(f"Paragraph {number} of the text." for number in range(200))
    shown = dialog(themes, qtbot, common, "New beginning. " * 400 + "\n\n" + common)
    bar = shown.left.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    left, right = (paragraph_at_a_third(column) for column in (shown.left, shown.right))
    assert 50 < int(left.split()[1]) < 150
    assert abs(int(left.split()[1]) - int(right.split()[1])) <= 1
    shown.next_button.click()
    assert shown.right.verticalScrollBar().value() == 0

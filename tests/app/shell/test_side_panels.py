"""Snapshots, and the panels beside the page, as widgets."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.shell.side_panel import SidePanel
from quire.takes.snapshots_panel import SnapshotsPanel
from quire.theme.fonts import interface_font
from quire.theme.theme_switch import ThemeSwitch

LEFT = Qt.MouseButton.LeftButton


def rows(panel: SnapshotsPanel) -> list[str]:
    return [panel.list.item(row).text() for row in range(panel.list.count())]


@pytest.fixture
def snapshots(themes: ThemeSwitch, qtbot: Any) -> SnapshotsPanel:
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


def test_a_snapshot_shows_its_words_once_they_are_counted(snapshots: SnapshotsPanel) -> None:
    assert snapshots.listed == (3, 2)
    for num_words in (1_234, 1):  # counted again: the last count stays
        snapshots.show_words(2, num_words)
    assert [row.partition(" · ")[2] for row in rows(snapshots)] == ["", "1 word"]


def test_the_names_of_the_panels_are_never_cut(themes: ThemeSwitch, qtbot: Any) -> None:
    """In German, which has the longest."""
    panel = SidePanel()
    qtbot.addWidget(panel)
    for name in ("Manuskript", "Fassungen", "Schnappschüsse", "Suchen"):
        panel.add(QLabel(name), name)
    panel.setFont(interface_font())
    panel.show()
    panel.tabs.setElideMode(Qt.TextElideMode.ElideNone)
    assert panel.tabs.sizeHint().width() <= panel.contentsRect().width() - 22


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


def test_one_panel_is_in_front(themes: ThemeSwitch, qtbot: Any) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    one, other = QLabel("one"), QLabel("other")
    side.add(one, "One")
    side.add(other, "Other")
    assert side.panel is one
    with qtbot.waitSignal(side.shown) as shown:
        side.show_panel(other)
    assert (side.panel, shown.args) == (other, [1])

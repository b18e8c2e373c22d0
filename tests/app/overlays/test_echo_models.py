"""Echoes as rows and sentences of the list."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from quire.domain.text_quality.echo_report import EchoLine, EchoReport, Place
from quire.domain.text_quality.overlays import Overlay, SpanKind
from quire.overlays.echo_table import EchoColumn, EchoTable
from quire.overlays.overlay_labels import OverlayTexts

LINES = (
    EchoLine("the lamp went out", 1_200, (Place(1, 0, 17), Place(1, 40, 57), Place(3, 5, 22))),
    EchoLine("nobody sang", 6, (Place(3, 50, 61), Place(3, 90, 101))),
)
REPORT = EchoReport(LINES, 0.0123, 4_000)


def test_the_table_has_a_row_for_each_passage() -> None:
    table = EchoTable()
    table.show_report(REPORT)
    cells = [[table.index(row, column).data() for column in EchoColumn] for row in range(table.rowCount())]
    assert cells == [["the lamp went out", "3", "1,200"], ["nobody sang", "2", "6"]]
    across = Qt.Orientation.Horizontal
    assert [table.headerData(column, across) for column in EchoColumn] == ["Passage", "Times", "Repeated"]
    right = table.index(0, EchoColumn.TIMES).data(Qt.ItemDataRole.TextAlignmentRole)
    assert right & Qt.AlignmentFlag.AlignRight
    assert table.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "the lamp went out"
    assert table.index(0, 0).data(Qt.ItemDataRole.DecorationRole) is None
    assert table.headerData(0, Qt.Orientation.Vertical) is None


def test_the_places_of_a_passage_come_one_after_another_and_then_again() -> None:
    table = EchoTable()
    table.show_report(REPORT)
    places = [table.next_place(0) for _ in range(4)]
    assert places == [(0, Place(1, 0, 17)), (1, Place(1, 40, 57)), (2, Place(3, 5, 22)), (0, Place(1, 0, 17))]
    assert table.next_place(1) == (0, Place(3, 50, 61))
    assert table.next_place(7) is None
    table.show_report(REPORT)
    assert table.next_place(0) == (0, Place(1, 0, 17))


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (EchoReport(), "No text yet."),
        (EchoReport((), 0.0, 40), "No nearby repetition found (40 words checked)."),
        (REPORT, "1.23% of 4,000 words begin an echo. In published novels: 0.03% to 1.6%."),
    ],
)
def test_the_table_says_how_much_it_is(report: EchoReport, sentence: str) -> None:
    table = EchoTable()
    table.show_report(report)
    assert table.summary() == sentence


def test_everything_has_a_name() -> None:
    texts = OverlayTexts()
    assert len({texts.overlay(overlay) for overlay in Overlay}) == len(Overlay)
    assert len({texts.kind(kind) for kind in SpanKind}) == len(SpanKind)
    assert all(texts.hint(overlay) for overlay in Overlay)
    assert [overlay for overlay in Overlay if not texts.empty(overlay)] == [Overlay.NONE]

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, Qt

from quire.domain.manuscript.project_records import WritingSession
from quire.writing_statistics.sessions_table import SessionColumn, SessionTable, day_text, time_text

MORNING = datetime(2026, 1, 7, 9, 30, tzinfo=UTC)
SESSIONS = (
    WritingSession(1, MORNING - timedelta(days=1), MORNING - timedelta(hours=23), 90.0, 1_204, 0),
    WritingSession(2, MORNING, MORNING + timedelta(minutes=50), 2_520.0, -17, 12_412),
)


def shown(table: SessionTable) -> list[list[object]]:
    return [
        [table.data(table.index(row, column)) for column in range(table.columnCount())]
        for row in range(table.rowCount())
    ]


def test_the_newest_session_comes_first() -> None:
    table = SessionTable(UTC)
    table.show_sessions(SESSIONS)
    assert shown(table) == [
        ["Wed 7 Jan 2026", "09:30 \u2013 10:20", "0:42", "\u221217", "+12,412"],
        ["Tue 6 Jan 2026", "09:30 \u2013 10:30", "0:02", "+1,204", "0"],
    ]
    titles = [table.headerData(column, Qt.Orientation.Horizontal) for column in SessionColumn]
    assert titles == ["Day", "From \u2013 to", "Time", "Words written", "Words drafted"]


def test_times_are_those_of_the_writer() -> None:
    table = SessionTable(timezone(timedelta(hours=-10)))
    table.show_sessions(SESSIONS[1:])
    assert shown(table)[0][:2] == ["Tue 6 Jan 2026", "23:30 \u2013 00:20"]


def test_figures_stand_to_the_right() -> None:
    table = SessionTable(UTC)
    table.show_sessions(SESSIONS)
    role = Qt.ItemDataRole.TextAlignmentRole
    for column in SessionColumn:
        flags = table.data(table.index(0, column), role)
        assert flags == table.headerData(column, Qt.Orientation.Horizontal, role)
        is_right = column in (SessionColumn.ACTIVE, SessionColumn.WRITTEN, SessionColumn.DRAFTED)
        assert isinstance(flags, Qt.AlignmentFlag)
        assert bool(flags & Qt.AlignmentFlag.AlignRight) is is_right


def test_it_keeps_the_rules_of_qt(qtmodeltester: Any) -> None:
    table = SessionTable(UTC)
    qtmodeltester.check(table)
    table.show_sessions(SESSIONS)
    qtmodeltester.check(table)


@given(st.floats(0, 1e9))
def test_a_time_is_told_to_the_minute(seconds: float) -> None:
    hours, minutes = time_text(seconds).replace(",", "").split(":")
    assert len(minutes) == 2
    assert 0 <= int(minutes) < 60
    assert abs(int(hours) * 60 + int(minutes) - seconds / 60) <= 0.5 + 1e-6


@given(st.dates(date(1971, 1, 1), date(2999, 12, 31)))
def test_days_are_told_in_the_language_of_the_window(day: date) -> None:
    assert day_text(day).split() == [str(day.day), f"{day:%B}", str(day.year)]
    usual = QLocale()
    QLocale.setDefault(QLocale("de"))
    try:
        assert day_text(day).split()[::2] == [f"{day.day}.", str(day.year)]
    finally:
        QLocale.setDefault(usual)

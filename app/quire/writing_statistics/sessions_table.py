"""Writing sessions as a table."""

from __future__ import annotations

from datetime import date, datetime, tzinfo
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from quire.domain.manuscript.project_records import WritingSession
from quire.domain.manuscript.writing_statistics import signed
from quire.system.number_text import number_text
from quire.ui.translated import long_date_format

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


def time_text(seconds: float) -> str:
    """Return a duration as hours and minutes: "0:42"."""
    minutes = round(seconds / 60)
    return f"{number_text(minutes // 60)}:{minutes % 60:02}"


def day_text(day: date) -> str:
    """Return a date written out as the window's language does: "5 January 2026"."""
    return QLocale().toString(QDate(day.year, day.month, day.day), long_date_format())


class SessionColumn(IntEnum):
    """The columns of the table."""

    DAY = 0
    TIMES = 1
    ACTIVE = 2
    WRITTEN = 3
    DRAFTED = 4


class SessionTable(QAbstractTableModel):
    """Writing sessions as a table, the newest first.

    Args:
        zone: None for the computer's.
    """

    def __init__(self, zone: tzinfo | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._zone = zone
        self._sessions: tuple[WritingSession, ...] = ()

    def show_sessions(self, sessions: tuple[WritingSession, ...]) -> None:
        """Show sessions, given the oldest first."""
        self.beginResetModel()
        self._sessions = sessions[::-1]
        self.endResetModel()

    def rowCount(self, parent: _Index = _NO_PARENT) -> int:
        """Return one row per session."""
        return 0 if parent.isValid() else len(self._sessions)

    def columnCount(self, parent: _Index = _NO_PARENT) -> int:
        """Return one column per property."""
        return 0 if parent.isValid() else len(SessionColumn)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell, or its alignment: numbers are right-aligned."""
        column = SessionColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self._sessions[index.row()], column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the header of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(SessionColumn(section))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            SessionColumn.DAY: self.tr("Day"),
            SessionColumn.TIMES: self.tr("From \u2013 to"),
            SessionColumn.ACTIVE: self.tr("Time"),
            SessionColumn.WRITTEN: self.tr("Words written"),
            SessionColumn.DRAFTED: self.tr("Words drafted"),
        }[SessionColumn(section)]

    def _alignment(self, column: SessionColumn) -> Qt.AlignmentFlag:
        across = Qt.AlignmentFlag.AlignRight if column >= SessionColumn.ACTIVE else Qt.AlignmentFlag.AlignLeft
        return across | Qt.AlignmentFlag.AlignVCenter

    def _text(self, session: WritingSession, column: SessionColumn) -> str:
        match column:
            case SessionColumn.DAY:
                day = self._local(session.started)
                return QLocale().toString(QDate(day.year, day.month, day.day), "ddd d MMM yyyy")
            case SessionColumn.TIMES:
                times = (self._local(time).strftime("%H:%M") for time in (session.started, session.ended))
                return " \u2013 ".join(times)
            case SessionColumn.ACTIVE:
                return time_text(session.active_s)
            case SessionColumn.WRITTEN:
                return signed(session.words_written)
            case SessionColumn.DRAFTED:
                return signed(session.words_drafted)

    def _local(self, time: datetime) -> datetime:
        return time.astimezone(self._zone)

"""The worst echoes as a table."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from quire.domain.text_quality.echo_report import EchoLine, EchoReport
from quire.overlays.passage_rows import NO_PARENT, Index, PassageRows
from quire.system.number_text import number_text


class EchoColumn(IntEnum):
    """The columns of the table."""

    PASSAGE = 0
    TIMES = 1
    UNITS = 2


class EchoTable(PassageRows[EchoLine]):
    """A row for each repeated passage, the worst first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = EchoReport()

    @property
    def report(self) -> EchoReport:
        """Return the report that is shown."""
        return self._report

    def show_report(self, report: EchoReport) -> None:
        """Show another report."""
        self._report = report
        self.show_lines(report.lines)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """Return one column per property of a passage."""
        return 0 if parent.isValid() else len(EchoColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell, or its alignment: numbers are right-aligned."""
        line, column = self.lines[index.row()], EchoColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole and column is EchoColumn.PASSAGE:
            return line.text
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match column:
            case EchoColumn.PASSAGE:
                return line.text
            case EchoColumn.TIMES:
                return number_text(line.count)
            case EchoColumn.UNITS:
                return number_text(line.num_units)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the header of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = EchoColumn(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole and column is EchoColumn.UNITS:
            return self.tr("Words in the repeats, not counting the first occurrence")
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            EchoColumn.PASSAGE: self.tr("Passage"),
            EchoColumn.TIMES: self.tr("Times"),
            EchoColumn.UNITS: self.tr("Repeated"),
        }[column]

    def _alignment(self, column: EchoColumn) -> Qt.AlignmentFlag:
        across = Qt.AlignmentFlag.AlignLeft if column is EchoColumn.PASSAGE else Qt.AlignmentFlag.AlignRight
        return across | Qt.AlignmentFlag.AlignVCenter

    def summary(self) -> str:
        """Return a sentence comparing the share of echoes with that of published novels."""
        report = self._report
        if report.share is None:
            return self.tr("No text yet.")
        if not report.lines:
            return self.tr("No nearby repetition found ({0} words checked).").format(
                number_text(report.num_units)
            )
        said = self.tr("{0} of {1} words begin an echo. In published novels: 0.03% to 1.6%.")
        return said.format(f"{number_text(100 * report.share, 2)}%", number_text(report.num_units))

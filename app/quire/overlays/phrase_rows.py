"""Phrases that stand out as a table."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from quire.domain.text_quality.frequent_phrases import (
    MIN_TIMES,
    RAREST_RATE,
    FrequentPhrase,
    PhraseReport,
)
from quire.overlays.passage_rows import NO_PARENT, Index, PassageRows
from quire.system.number_text import number_text


class PhraseColumn(IntEnum):
    """The columns of the table."""

    PHRASE = 0
    TIMES = 1
    RATE = 2
    NOVELS = 3


class PhraseRows(PassageRows[FrequentPhrase]):
    """A row for each phrase, the one that stands out most first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = PhraseReport()

    @property
    def report(self) -> PhraseReport:
        """Return the report that is shown."""
        return self._report

    def show_report(self, report: PhraseReport) -> None:
        """Show another report."""
        self._report = report
        self.show_lines(report.phrases)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """Return one column per property of a phrase."""
        return 0 if parent.isValid() else len(PhraseColumn)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a cell, or its alignment: numbers are right-aligned."""
        phrase, column = self.lines[index.row()], PhraseColumn(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole and column is PhraseColumn.PHRASE:
            return phrase.text
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        match column:
            case PhraseColumn.PHRASE:
                return phrase.text
            case PhraseColumn.TIMES:
                return number_text(phrase.count)
            case PhraseColumn.RATE:
                return number_text(phrase.rate, 1)
            case PhraseColumn.NOVELS:
                return self._novels(phrase)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the header of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = PhraseColumn(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.ToolTipRole and column is PhraseColumn.NOVELS:
            return self.tr("How often it occurs in 100,000 words of 171 published novels, 1605 to 1929")
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return {
            PhraseColumn.PHRASE: self.tr("Phrase"),
            PhraseColumn.TIMES: self.tr("Times"),
            PhraseColumn.RATE: self.tr("Per 100,000 words"),
            PhraseColumn.NOVELS: self.tr("In novels"),
        }[column]

    def summary(self) -> str:
        """Return a sentence about all of them."""
        report = self._report
        words = number_text(report.num_words)
        if not report.num_words:
            return self.tr("No text yet.")
        if not report.phrases:
            said = self.tr("No phrase of three words or more stands out ({0} words checked).")
            return said.format(words)
        if any(phrase.novels is None for phrase in report.phrases):
            said = self.tr(
                "Phrases of three words or more that occur at least {0} times ({1} words checked)."
            )
            return said.format(MIN_TIMES, words)
        said = self.tr(
            "Used more often than in published novels, the most striking first ({0} words checked)."
        )
        return said.format(words)

    def _novels(self, phrase: FrequentPhrase) -> str:
        if phrase.novels is None:
            return "\u2013"
        if not phrase.novels:
            return self.tr("under {0}").format(RAREST_RATE)
        return number_text(phrase.novels, 1)

    def _alignment(self, column: PhraseColumn) -> Qt.AlignmentFlag:
        is_text = column is PhraseColumn.PHRASE
        across = Qt.AlignmentFlag.AlignLeft if is_text else Qt.AlignmentFlag.AlignRight
        return across | Qt.AlignmentFlag.AlignVCenter

"""What the tables of the lists about repetition have in common: a row for each passage, with its places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex

from quire.domain.text_quality.echo_report import Place

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()


class Passage(Protocol):
    """Words that occur several times."""

    @property
    def text(self) -> str:
        """Return the words."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """Return where they occur."""
        ...

    @property
    def count(self) -> int:
        """Return how often they occur."""
        ...


P = TypeVar("P", bound=Passage)


class PassageRows(QAbstractTableModel, Generic[P]):
    """Remembers for each row which of its places was shown last."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[P, ...] = ()
        self._next: dict[int, int] = {}

    @property
    def lines(self) -> tuple[P, ...]:
        """Return the passages in the order of the rows."""
        return self._lines

    def show_lines(self, lines: Sequence[P]) -> None:
        """Show other passages, each from its first place on."""
        self.beginResetModel()
        self._lines = tuple(lines)
        self._next.clear()
        self.endResetModel()

    def line(self, row: int) -> P | None:
        """Return the passage of a row."""
        return self._lines[row] if 0 <= row < len(self._lines) else None

    def next_place(self, row: int) -> tuple[int, Place] | None:
        """Return the next place of a passage and its number, wrapping around."""
        line = self.line(row)
        if line is None:
            return None
        number = self._next.get(row, 0)
        self._next[row] = (number + 1) % line.count
        return number, line.places[number]

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """Return one row per passage."""
        return 0 if parent.isValid() else len(self._lines)

    def summary(self) -> str:
        """Return a sentence about all of them."""
        raise NotImplementedError

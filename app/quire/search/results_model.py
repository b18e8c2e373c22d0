"""Search results of the book as rows, grouped by chapter; rows are created on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from quire.services.project.book_search import Hit, TextHits

HIT = Qt.ItemDataRole.UserRole + 1
"""The role for a row's Hit; a chapter has none."""

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_CHAPTER = 0
"""The internal id of a chapter's row; that of a match is its chapter's number, from 1 on."""
_TICK = Qt.ItemDataRole.CheckStateRole
_USUAL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_FLAGS = (_USUAL, _USUAL | Qt.ItemFlag.ItemIsUserCheckable)
_FLAGS_OF_MATCHES = tuple(flags | Qt.ItemFlag.ItemNeverHasChildren for flags in _FLAGS)
"""The flags of a row; the second ones while replacing. Built once: a view asks for them three times per
row.
"""


class FoundRows(QAbstractItemModel):
    """Texts and their matches, which can be ticked while replacing.

    Signals:
        ticked: the writer changed a tick.

    Args:
        font: the font of the chapters.
    """

    ticked = Signal()

    def __init__(self, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._font = font
        self._texts: Sequence[TextHits] = ()
        self._titles: Sequence[str] = ()
        self._ticks: list[bytearray] | None = None

    # ------------------------------------------------------------ input
    def show_hits(self, texts: Sequence[TextHits] = (), titles: Sequence[str] = ()) -> None:
        """List matches, all of them ticked.

        Args:
            texts: the texts with their matches.
            titles: the titles of the texts, with the numbers of their matches.
        """
        self.beginResetModel()
        self._texts, self._titles = texts, titles
        if self._ticks is not None:
            self._ticks = self._all_ticked()
        self.endResetModel()

    def set_replacing(self, *, on: bool) -> None:
        """Tick all matches, or hide the check boxes."""
        self._ticks = self._all_ticked() if on else None
        for number in range(len(self._texts)):
            self._notify(number)

    # ------------------------------------------------------------ queries
    def num_ticked(self) -> int:
        """Return how many matches are ticked."""
        return sum(map(sum, self._ticks or ()))

    def ticked_hits(self) -> Iterator[tuple[TextHits, tuple[Hit, ...]]]:
        """Yield each text with ticked matches, and these matches."""
        for text, ticks in zip(self._texts, self._ticks or (), strict=False):
            if any(ticks):
                yield text, tuple(hit for hit, tick in zip(text.hits, ticks, strict=True) if tick)

    def place_of(self, index: Index) -> tuple[int, Hit] | None:
        """Return the text of a match and the match, or None for a chapter."""
        if not index.isValid() or index.internalId() == _CHAPTER:
            return None
        text = self._texts[index.internalId() - 1]
        return text.document_id, text.hits[index.row()]

    # ------------------------------------------------------------ QAbstractItemModel
    def index(self, row: int, column: int, parent: Index = _NOWHERE) -> QModelIndex:
        """Return the index of a chapter, or of a match in one."""
        if not 0 <= row < self.rowCount(parent) or column != 0:
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else _CHAPTER)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # QObject.parent has none
        """Return the chapter of a match; a chapter has no parent."""
        number = index.internalId() if index.isValid() else _CHAPTER
        return QModelIndex() if number == _CHAPTER else self.createIndex(number - 1, 0, _CHAPTER)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """Return the number of chapters, or of matches in one."""
        if not parent.isValid():
            return len(self._texts)
        return len(self._texts[parent.row()].hits) if parent.internalId() == _CHAPTER else 0

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Return the single column."""
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row: it has a check box while replacing."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return (_FLAGS if index.internalId() == _CHAPTER else _FLAGS_OF_MATCHES)[self._ticks is not None]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a row."""
        place = self.place_of(index)
        if role == _TICK:
            return self._state_of(index)
        if place is None:
            return self._of_chapter(index.row(), role) if index.isValid() else None
        if role == HIT:
            return place[1]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            around = place[1].context
            return f"{around.before}{around.found}{around.after}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick or untick a match, or all matches of a chapter."""
        if role != _TICK or self._ticks is None or not index.isValid():
            return False
        is_on = Qt.CheckState(value) is Qt.CheckState.Checked
        number = index.internalId() - 1 if index.internalId() != _CHAPTER else index.row()
        if index.internalId() == _CHAPTER:
            self._ticks[number] = bytearray([is_on]) * len(self._ticks[number])
        else:
            self._ticks[number][index.row()] = is_on
        self._notify(number)
        self.ticked.emit()
        return True

    # ------------------------------------------------------------ inside
    def _all_ticked(self) -> list[bytearray]:
        return [bytearray([True]) * len(text.hits) for text in self._texts]

    def _of_chapter(self, number: int, role: int) -> str | QFont | None:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._titles[number]
            case Qt.ItemDataRole.ToolTipRole:
                return " ".join(self._texts[number].title.split())
            case Qt.ItemDataRole.FontRole:
                return self._font
            case _:
                return None

    def _state_of(self, index: Index) -> Qt.CheckState | None:
        if self._ticks is None or not index.isValid():
            return None
        if index.internalId() != _CHAPTER:
            return _box(self._ticks[index.internalId() - 1][index.row()])
        ticks = self._ticks[index.row()]
        is_some = any(ticks) and not all(ticks)
        return Qt.CheckState.PartiallyChecked if is_some else _box(any(ticks))

    def _notify(self, number: int) -> None:
        """Notify views that a chapter and its matches changed."""
        chapter = self.index(number, 0)
        self.dataChanged.emit(chapter, chapter, [_TICK])
        last = self.rowCount(chapter) - 1
        self.dataChanged.emit(self.index(0, 0, chapter), self.index(last, 0, chapter), [_TICK])


def _box(is_on: object) -> Qt.CheckState:
    return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked

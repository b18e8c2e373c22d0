"""Chapters that were put aside with a take, one setting of the project for each such take."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quire.storage.record_repository import RecordRepository

_PREFIX = "chapters of take "
_NAME = re.compile(f"{_PREFIX}([0-9]{{1,18}})")

Placed = tuple[int, int]
"""A chapter, and the node that it stood after."""


class AsideChapters:
    """The chapters of all takes that are not in the text, in one open transaction.

    They are in the trash; where this record is damaged they are found there, and nothing is lost.
    """

    def __init__(self, records: RecordRepository) -> None:
        self._records = records

    def of(self, take_id: int) -> tuple[Placed, ...]:
        """Return the chapters of a take, in the order they are read."""
        found = self._records.setting(f"{_PREFIX}{take_id}")
        pairs = [tuple(one) for one in found if isinstance(one, list)] if isinstance(found, list) else []
        return tuple((one[0], one[1]) for one in pairs if [type(part) for part in one] == [int, int])

    def all(self) -> dict[int, tuple[int, ...]]:
        """Return the chapters of every take that has some aside."""
        names = map(_NAME.fullmatch, self._records.setting_names(_PREFIX))
        takes = [int(name[1]) for name in names if name is not None]
        return {take_id: tuple(chapter for chapter, _ in self.of(take_id)) for take_id in takes}

    def put(self, take_id: int, chapters: Sequence[Placed]) -> None:
        """Replace the chapters of a take; none: it has none aside."""
        self._records.save_setting(f"{_PREFIX}{take_id}", [list(one) for one in chapters] or None)

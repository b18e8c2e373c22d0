"""Texts that had lost their place in the book, and that the writer was not notified of yet."""

from __future__ import annotations

from quire.storage.project_file import ProjectFile
from quire.storage.repair import RECOVERED


def recovered_texts(file: ProjectFile) -> int:
    """Return how many texts were put into the part "Recovered" since the writer was last notified."""
    with file.reading() as unit:
        found = unit.records.setting(RECOVERED)
    return found if isinstance(found, int) else 0


def told(file: ProjectFile) -> None:
    """Record that the writer was notified."""
    with file.unit() as unit:
        unit.records.save_setting(RECOVERED, None)
        unit.commit()

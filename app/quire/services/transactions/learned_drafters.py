"""What a model's draft model learned from the book. Plain functions for a storage thread."""

from __future__ import annotations

from typing import Literal

from quire.domain.drafting.learned_drafter import LearnedDrafter
from quire.storage.project_file import ProjectFile


def learned(file: ProjectFile, fingerprint: str) -> LearnedDrafter | None:
    """Return what is in use with a model; None for nothing, and for what is damaged."""
    with file.reading() as unit:
        return unit.learned.newest(fingerprint)


def store_learned(file: ProjectFile, found: LearnedDrafter) -> None:
    """Store a version of what was learned."""
    with file.unit() as unit:
        unit.learned.save(found)
        unit.commit()


def change_learned(file: ProjectFile, fingerprint: str, change: Literal["undo", "remove"]) -> None:
    """Go back to the version before, or delete all that was learned with a model."""
    with file.unit() as unit:
        if unit.learned.has_any(fingerprint):
            (unit.learned.undo if change == "undo" else unit.learned.remove)(fingerprint)
            unit.commit()

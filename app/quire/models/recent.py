"""Projects that were open before, as the welcome page lists them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class RecentProject:
    """A project that was open before.

    opened: when it was open last; num_words: in the text that was open then; None where nobody noted it.
    exists: whether its file is there.
    """

    path: Path
    title: str
    opened: datetime | None = None
    num_words: int | None = None
    exists: bool = True

    @property
    def folder(self) -> str:
        """Where it lies; the writer's own folder is shortened."""
        folder = self.path.parent
        try:
            return str(Path("~") / folder.relative_to(Path.home()))
        except (ValueError, RuntimeError):  # it lies elsewhere, or nobody knows where home is
            return str(folder)


def days_ago(opened: datetime, now: datetime) -> int:
    """Return how many calendar days lie between two times, as they are counted here."""
    return (now.astimezone().date() - opened.astimezone().date()).days

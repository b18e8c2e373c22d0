"""Notes on projects at the time they were closed, so that none has to be opened to list them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from quire_engine.api.atomic_file import replace_file

MAX_NOTES = 50
_NAME = "recent-projects.json"
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class _Note:
    """A project's title, when it was last open, and its word count."""

    title: str
    opened: datetime
    num_words: int


class RecentNotes:
    """Notes on projects in a file, which is optional: if it is damaged or not writable, only the notes are
    lost.

    Args:
        folder: None stores no notes.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / _NAME

    def note(self, project: Path, title: str, num_words: int, now: datetime | None = None) -> None:
        """Record the current state of a project."""
        notes = self._read()
        notes.pop(str(project), None)
        notes[str(project)] = _Note(title, now or datetime.now(UTC), num_words)
        kept = dict(list(notes.items())[-MAX_NOTES:])
        self._write(kept)

    def forget(self, project: Path) -> None:
        """Remove the note on a project."""
        notes = self._read()
        if notes.pop(str(project), None) is not None:
            self._write(notes)

    def look(self, paths: Sequence[str]) -> tuple[RecentProject, ...]:
        """Return what is known of projects, and whether their files exist; slow drives may take a while."""
        return tuple(_with_existence(project) for project in self.known(paths))

    def known(self, paths: Sequence[str]) -> tuple[RecentProject, ...]:
        """Return what is known of projects without looking for their files."""
        notes = self._read()
        return tuple(_project(path, notes.get(path)) for path in paths)

    def _read(self) -> dict[str, _Note]:
        if self._path is None:
            return {}
        try:
            with self._path.open("rb") as file:
                found = json.loads(file.read(_LARGEST))
        except (OSError, ValueError, RecursionError):
            return {}
        entries = found.items() if isinstance(found, dict) else ()
        return {path: note for path, entry in entries if (note := _note_of(entry)) is not None}

    def _write(self, notes: dict[str, _Note]) -> None:
        content = {
            path: [note.title, note.opened.isoformat(), note.num_words] for path, note in notes.items()
        }
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, json.dumps(content).encode())
        except OSError:  # the list is shown without them
            return


def _note_of(entry: object) -> _Note | None:
    match entry:
        case [str(title), str(opened), int(num_words)]:
            try:
                when = datetime.fromisoformat(opened)
            except ValueError:
                return None
            return _Note(title, when if when.tzinfo else when.replace(tzinfo=UTC), max(0, num_words))
    return None


def _project(path: str, note: _Note | None) -> RecentProject:
    if note is None:
        return RecentProject(Path(path), Path(path).stem)
    return RecentProject(Path(path), note.title or Path(path).stem, note.opened, note.num_words)


def _with_existence(project: RecentProject) -> RecentProject:
    try:
        exists = project.path.is_file()
    except (OSError, ValueError):  # the drive is gone, or the name is invalid
        exists = False
    return RecentProject(project.path, project.title, project.opened, project.num_words, exists)


@dataclass(frozen=True, slots=True)
class RecentProject:
    """A project that was open before.

    Attributes:
        path: its file.
        title: its title.
        opened: when it was last open; None if unknown.
        num_words: words of the text that was open then; None if unknown.
        exists: whether its file exists.
    """

    path: Path
    title: str
    opened: datetime | None = None
    num_words: int | None = None
    exists: bool = True

    @property
    def folder(self) -> str:
        """Return its folder, with the home folder shortened."""
        folder = self.path.parent
        try:
            return str(Path("~") / folder.relative_to(Path.home()))
        except (ValueError, RuntimeError):  # elsewhere, or the home folder is unknown
            return str(folder)


def days_ago(opened: datetime, now: datetime) -> int:
    """Return the number of calendar days between two times, in local time."""
    return (now.astimezone().date() - opened.astimezone().date()).days

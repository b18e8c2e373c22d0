"""Whether two files are of the same project, as far as what they hold shows it."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from quire.storage.commit_link import CommitLink
from quire.storage.problems import StorageProblem
from quire.storage.side_files import copied, has_any


@dataclass(frozen=True, slots=True)
class ProjectIdentity:
    """The identity of a project. project_id: None where it is damaged."""

    title: str
    created: str
    project_id: bytes | None

    def is_of(self, other: ProjectIdentity) -> bool:
        """Return whether both are of one project; else the time of creation decides."""
        if self.project_id is not None and self.project_id == other.project_id:
            return True
        return self.created == other.created


class OtherProject(StorageProblem):
    """A backup is of another project than the one to be restored."""


def refuse_other_project(project: Path, backup: Path) -> None:
    """Refuse a backup of another project; nothing is known where one of them cannot be read."""
    ours, theirs = identity_of(project), identity_of(backup)
    if ours is None or theirs is None or theirs.is_of(ours):
        return
    raise OtherProject(
        "{backup} is a backup of another project, “{other}” ({file} is “{title}”). Nothing was restored. "
        "Choose another backup, or add --other-project to restore it all the same.",
        backup=backup.name,
        other=theirs.title,
        file=project.name,
        title=ours.title,
    )


def identity_of(path: Path) -> ProjectIdentity | None:
    """Return the identity of a project; None for what is no project, or cannot be read. Changes nothing."""
    with contextlib.suppress(sqlite3.Error, OSError):
        if not path.exists():
            return None
        if not has_any(path):
            return _read(f"{path.absolute().as_uri()}?mode=ro&immutable=1")
        with tempfile.TemporaryDirectory(prefix="quire-") as folder:
            copy = Path(folder) / "project.quire"
            copied(path, copy)
            return _read(copy.as_uri())
    return None


def _read(uri: str) -> ProjectIdentity:
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        connection.text_factory = lambda stored: stored.decode(errors="replace")
        title, created = connection.execute("SELECT title, created FROM project").fetchone() or ("", "")
        return ProjectIdentity(" ".join(title.split()), created, _project_id(connection))


def _project_id(connection: sqlite3.Connection) -> bytes | None:
    with contextlib.suppress(sqlite3.Error, ValueError, TypeError):
        return CommitLink.unpack(connection.execute("SELECT link FROM commit_chain").fetchone()[0]).project_id
    return None

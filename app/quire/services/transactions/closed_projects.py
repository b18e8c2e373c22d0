"""Operations on a project file that is not open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from quire.domain.drafting.run import Run
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Project
from quire.domain.manuscript.tree import Tree
from quire.services.transactions import project_text
from quire.storage.project_check import ProjectReport, check_project
from quire.storage.project_file import kept_backups as kept_backups
from quire.storage.project_file import open_project_file, open_project_reader, restore_project
from quire.storage.tables import APPLICATION_ID
from quire_engine.api.user_message import UserMessage
from quire_engine.metrics.word_count import count_words


@dataclass(frozen=True, slots=True)
class ProjectOverview:
    """Facts about a project; interrupted runs are shown as they will be recovered.

    Attributes:
        notices: what was found beside the file, and what of it the writer is to know.
    """

    path: Path
    project: Project
    text: str
    runs: tuple[Run, ...]
    schema_version: int
    application_id: int
    tree: Tree
    notices: tuple[UserMessage, ...] = ()


def read_project(path: Path) -> ProjectOverview:
    """Read a project without changing it, on a read-only disk too; it must not be open elsewhere."""
    file = open_project_reader(path)
    try:
        opened = project_text.read(file)
        text = project_text.story(file)
    finally:
        file.close()
    return ProjectOverview(
        path, opened.project, text, opened.runs, file.version, APPLICATION_ID, opened.tree, file.notices
    )


@dataclass(frozen=True, slots=True)
class BackupMade:
    """A backup that was made.

    Attributes:
        damage: what in it is not as it was stored, because it is not in the project either.
        notices: what was found beside the project, and what of it the writer is to know.
    """

    path: Path
    damage: tuple[UserMessage, ...] = ()
    notices: tuple[UserMessage, ...] = ()


def backed_up(path: Path, reason: Reason) -> BackupMade:
    """Make a backup of a project that is not open, and check every row of it."""
    file = open_project_file(path)
    try:
        made = file.back_up(reason)
    finally:
        file.close()
    if made is None:
        return BackupMade(path, notices=file.notices)
    return BackupMade(made, damage_in(made), file.notices)


def damage_in(backup: Path) -> tuple[UserMessage, ...]:
    """Read every row of a backup; return what is not as it was stored."""
    copy = open_project_reader(backup)
    try:
        return copy.named_damage()
    finally:
        copy.close()


def contents_of(backup: Path) -> tuple[int, str]:
    """Return how many words a backup has, and its text, which may be long."""
    text = read_project(backup).text
    return count_words(text), text


def checked(path: Path) -> ProjectReport:
    """Check a project, damaged or not, and change nothing."""
    return check_project(path)


def restored(path: Path, backup: Path | None = None, *, other_project: bool = False) -> tuple[Path, Path]:
    """Restore a backup to a new project; return both.

    WriterProblem when no backup of the project is good. The project itself may be damaged or missing, and is
    not touched.

    Args:
        backup: None uses the last good one.
        other_project: allow the backup of another project.
    """
    return restore_project(path, backup, other_project=other_project)

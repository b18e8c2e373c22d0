"""Saves a project under another name when its file was moved, replaced or overwritten while it was open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run
from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind
from quire.domain.written_time import WrittenTime
from quire.errors import SaveElsewhere
from quire.services.transactions import project_text
from quire.storage.problems import ProjectDamaged
from quire.storage.project_file import (
    ProjectFile,
    copy_project,
    create_project_file,
    last_good_backup,
    open_project_file,
)
from quire.storage.side_files import has_any
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.user_message import UserMessage


@dataclass(frozen=True, slots=True)
class EndOfRun:
    """How a run ended, and what of it could not be stored."""

    run: Run
    chunk: Chunk | None
    prompt_ids: Sequence[int] | None


@dataclass(frozen=True, slots=True)
class SavedElsewhere:
    """What was saved.

    Attributes:
        is_whole: whether the new project has everything that the old one had.
        backup_made: when the backup was made that the other texts come from; None where there was none.
    """

    path: Path
    is_whole: bool
    backup_made: datetime | None = None

    @property
    def message(self) -> UserMessage:
        """Return what the writer is to know."""
        if self.is_whole:
            return UserMessage("Everything was saved as {file} in {folder}.", **self._where)
        if self.backup_made is None:
            return UserMessage(
                "The open text was saved as {file} in {folder}. Other texts of the project can't be read, "
                "and there is no backup of them.",
                **self._where,
            )
        return UserMessage(
            "The open text was saved as {file} in {folder}; the rest of that project is from the backup of "
            "{made}.",
            made=WrittenTime(self.backup_made),
            **self._where,
        )

    @property
    def _where(self) -> dict[str, str]:
        return {"file": self.path.name, "folder": str(self.path.parent)}


def free_name(project: Path) -> Path:
    """Return a name beside a project that nothing has."""
    date = datetime.now().astimezone().strftime("%Y-%m-%d")
    for number in count(1):
        numbered = f", {number}" if number > 1 else ""
        path = project.with_name(f"{project.stem} (saved {date}{numbered}){project.suffix}")
        if not path.exists() and not has_any(path):
            return path
    raise AssertionError("unreachable")


def file_problem(file: ProjectFile, *, unstored: bool) -> UserMessage | None:
    """Return what happened to the file of an open project, where something would be lost by closing it.

    Args:
        unstored: something still waits to be stored.
    """
    try:
        file.refuse_changed(closing=not unstored)
    except SaveElsewhere as problem:
        return problem.message
    return None


def save_elsewhere(
    file: ProjectFile, path: Path, project: Project, shown: Document, ended: EndOfRun | None
) -> SavedElsewhere:
    """Write an open project to a new file: what is stored, what waits to be stored, and the open text.

    Where the file was overwritten, only its log is left; then the last good backup takes the place of what is
    stored.
    """
    try:
        file.copy_to(path)
    except ProjectDamaged:
        return _save_what_is_left(file.path, path, project, shown)
    new = open_project_file(path)
    try:
        if ended is not None:
            project_text.merge_drafted_text(new, ended.run, ended.chunk, ended.prompt_ids)
        else:
            project_text.open_and_recover(new)
        _put(new, shown)
    finally:
        new.close()
    return SavedElsewhere(path, True)


def _save_what_is_left(lost: Path, path: Path, project: Project, shown: Document) -> SavedElsewhere:
    backup = last_good_backup(lost)
    if backup is None:
        create_project_file(path, project, Document(1, shown.title, shown.text))
        return SavedElsewhere(path, False)
    copy_project(backup.path, path)
    new = open_project_file(path)
    try:
        project_text.open_and_recover(new)
        _put(new, shown)
    finally:
        new.close()
    return SavedElsewhere(path, False, backup.made)


def _put(file: ProjectFile, shown: Document) -> None:
    """Store the open text as the window shows it."""
    with file.unit() as unit:
        tree = unit.manuscript.tree()
        known = {node.node_id for node in tree.nodes}
        if shown.document_id not in known:  # it is younger than the backup
            _add(unit, shown)
            unit.commit()
            return
        before = unit.manuscript.document(shown.document_id)
    if before.text != shown.text:
        project_text.save_text(file, shown.document_id, shown.text)


def _add(unit: UnitOfWork, shown: Document) -> None:
    tree = unit.manuscript.tree()
    last = 1 + max(node.position for node in tree.nodes)
    node = Node(tree.next_id, NodeKind.CHAPTER, shown.title, tree.book.node_id, position=last)
    unit.manuscript.add(node, Document(node.node_id, shown.title, shown.text))

"""Makes new project files; what another one of the same name left behind is moved aside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from quire.domain.manuscript.manuscript import Document, Project
from quire.domain.manuscript.tree import Node, NodeKind
from quire.storage import schema
from quire.storage.connection import writer_engine
from quire.storage.file_watch import FileWatch
from quire.storage.problems import ProjectExists, ProjectMissing, as_user_message, disk_full
from quire.storage.project_lock import ProjectLock
from quire.storage.saved_record import forget, record_path
from quire.storage.side_files import SIDE_FILES, cleared, has_log
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.user_message import UserMessage


def create_project_file(
    path: Path,
    project: Project,
    first: Document,
    more: Iterable[tuple[Node, Document]] = (),
    kind: NodeKind = NodeKind.CHAPTER,
) -> tuple[UserMessage, ...]:
    """Write a new project file; it appears under its name only when it is complete.

    Return what the writer is to know of files that another project of this name left behind.

    Args:
        first: the first text, of this kind; the book is the node of the next number.
        more: what comes after it, parents first.
    """
    path = resolved(path)
    with as_user_message(path), new_file(path) as new:
        texts = [(Node(first.document_id, kind, first.title, first.document_id + 1), first), *more]
        _write_first(new, project, Node(first.document_id + 1, NodeKind.BOOK, project.title), texts)
        return cleared(path)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give the path of a file to write, and then the file its name; what another one of that name left is
    moved aside.
    """
    with ExitStack() as stack:
        if not path.parent.is_dir():
            raise ProjectMissing(
                "The folder {folder} doesn't exist. Create it first, or choose another one.",
                folder=path.parent,
            )
        _refuse_existing(path)
        stack.callback(ProjectLock(path).release)
        new = path.with_name(f".{path.name}.new")
        _delete(new)
        stack.callback(_delete, new)
        yield new
        _refuse_existing(path)
        cleared(path)
        forget(record_path(path))
        new.rename(path)
        sync_folder(path.parent)


def resolved(path: Path) -> Path:
    """Return where a project really is, whatever it is called."""
    try:
        return path.expanduser().resolve()  # one file, one lock, whatever it is called
    except RuntimeError:  # ~ of somebody who is not known here, or links that lead in a circle
        raise ProjectMissing("{path} is not a usable path. Write the folder in full.", path=path) from None


def _write_first(path: Path, project: Project, book: Node, texts: Sequence[tuple[Node, Document]]) -> None:
    engine = writer_engine(path, create=True)
    try:
        with engine.begin() as connection:
            schema.create(connection.exec_driver_sql)
        with UnitOfWork(engine, path, FileWatch(path)) as unit:
            unit.manuscript.create(project, book, texts)
            unit.commit()
            # what cannot be moved from the log into a file that is closed stays in the log without a word,
            # and the file would get its name without it
            unit.checkpoint()
    finally:
        engine.dispose()
    if has_log(path):
        raise disk_full(path)


def _refuse_existing(path: Path) -> None:
    if path.exists():
        raise ProjectExists(
            "{file} already exists. Choose another name; nothing was changed.", file=path.name
        )


def _delete(path: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        path.with_name(path.name + suffix).unlink(missing_ok=True)

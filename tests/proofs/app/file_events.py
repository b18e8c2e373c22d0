"""What can happen to a project's file, its folder and the clock while, or before, somebody works on it.

Each is a sentence, and nothing is lost; when it is over, the same open project goes on.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Self

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire.storage.project_file import ProjectFile, create_project_file, last_good_backup, open_project_file
from tests.fakes import ReadOnly
from tests.proofs.app.outcome import CheckResult

NAME = "proof.quire"
OPENING = "It was a dark night."
_LATER = " And then Mara laughed."


class _Wrong(Exception):
    """Not as promised."""


def _made(folder: Path, text: str = OPENING) -> Path:
    path = folder / NAME
    project = Project("Proof", datetime(2026, 1, 1, tzinfo=UTC))
    create_project_file(path, project, Document(1, "Proof", text))
    return path


def _text_of(file: ProjectFile) -> str:
    return project_text.read(file).document.text


def _refused(work: Callable[[], object]) -> str:
    """Return the sentence with which something is refused."""
    try:
        work()
    except WriterProblem as problem:
        if not str(problem).endswith("."):
            raise _Wrong(f"no whole sentence: {problem}") from problem
        return str(problem)
    raise _Wrong("it was not refused")


def _must(so: bool, what: str) -> None:
    if not so:
        raise _Wrong(what)


# ---------------------------------------------------------------- while it is open
@contextmanager
def _open(folder: Path) -> Iterator[tuple[Path, ProjectFile]]:
    path = _made(folder)
    file = open_project_file(path)
    try:
        project_text.save_text(file, 1, OPENING + _LATER)
        yield path, file
        # whatever happened: the same open project goes on
        project_text.save_text(file, 1, OPENING + _LATER * 2)
    finally:
        file.close()
    _must(read_project(path).text == OPENING + _LATER * 2, "the text is another one at the end")


def _another_file(file: ProjectFile, path: Path, put: Callable[[Path], object]) -> None:
    """Have something else lie where the project was; nothing may be written to it, or to nowhere."""
    aside = path.with_name("aside.quire")
    path.rename(aside)
    put(path)
    before = path.read_bytes() if path.is_file() else None
    _refused(lambda: project_text.save_text(file, 1, "Lost."))
    _must((path.read_bytes() if path.is_file() else None) == before, "the other file was changed")
    if path.exists():
        path.unlink()
    aside.rename(path)


def removed(folder: Path) -> None:
    """The file is moved away, and comes back."""
    with _open(folder) as (path, file):
        _another_file(file, path, lambda _path: None)


def replaced(folder: Path) -> None:
    """Another project comes in its place, as a program that copies folders to other computers may do."""
    (folder / "other").mkdir()
    other = _made(folder / "other", "Somebody else's text.")
    with _open(folder) as (path, file):
        _another_file(file, path, lambda place: shutil.copyfile(other, place))


def folder_moved(folder: Path) -> None:
    """The folder gets another name, and its own again."""
    inside = folder / "inside"
    inside.mkdir()
    with _open(inside) as (_path, file):
        inside.rename(folder / "elsewhere")
        _refused(lambda: project_text.save_text(file, 1, "Lost."))
        (folder / "elsewhere").rename(inside)


def locked_by_another_program(folder: Path) -> None:
    """Another program holds SQLite's lock for longer than Quire waits."""
    with _open(folder) as (path, file), closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        _refused(lambda: project_text.save_text(file, 1, "Lost."))
        _must(_text_of(file) == OPENING + _LATER, "reading must go on")
        other.execute("ROLLBACK")


def open_in_another_quire(folder: Path) -> None:
    """A second Quire is told who has it."""
    with _open(folder) as (path, _file):
        said = _refused(lambda: open_project_file(path))
        _must("already open" in said, f"it does not say that it is open: {said}")
        _refused(lambda: read_project(path))


def read_only_while_open(folder: Path) -> None:
    """File and folder may not be written to any more; then they may again."""
    with _open(folder) as (_path, file), ReadOnly(folder).now():
        with contextlib.suppress(WriterProblem):  # what is open already may still be written to
            project_text.save_text(file, 1, OPENING + _LATER)
        _must(_text_of(file) == OPENING + _LATER, "reading must go on")


# ---------------------------------------------------------------- before it is opened
def read_only(folder: Path) -> None:
    """A project on media that nobody can write to is read, and is not opened to work on."""
    path = _made(folder)
    before = path.read_bytes()
    with ReadOnly(folder).now():
        _must(read_project(path).text == OPENING, "it cannot be read")
        _refused(lambda: open_project_file(path))
    _must(path.read_bytes() == before, "it was changed")


def newer(folder: Path) -> None:
    """A project of a newer Quire is refused by what writes, and not touched."""
    path = _made(folder)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    said = _refused(lambda: open_project_file(path))
    _must("newer" in said, f"it does not say that it is newer: {said}")
    _must(read_project(path).text == OPENING, "it cannot be read")
    _must(path.read_bytes() == before, "it was changed")


def missing(folder: Path) -> None:
    """There is no file, or no folder."""
    _refused(lambda: open_project_file(folder / NAME))
    _refused(lambda: _made(folder / "nowhere"))
    _must(list(folder.iterdir()) == [], "something was left behind")


def there_already(folder: Path) -> None:
    """A new project never takes the place of anything."""
    path = folder / NAME
    path.write_text("My only copy.", encoding="utf-8")
    _refused(lambda: _made(folder))
    _must(path.read_text(encoding="utf-8") == "My only copy.", "it was written over")


# ---------------------------------------------------------------- the clock
@contextmanager
def clock(by: timedelta) -> Iterator[None]:
    """Have the clock go another way for everything in Quire."""

    class Shifted(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return super().now(tz) + by

    changed = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("quire.") and name != __name__ and getattr(module, "datetime", None) is datetime
    ]
    for module in changed:
        module.datetime = Shifted  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in changed:
            module.datetime = datetime  # type: ignore[attr-defined]


def clock_goes_back(folder: Path) -> None:
    """The clock goes back a year in the middle of the work: backups are made, and the newest stays."""
    path = _made(folder)
    texts = [OPENING]
    for days in (0, -365, -364, 0, 3650, 0):
        with clock(timedelta(days=days)):
            file = open_project_file(path)
            try:
                texts.append(texts[-1] + _LATER)
                project_text.save_text(file, 1, texts[-1])
                made = file.back_up(Reason.CLOSING)
            finally:
                file.close()
            _must(made is not None, f"no backup was made with the clock off by {days} days")
            _must(made is not None and made.exists(), "the backup made last was deleted at once")
            good = last_good_backup(path)
            _must(good is not None and good.path == made, "the backup made last is not the last good one")
    _must(read_project(path).text == texts[-1], "the text is another one")


EVENTS: dict[str, Callable[[Path], None]] = {
    "removed while open": removed,
    "replaced while open": replaced,
    "folder moved while open": folder_moved,
    "locked by another program": locked_by_another_program,
    "open in another Quire": open_in_another_quire,
    "read-only while open": read_only_while_open,
    "read-only media": read_only,
    "written by a newer Quire": newer,
    "missing": missing,
    "in the place of another file": there_already,
    "the clock goes back a year": clock_goes_back,
}
"""What happens; a function that raises tells what was wrong."""
_NOT_ON_WINDOWS = {
    "removed while open", "replaced while open", "folder moved while open", "read-only while open",
    "read-only media",
}  # fmt: skip  # an open file cannot be moved there, nor a folder be made read-only


def happen(what: str) -> CheckResult:
    """Let one of EVENTS happen to a project of its own."""
    with tempfile.TemporaryDirectory(prefix="quire-place-") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        try:
            EVENTS[what](folder)
        except _Wrong as wrong:
            return CheckResult(what, str(wrong))
        except Exception as error:  # noqa: BLE001  that is what is looked for
            return CheckResult(what, repr(error))
    return CheckResult(what)


def events() -> Iterator[CheckResult]:
    """Let everything happen once that can happen on this system."""
    for what in EVENTS:
        if sys.platform != "win32" or what not in _NOT_ON_WINDOWS:
            yield happen(what)

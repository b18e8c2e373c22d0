"""A folder with a few projects, in which everything happens that can happen to their files; and its model."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project, restored
from quire.services.transactions.project_creation import create_cut
from quire.storage.project_file import create_project_file, open_project_file
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import ModelIdentity
from quire_engine.api.user_message import UserMessage
from tests.proofs.app.walk_model import Content, Inode, Log, Place, Record, Session, lacks

NAMES = ("a.quire", "b.quire", "c.quire")
_MODEL = ModelIdentity("proof", "f" * 64, "bfloat16", 8, "none", "t" * 64, 16_384, "newest half")
_ASIDE = ".quire-log"


class Wrong(Exception):
    """Not as the model says."""


class World:
    """The folder and the model of it; every method named in STEPS is a step, of one name and another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places = {name: Place() for name in NAMES}
        self._backups: dict[str, list[tuple[Path, Content]]] = {name: [] for name in NAMES}
        self._aside: dict[Path, bytes] = {}
        self._lives = self._versions = self._words = 0

    # ------------------------------------------------------------ the steps
    def create(self, name: str, _other: str) -> None:
        """Make a new project."""
        self._new(name, imported=False)

    def import_text(self, name: str, _other: str) -> None:
        """Import a manuscript under a name."""
        self._new(name, imported=True)

    def open(self, name: str, _other: str) -> None:
        """Open a project to work on it, or try to."""
        place = self.places[name]
        if place.session is None and self._is_open_elsewhere(place):
            return
        if place.session is not None or place.inode is None or self._links(place.inode) > 1:
            _refused(lambda: open_project_file(self._path(name)).close())
            return
        if not self._gets_its_log(name, place):
            return
        log, foreign, may_tell = self._log_bytes(name), place.has_foreign_log, self._may_tell(place)
        file = open_project_file(self._path(name))
        place.session = session = Session(file, place.inode, place.inode.content, place.inode.content)
        with file.reading() as unit:
            is_drafting = any(run.state is RunState.RUNNING for run in unit.runs.all())
        opened = project_text.open_and_recover(file)
        found = replace(self._found(place, opened.document.text), is_drafting=is_drafting)
        self._check_notices(place, found, file.notices, foreign=foreign, may_tell=may_tell)
        if foreign and log not in [
            content for path, content in self.files().items() if path.suffix == _ASIDE
        ]:
            raise Wrong("the log of another life was not kept")
        if not self._log_bytes(name):
            place.log = None
        session.on_file = place.inode.content = replace(place.inode.content, is_sealed=False)
        place.inode.promised = found.text
        session.content, session.num_runs = replace(found, is_sealed=False), len(opened.runs)
        if is_drafting:  # what the run had drafted became part of the text
            self._committed(place, session, replace(session.content, is_drafting=False))

    def write(self, name: str, _other: str) -> None:
        """Write some words and save them."""
        place = self.places[name]
        session = place.session
        if session is None:
            return
        if session.run is not None:
            run = session.run
            ended = self._saves(
                name,
                lambda: project_text.merge_drafted_text(session.file, run.moved_to(RunState.PAUSED), None),
            )
            if not ended:
                return
            session.run = None
            self._committed(place, session, replace(session.content, is_drafting=False))
        text = session.content.text + self._prose(1 + self._words % 60)
        if self._saves(name, lambda: project_text.save_text(session.file, 1, text)):
            self._committed(place, session, replace(session.content, text=text))

    def draft(self, name: str, _other: str) -> None:
        """Draft a little more; the run is not ended."""
        place = self.places[name]
        session = place.session
        if session is None:
            return
        if session.run is None and not self._begin(name, place, session):
            return
        assert session.run is not None
        text = self._prose(1 + self._words % 9)
        words = len(text.split())
        chunk = Chunk(tuple(range(words)), text, session.run.num_words + words, 1, 5.0)
        run = session.run.grown_by(chunk)
        if self._saves(name, lambda: project_text.append(session.file, run, chunk)):
            session.run = run
            self._committed(place, session, replace(session.content, text=session.content.text + text))

    def back_up(self, name: str, _other: str) -> None:
        """Make a backup of an open project."""
        session = self.places[name].session
        if session is None:
            return
        made: list[Path | None] = []
        if self._saves(name, lambda: made.append(session.file.back_up(Reason.ASKED))):
            assert made[0] is not None
            self._backups[name].append((made[0], replace(session.content, is_sealed=True)))

    def save_as(self, name: str, other: str) -> None:
        """Save an open project under another name."""
        session = self.places[name].session
        if session is None or name == other:
            return
        target = self.places[other]
        if target.inode is not None or target.session is not None:
            _refused(lambda: session.file.copy_to(self._path(other)))
            return
        try:
            session.file.copy_to(self._path(other))
        except WriterProblem:
            if not session.is_overwritten:
                raise Wrong("what is open could not be saved under another name") from None
            return
        self._appeared(target, replace(session.content, is_sealed=True))

    def close(self, name: str, _other: str) -> None:
        """Close a project."""
        place = self.places[name]
        session = place.session
        if session is None:
            return
        place.session, has_said = None, False
        try:
            session.file.close()
        except WriterProblem:
            has_said = True
        if place.inode is session.inode and not session.is_overwritten:
            session.inode.content, place.log = session.content, None
        elif not has_said and lacks(session.inode.content.text, session.content.text):
            raise Wrong("closing it lost something, and nothing was said")
        session.inode.promised = session.inode.content.text  # what is missing was told
        if place.log is None:
            place.record = None

    def kill(self, name: str, _other: str) -> None:
        """Have the process that has a project open be killed."""
        place = self.places[name]
        session = place.session
        if session is None:
            return
        before = self.files()
        place.session = None
        with contextlib.suppress(WriterProblem):
            session.file.close()
        for path in self.files().keys() - before.keys():
            path.unlink()
        for path, content in before.items():
            if not path.exists() or path.read_bytes() != content:
                _write_in_place(path, content)

    # ------------------------------------------------------------ what happens to files
    def delete(self, name: str, _other: str) -> None:
        """Delete the file; what is beside it stays."""
        if self.places[name].inode is not None:
            self._path(name).unlink()
            self.places[name].inode = None

    def copy_over(self, name: str, other: str) -> None:
        """Copy the file over another one, which keeps its place on the disk."""
        source, target = self.places[name], self.places[other]
        if source.inode is None or source.inode is target.inode:
            return
        shutil.copyfile(self._path(name), self._path(other))
        if target.inode is None:
            self._appeared(target, source.inode.content)
        else:
            target.inode.content = source.inode.content
            target.inode.promised = source.inode.content.text

    def replace(self, name: str, other: str) -> None:
        """Put a copy of the file in the place of another one."""
        source, target = self.places[name], self.places[other]
        if source.inode is None or name == other:
            return
        new = self.folder / "copy.tmp"
        shutil.copyfile(self._path(name), new)
        new.replace(self._path(other))
        self._appeared(target, source.inode.content)

    def rename(self, name: str, other: str) -> None:
        """Give the file another name, in the place of what has it; what is beside it stays."""
        source, target = self.places[name], self.places[other]
        if source.inode is None or source.inode is target.inode:
            return
        self._path(name).replace(self._path(other))
        target.inode, source.inode = source.inode, None

    def move(self, name: str, other: str) -> None:
        """Give a closed project another name, with the log beside it."""
        source, target = self.places[name], self.places[other]
        if source.inode is None or target.inode is not None or source.session or target.session:
            return
        for suffix in ("", "-wal", "-shm"):
            path = self._path(name + suffix)
            if path.exists():
                path.replace(self._path(other + suffix))
        target.inode, source.inode = source.inode, None
        if source.log is not None:
            target.log, source.log = source.log, None

    def link(self, name: str, other: str) -> None:
        """Give the file a second name."""
        source, target = self.places[name], self.places[other]
        if source.inode is not None and target.inode is None:
            os.link(self._path(name), self._path(other))
            target.inode = source.inode

    def lose_log(self, name: str, _other: str) -> None:
        """Delete the log."""
        place, path = self.places[name], self._path(f"{name}-wal")
        if not path.exists():
            return
        path.unlink()
        place.log = None
        if place.session is not None:
            place.session.has_lost_log = True

    def cut_log(self, name: str, other: str) -> None:
        """Cut the log of a killed project short."""
        place, path = self.places[name], self._path(f"{name}-wal")
        if place.session is None and place.log is not None:
            content = path.read_bytes()
            path.write_bytes(content[: len(content) * (1 + NAMES.index(other)) // 4])
            place.log.is_cut = True

    def restore(self, name: str, other: str) -> None:
        """Restore the newest backup, and put it in the place of a file."""
        place, target = self.places[name], self.places[other]
        life = None if place.inode is None else place.inode.content.life
        if place.log is not None and place.inode is not None:
            life = place.contents[-1].life
        own = [content for _, content in self._backups[name] if life in (None, content.life)]
        if not own:
            _refused(lambda: restored(self._path(name)))
            return
        path, _ = restored(self._path(name))
        found = read_project(path).text
        if found.strip() != own[-1].text.strip():
            raise Wrong(f"restored: {_end(found)} instead of {_end(own[-1].text)}")
        path.replace(self._path(other))
        self._appeared(target, own[-1])

    def read(self, name: str, _other: str) -> None:
        """Read a project without changing anything."""
        place, path = self.places[name], self._path(name)
        if place.session is None and self._is_open_elsewhere(place):
            return
        if place.session is not None or place.inode is None:
            _refused(lambda: read_project(path))
            return
        before = self.files()
        overview = read_project(path)
        found = self._found(place, overview.text)
        self._check_notices(
            place, found, overview.notices, foreign=place.has_foreign_log, may_tell=self._may_tell(place)
        )
        if _lasting(self.files()) != _lasting(before):
            raise Wrong("reading it changed something")

    def end(self) -> None:
        """Close what is open without a look at it."""
        for place in self.places.values():
            if place.session is not None:
                with contextlib.suppress(WriterProblem):
                    place.session.file.close()

    # ------------------------------------------------------------ what must hold after each step
    def check(self, touched: tuple[str, str], before: dict[Path, bytes]) -> None:
        """Compare the folder with the model after a step."""
        now = self.files()
        for name, place in self.places.items():
            if place.session is None and bool(self._log_bytes(name)) != (place.log is not None):
                raise Wrong(f"{name} {'has no' if place.log else 'has a'} log")
            if self._path(name).exists() != (place.inode is not None):
                raise Wrong(f"{name} {'is' if place.inode is None else 'is not'} there")
            if name not in touched and now.get(self._path(name)) != before.get(self._path(name)):
                inodes = [self.places[other].inode for other in touched]
                opened = [one.session.inode for one in self.places.values() if one.session]
                if place.inode not in inodes and place.inode not in opened:
                    raise Wrong(f"{name} was changed, and nobody touched it")
        for path, content in self._aside.items():
            if now.get(path) != content:
                raise Wrong(f"{path.name}, which was moved aside, is not there any more")
        self._aside = {path: content for path, content in now.items() if path.name.endswith(_ASIDE)}
        if left := [path.name for path in now if path.name.endswith((".new", ".part", ".tmp"))]:
            raise Wrong(f"left behind: {left}")

    # ------------------------------------------------------------ the model
    def _gets_its_log(self, name: str, place: Place) -> bool:
        """Do as is said of a project that was renamed without its log; return whether it can be opened."""
        assert place.inode is not None
        content, has_own = (
            place.inode.content,
            place.log is not None and place.log.belongs(place.inode.content),
        )
        for other, left in self.places.items():
            is_left = left.inode is None and left.log is not None and left.log.belongs(content)
            if has_own or not is_left or left.log is None or left.log.commits[-1].version == content.version:
                continue
            path = self._path(f"{other}-wal")
            if left.log.is_cut:  # nobody knows whether anything of it is left
                if left.session is not None:
                    return False
                path.unlink()
                left.log, place.inode.promised = None, content.text
                continue
            said = _refused(lambda: open_project_file(self._path(name)).close())
            if path.name not in said:
                raise Wrong(f"it does not say where its log is: {said}")
            if left.session is not None:
                return False
            path.replace(self._path(f"{name}-wal"))
            place.log, left.log = left.log, None
            has_own = True
        return True

    def _new(self, name: str, *, imported: bool) -> None:
        place, path = self.places[name], self._path(name)
        self._lives += 1
        title, text = f"Life {self._lives}", f"Life {self._lives} begins. " + self._prose(5)

        def made() -> tuple[UserMessage, ...]:
            if imported:
                return create_cut(path, title, text)
            project = Project(title, datetime.now(UTC))
            return create_project_file(path, project, Document(1, title, text))

        if place.inode is not None or place.session is not None:
            _refused(made)
            return
        log, notices = self._log_bytes(name), made()
        if log and (not notices or log not in self.files().values()):
            raise Wrong("the log of another life was not kept, or nothing was said of it")
        self._versions += 1
        self._appeared(place, Content(self._versions, self._lives, text))
        place.log = place.record = None

    def _appeared(self, place: Place, content: Content) -> None:
        place.inode = Inode(content, content.text)

    def _committed(self, place: Place, session: Session, content: Content) -> None:
        """Note a commit: the first one goes into the file at once, the others into the log."""
        self._versions += 1
        content = session.content = replace(content, version=self._versions, is_sealed=False)
        if not session.has_committed:
            session.inode.content = session.on_file = content
            place.log, session.has_committed = None, True
        else:
            commits = [] if place.log is None else place.log.commits
            place.log = Log(session.on_file.version, [*commits, content])
        session.inode.promised = content.text
        place.record = Record(content.life, content.version)

    def _begin(self, name: str, place: Place, session: Session) -> bool:
        session.num_runs += 1
        run = Run(session.num_runs, 1, SamplingConfig(seed=session.num_runs), 500, "b", "b", model=_MODEL)
        run = run.moved_to(RunState.RUNNING)
        if not self._saves(name, lambda: project_text.begin_run(session.file, run)):
            session.num_runs -= 1
            return False
        self._committed(place, session, replace(session.content, is_drafting=True))
        run = replace(run, num_prompt=40)
        project_text.save_prompt(session.file, run, tuple(range(40)))
        self._committed(place, session, session.content)
        session.run = run
        return True

    def _saves(self, name: str, work: Callable[[], object]) -> bool:
        """Save something, or be refused because of what happened to the file; return whether it was saved."""
        place = self.places[name]
        session = place.session
        assert session is not None
        is_disturbed = (
            place.inode is not session.inode or self._links(session.inode) > 1 or session.has_lost_log
        )
        if is_disturbed:
            _refused(work)
            return False
        if not session.is_overwritten:
            work()
            return True
        now = session.inode.content
        is_own = place.log is not None and now.version in {one.version for one in place.log.commits}
        try:
            work()
        except WriterProblem:
            return False
        if not is_own and now.version != session.on_file.version:
            raise Wrong("it was saved into a file that was overwritten")
        session.on_file = now  # a copy of what it may hold by now
        return True

    def _found(self, place: Place, text: str) -> Content:
        """Return what was found; it must be what the model expects."""
        for content in reversed(place.contents):
            if content.text.strip() == text.strip():
                return content
        raise Wrong(f"another text: {_end(text)} instead of {' or '.join(map(_end, place.expected))}")

    def _check_notices(
        self, place: Place, found: Content, notices: tuple[UserMessage, ...], *, foreign: bool, may_tell: bool
    ) -> None:
        said = " ".join(map(str, notices))
        if foreign and "not used" not in said:
            raise Wrong(f"nothing is said of the log of another life: {said!r}")
        assert place.inode is not None
        if lacks(found.text, place.inode.promised) and not said and not self._is_elsewhere(place):
            raise Wrong(
                f"{_end(place.inode.promised)} was saved, {_end(found.text)} is there, and nothing is said"
            )
        if said and not foreign and not may_tell:
            raise Wrong(f"a false alarm: {said}")

    def _may_tell(self, place: Place) -> bool:
        """Return whether there is a reason to say something, beside a log of another life."""
        if place.inode is None:
            return False
        content, versions = place.inode.content, {found.version for found in place.contents}
        left = [one for one in self.places.values() if one.inode is None]
        records = [one.record for one in (place, *left) if one.record is not None]
        if any(record.life == content.life and versions != {record.version} for record in records):
            return True
        is_cut = place.log is not None and place.log.is_cut
        return is_cut or any(one.log is not None and one.log.belongs(content) for one in left)

    def _is_elsewhere(self, place: Place) -> bool:
        """Return whether another name of the file, or a copy, has what is beside it."""
        assert place.inode is not None
        others = [one for one in self.places.values() if one is not place and one.inode is not None]
        version = place.inode.content.version
        return any(
            one.inode.content.version == version and (one.log or one.record) for one in others if one.inode
        )

    def _is_open_elsewhere(self, place: Place) -> bool:
        """Return whether a file is open under a name that it had; two processes would be needed for that."""
        return any(
            one.session is not None and one.session.inode is place.inode for one in self.places.values()
        )

    def _links(self, inode: Inode) -> int:
        return sum(1 for place in self.places.values() if place.inode is inode)

    def _prose(self, num_words: int) -> str:
        self._words += 1
        return " ".join(f"w{self._words}.{number}" for number in range(num_words)) + ". "

    # ------------------------------------------------------------ the folder
    def _path(self, name: str) -> Path:
        return self.folder / name

    def _log_bytes(self, name: str) -> bytes:
        path = self._path(f"{name}-wal")
        return path.read_bytes() if path.exists() else b""

    def files(self) -> dict[Path, bytes]:
        """Return what every file in the folder holds."""
        return {
            path: path.read_bytes()
            for path in self.folder.iterdir()
            if path.is_file() and not path.name.endswith(".spare")
        }


def _refused(work: Callable[[], object]) -> str:
    """Do something that must be refused with a whole sentence, and return it."""
    try:
        work()
    except WriterProblem as problem:
        if not str(problem).endswith("."):
            raise Wrong(f"no whole sentence: {problem}") from problem
        return str(problem)
    raise Wrong("it was not refused")


def _lasting(files: dict[Path, bytes]) -> dict[Path, bytes]:
    """Leave out what is worth nothing once a process has ended."""
    return {
        path: content
        for path, content in files.items()
        if content and path.suffix != ".lock" and not path.name.endswith("-shm")
    }


def _write_in_place(path: Path, content: bytes) -> None:
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(content)
        file.truncate()


def _end(text: str) -> str:
    return f"…{text.strip()[-30:]!r} ({len(text.split())} words)"

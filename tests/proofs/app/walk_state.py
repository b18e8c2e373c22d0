"""A folder with a few projects, and the model of what its files must hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.manuscript import Document, Project
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.services.transactions.project_creation import create_cut
from quire.storage.project_file import create_project_file, open_project_file
from quire_engine.api.config import SamplingConfig
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.user_message import UserMessage
from tests.proofs.app.walk_model import Content, Inode, Log, Place, Record, Session, lacks

NAMES = ("a.quire", "b.quire", "c.quire")
_MODEL = ModelIdentity("proof", "f" * 64, "bfloat16", 8, "none", "t" * 64, 16_384, "newest half")
ASIDE = ".quire-log"


class Wrong(Exception):
    """Not as the model says."""


class WalkState:
    """The folder and the model of it, and what must hold of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places = {name: Place() for name in NAMES}
        self._backups: dict[str, list[tuple[Path, Content]]] = {name: [] for name in NAMES}
        self._aside: dict[Path, bytes] = {}
        self._lives = self._versions = self._words = 0

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
        self._aside = {path: content for path, content in now.items() if path.name.endswith(ASIDE)}
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
            said = refused(lambda: open_project_file(self._path(name)).close())
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
            refused(made)
            return
        log, notices = self._log_bytes(name), made()
        if log and (not notices or log not in self.files().values()):
            raise Wrong("the log of another life was not kept, or nothing was said of it")
        self._was_told(place.log)
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
            refused(work)
            return False
        if not session.is_overwritten:
            work()
            return True
        now = session.inode.content
        try:
            work()
        except WriterProblem:
            return False
        if not session.has_own_commit(place.log):
            raise Wrong("it was saved into a file that was overwritten")
        session.on_file = now  # a copy of what it may hold by now
        return True

    def _found(self, place: Place, text: str) -> Content:
        """Return what was found; it must be what the model expects."""
        for content in reversed(place.contents):
            if content.text.strip() == text.strip():
                return content
        raise Wrong(f"another text: {end_of(text)} instead of {' or '.join(map(end_of, place.expected))}")

    def _check_notices(
        self, place: Place, found: Content, notices: tuple[UserMessage, ...], *, foreign: bool, may_tell: bool
    ) -> None:
        said = " ".join(map(str, notices))
        if foreign and "not used" not in said:
            raise Wrong(f"nothing is said of the log of another life: {said!r}")
        assert place.inode is not None
        if lacks(found.text, place.inode.promised) and not said and not self._is_elsewhere(place):
            raise Wrong(
                f"nothing is said: {end_of(place.inode.promised)} was saved, {end_of(found.text)} is there"
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

    def _was_told(self, log: Log | None) -> None:
        """Note that the writer was told where a log is kept that does not belong to the file beside it."""
        inodes = [place.inode for place in self.places.values() if place.inode is not None]
        for inode in inodes:
            if log is not None and log.belongs(inode.content):
                inode.promised = inode.content.text

    def _is_back(self, found: Content) -> None:
        """Note that what was saved is there, under this name or another."""
        inodes = [place.inode for place in self.places.values() if place.inode is not None]
        for inode in inodes:
            if inode.content.life == found.life and not lacks(found.text, inode.promised):
                inode.promised = inode.content.text

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


def refused(work: Callable[[], object]) -> str:
    """Do something that must be refused with a whole sentence, and return it."""
    try:
        work()
    except WriterProblem as problem:
        if not str(problem).endswith("."):
            raise Wrong(f"no whole sentence: {problem}") from problem
        return str(problem)
    raise Wrong("it was not refused")


def lasting(files: dict[Path, bytes]) -> dict[Path, bytes]:
    """Leave out what is worth nothing once a process has ended."""
    return {
        path: content
        for path, content in files.items()
        if content and path.suffix != ".lock" and not path.name.endswith("-shm")
    }


def write_in_place(path: Path, content: bytes) -> None:
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(content)
        file.truncate()


def end_of(text: str) -> str:
    return f"…{text.strip()[-30:]!r} ({len(text.split())} words)"

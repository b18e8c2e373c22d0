"""A folder with a few projects, in which everything happens that can happen to their files; and its model."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import replace
from pathlib import Path

from quire.domain.drafting.run import Chunk, RunState
from quire.domain.manuscript.backup_rotation import Reason
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project, restored
from quire.storage.project_file import open_project_file
from tests.proofs.app.walk_model import Session, lacks
from tests.proofs.app.walk_state import (
    ASIDE,
    NAMES,
    WalkState,
    Wrong,
    end_of,
    lasting,
    refused,
    write_in_place,
)


class World(WalkState):
    """Every step that a walk can take, of one name and another."""

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
            refused(lambda: open_project_file(self._path(name)).close())
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
        if foreign and log not in [content for path, content in self.files().items() if path.suffix == ASIDE]:
            raise Wrong("the log of another life was not kept")
        if foreign:
            self._was_told(place.log)
        if not self._log_bytes(name):
            place.log = None
        self._is_back(found)
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
            refused(lambda: session.file.copy_to(self._path(other)))
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
        is_sound = not session.is_overwritten or (not has_said and session.has_own_commit(place.log))
        if place.inode is session.inode and is_sound:
            session.inode.content, place.log = session.content, None
        elif has_said or (session.is_overwritten and place.inode is not session.inode):
            pass  # what was written over by others and then moved is not looked at
        elif lacks(session.inode.content.text, session.content.text):
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
                write_in_place(path, content)

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
            refused(lambda: restored(self._path(name)))
            return
        path, _ = restored(self._path(name))
        found = read_project(path).text
        if found.strip() != own[-1].text.strip():
            raise Wrong(f"restored: {end_of(found)} instead of {end_of(own[-1].text)}")
        path.replace(self._path(other))
        self._appeared(target, own[-1])

    def read(self, name: str, _other: str) -> None:
        """Read a project without changing anything."""
        place, path = self.places[name], self._path(name)
        if place.session is None and self._is_open_elsewhere(place):
            return
        if place.session is not None or place.inode is None:
            refused(lambda: read_project(path))
            return
        before = self.files()
        overview = read_project(path)
        found = self._found(place, overview.text)
        self._check_notices(
            place, found, overview.notices, foreign=place.has_foreign_log, may_tell=self._may_tell(place)
        )
        if lasting(self.files()) != lasting(before):
            raise Wrong("reading it changed something")

    def end(self) -> None:
        """Close what is open without a look at it."""
        for place in self.places.values():
            if place.session is not None:
                with contextlib.suppress(WriterProblem):
                    place.session.file.close()

"""Watches the file of an open project: what happens to it from outside, and what has been saved.

SQLite keeps writing to a file that was moved, replaced or cut short, and says that all went well.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from quire.storage.commit_link import CommitLink
from quire.storage.problems import FileChanged
from quire.storage.saved_record import SavedRecord
from quire.storage.side_files import side_file

LOG_BYTES = 4 * 1024 * 1024
"""A log of this size is moved into the file."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a commit wrote, in characters.

    Attributes:
        in_texts: by which texts have grown.
        in_runs: in chunks of runs that are not part of a text yet.
        folded: whether earlier chunks have become part of a text.
    """

    in_texts: int = 0
    in_runs: int = 0
    folded: bool = False


class FileWatch:
    """Knows the file, its log and the last commit of a project that this process writes to.

    For the thread that writes.

    Args:
        link: of the last commit that there is; None in a new file.
        in_file: whether the file itself has it, and not only its log.

    Attributes:
        is_overwritten: whether the bytes of the file were found to be others than SQLite wrote.
    """

    def __init__(self, path: Path, link: CommitLink | None = None, *, in_file: bool = False) -> None:
        self._path = path
        self._place = path.stat()
        # SQLite made a log when it opened the file; it must not be gone by the first commit
        self._log = None if link is None else _stat(side_file(path, "-wal"))
        self._last = link
        self._may_hold = _tokens(link, None if in_file else _link_in(path))
        self._in_file_once = False
        self._unmerged_chars = 0
        self._record = None if link is None else SavedRecord(path)
        self.is_overwritten = False

    @property
    def _has_commits(self) -> bool:
        return self._log is not None and self._log.st_size > 0

    # ------------------------------------------------------------ before a commit
    def refuse_changed(self) -> None:
        """Raise FileChanged when the file is not the one that was opened, or not as it was left."""
        found = _stat(self._path)
        if found is None or not os.path.samestat(self._place, found):
            raise FileChanged(
                "{file} was moved, replaced or deleted while it was open. Put it back in {folder}, "
                "then try again, or save the project under another name.",
                file=self._path.name,
                folder=self._path.parent,
            )
        if found.st_nlink > 1:
            raise FileChanged(
                "{file} was given a second name (a hard link) while it was open. Delete that name, then try "
                "again, or save the project under another name.",
                file=self._path.name,
            )
        if _is_other(self._place, found):
            self._refuse_overwritten()
        if self._log_shrank():  # also when the file is in order
            self._refuse_overwritten()
        self._place = found

    def _log_shrank(self) -> bool:
        """Return whether the log lost something; raise FileChanged when it is gone."""
        if self._log is None:
            return False
        found = _stat(side_file(self._path, "-wal"))
        if found is None or not os.path.samestat(self._log, found):
            raise FileChanged(
                "The log of {file} was moved, replaced or deleted while the project was open. Save the "
                "project under another name.",
                file=self._path.name,
            )
        return found.st_size < self._log.st_size

    def _refuse_overwritten(self) -> None:
        """Raise FileChanged unless the file holds a commit that it may hold by now.

        Another program may have moved the log into the file, or only changed its times. A copy of the project
        that was worked on elsewhere counts its commits alike, but each has a token of its own.
        """
        link = _link_in(self._path)
        if link is not None and link.token in self._may_hold:
            return
        self.is_overwritten = True
        raise FileChanged(
            "{file} was cut short or overwritten by another program while it was open. Save the project "
            "under another name.",
            file=self._path.name,
        )

    # ------------------------------------------------------------ after a commit
    def committed(self, link: CommitLink, written: Written) -> None:
        """Note a commit that has reached the disk."""
        num_chars = written.in_texts + written.in_runs
        if written.folded:  # chunks that were counted before have become part of a text
            num_chars = max(0, num_chars - self._unmerged_chars)
            self._unmerged_chars = 0
        else:
            self._unmerged_chars += written.in_runs
        self._last = link
        self._may_hold.add(link.token)
        if self._record is not None:
            self._record.note(link, num_chars)
        self._log = _stat(side_file(self._path, "-wal"))

    @property
    def wants_checkpoint(self) -> bool:
        """Whether to move the log into the file now: it has grown long, or the file was not changed yet.

        The first commit goes into the file at once. So a copy that was made before differs from the file, and
        is not taken for it when it is put in its place.
        """
        return not self._in_file_once or (self._log is not None and self._log.st_size >= LOG_BYTES)

    def checkpointed(self) -> None:
        """Note that the whole log was moved into the file."""
        self._in_file_once = True
        self._may_hold = _tokens(self._last)
        self._note_places()

    def _note_places(self) -> None:
        self._place = _stat(self._path) or self._place
        self._log = _stat(side_file(self._path, "-wal"))

    # ------------------------------------------------------------ closing
    def lost_on_closing(self) -> FileChanged | None:
        """Return the problem when what was committed will not be in the file once it is closed."""
        try:
            self.refuse_changed()
        except FileChanged as problem:
            is_gone = not self._path.exists() or not os.path.samestat(self._place, self._path.stat())
            return problem if self.is_overwritten or (is_gone and self._has_commits) else None
        return None

    def close(self) -> None:
        """Let the record go; the file stays."""
        if self._record is not None:
            self._record.close()


def _tokens(*links: CommitLink | None) -> set[bytes]:
    return {link.token for link in links if link is not None}


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _is_other(before: os.stat_result, found: os.stat_result) -> bool:
    return (found.st_size, found.st_mtime_ns) != (before.st_size, before.st_mtime_ns)


def _link_in(path: Path) -> CommitLink | None:
    """Return the link in the file itself, without its log; through SQLite, which alone may open it now."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            (link,) = connection.execute("SELECT link FROM commit_chain").fetchone()
        return CommitLink.unpack(link)
    except (sqlite3.Error, TypeError, ValueError):
        return None

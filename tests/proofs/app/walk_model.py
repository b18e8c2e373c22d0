"""What each file of a walk must hold: the model that Quire is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field

from quire.domain.drafting.run import Run
from quire.storage.project_file import ProjectFile


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds without its log.

    Attributes:
        version: of the commit that was stored last.
        life: the project's, and that of all its copies.
        is_drafting: whether a run was interrupted; what it drafted is in the text.
        is_sealed: whether it is a backup's copy, which was never worked on: no log belongs to it.
    """

    version: int
    life: int
    text: str
    is_drafting: bool = False
    is_sealed: bool = False


@dataclass(slots=True)
class Inode:
    """A file, whatever its names are. promised: what was acknowledged as saved in it."""

    content: Content
    promised: str


@dataclass(slots=True)
class Log:
    """A log beside a file.

    Attributes:
        base: the version of the file that it continues.
        commits: as which it leaves the file, one after another.
        is_cut: whether its end was cut off.
    """

    base: int
    commits: list[Content] = field(default_factory=list)
    is_cut: bool = False

    def belongs(self, content: Content) -> bool:
        """Return whether it continues a file."""
        versions = {self.base, *(commit.version for commit in self.commits)}
        return content.version in versions and not content.is_sealed


@dataclass(slots=True)
class Session:
    """An open project.

    Attributes:
        inode: the one that was opened.
        on_file: what Quire left in it.
        content: what it holds with its log.
        has_committed: whether anything was, so that the file had its first commit at once.
        has_lost_log: whether its log was deleted.
    """

    file: ProjectFile
    inode: Inode
    on_file: Content
    content: Content
    run: Run | None = None
    num_runs: int = 0
    has_committed: bool = False
    has_lost_log: bool = False

    @property
    def is_overwritten(self) -> bool:
        """Whether something else was written into the file."""
        return self.inode.content != self.on_file

    def has_own_commit(self, log: Log | None) -> bool:
        """Return whether what was written into the file is a copy of one of the session's own commits."""
        commits = [] if log is None else log.commits
        return self.inode.content.version in {one.version for one in (self.on_file, *commits)}


@dataclass(frozen=True, slots=True)
class Record:
    """What the record beside a file that was not closed says was saved."""

    life: int
    version: int


@dataclass(slots=True)
class Place:
    """A name in the folder, and what is there."""

    inode: Inode | None = None
    log: Log | None = None
    record: Record | None = None
    session: Session | None = None

    @property
    def expected(self) -> set[str]:
        """What the file may show when it is opened."""
        return {content.text for content in self.contents}

    @property
    def contents(self) -> list[Content]:
        """What the file may hold when it is opened: one thing, unless its log was cut short."""
        assert self.inode is not None
        alone = self.inode.content
        if self.log is None or not self.log.belongs(alone):
            return [alone]
        return [alone, *self.log.commits] if self.log.is_cut else [self.log.commits[-1]]

    @property
    def has_foreign_log(self) -> bool:
        """Whether a whole log of another file is beside it."""
        return (
            self.inode is not None
            and self.log is not None
            and not self.log.is_cut
            and not self.log.belongs(self.inode.content)
        )


def lacks(text: str, promised: str) -> bool:
    """Return whether something that was promised is missing in a text."""
    return not text.strip().startswith(promised.strip())

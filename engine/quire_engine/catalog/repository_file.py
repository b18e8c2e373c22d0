"""A file of a repository on the hub."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file and its digest: sha256 of a large file, git_id of a small one.

    Attributes:
        name: in the folder that it is downloaded to.
        at: its place in the repository, where that is a folder's; empty if it is the name.
    """

    name: str
    size: int
    sha256: str = ""
    git_id: str = ""
    at: str = ""

    @property
    def path(self) -> str:
        """Its place in the repository."""
        return self.at or self.name

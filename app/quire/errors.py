"""Errors for the writer."""

from __future__ import annotations

from pathlib import Path

from quire_engine.api.errors import MessageError


class WriterProblem(MessageError):
    """A problem the writer has to know about, in a sentence or two: what happened and what to do."""


class SaveElsewhere(WriterProblem):
    """The file of the open project is not what it was; saving under another name loses nothing."""


class BackupThere(WriterProblem):
    """A project is damaged, and there is a good backup of it; damaged: the path of the project."""

    def __init__(self, template: str, /, *, damaged: Path, **arguments: object) -> None:
        super().__init__(template, **arguments)
        self.damaged = damaged

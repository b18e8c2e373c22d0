"""What reaches the writer."""

from __future__ import annotations

from pathlib import Path


class WriterProblem(Exception):
    """Something the writer has to know; the text is a sentence or two: what happened and what to do."""


class BackupThere(WriterProblem):
    """A project is damaged, and there is a good backup of it. damaged: where the project lies."""

    def __init__(self, sentence: str, damaged: Path) -> None:
        super().__init__(sentence)
        self.damaged = damaged

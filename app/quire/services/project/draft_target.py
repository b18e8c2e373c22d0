"""The text that a run is writing into."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from quire.domain.drafting.run import Run
from quire.domain.manuscript.manuscript import Document
from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage


class DraftInProgressError(WriterProblem):
    """A run writes into the text; what the writer changes in it has to be stored together with that."""

    def __init__(self) -> None:
        super().__init__(
            UserMessage("The manuscript cannot be changed while a draft is being written. Pause it first.")
        )


class ChapterAdvanced(Exception):
    """The run writes into another text by now; what was to be stored has to be looked at anew."""


@dataclass(slots=True)
class DraftTarget:
    """As far as it is stored; it need not be the text that is open.

    apart: the text was changed where the run has read it. num_stored: characters of this sitting of the run
    that are on the disk. lock: held while anything about it is stored.
    """

    run_id: int
    document: Document
    diverged: bool = False
    num_stored: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def as_it_stands(self, run: Run) -> Run:
        """Return the run with what whoever counts its words does not know."""
        if run.document_id == self.document.document_id:
            return replace(run, diverged=self.diverged)
        return replace(run, document_id=self.document.document_id, take_id=None, diverged=self.diverged)

    def after(self, num_shown: int) -> str:
        """Return what is stored of this sitting beyond its first num_shown characters."""
        beyond = self.num_stored - num_shown
        if beyond < 0:
            raise ValueError(f"{num_shown} characters were shown, {self.num_stored} are stored")
        return self.document.text[len(self.document.text) - beyond :]

    def append(self, text: str) -> None:
        """Take what was stored last."""
        self.document = self.document.drafted(text, self.run_id)
        self.num_stored += len(text)

    def edited(self, document: Document) -> None:
        """Take what the writer changed."""
        self.document, self.diverged = document, True

    def rename(self, title: str) -> None:
        """Take what the text is called by now."""
        self.document = replace(self.document, title=title)

    def turned_to(self, document: Document) -> None:
        """Take that the run writes on in another text."""
        self.document = document

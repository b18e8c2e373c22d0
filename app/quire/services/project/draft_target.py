"""The text that a run is writing into."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from quire.domain.drafting.run import Chunk, Run
from quire.domain.manuscript.manuscript import Document
from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage


class DraftInProgressError(WriterProblem):
    """A run writes into the text; the writer's changes to it have to be stored together with the draft."""

    def __init__(self) -> None:
        super().__init__(UserMessage("The manuscript can't be changed during a draft. Pause it first."))


class ChapterAdvanced(Exception):
    """The run now writes into another text; what was to be stored has to be checked again."""


@dataclass(slots=True)
class DraftTarget:
    """The text of a running run, as far as it is stored; another text may be open.

    Attributes:
        num_stored: characters on the disk that the run wrote since it was last started or resumed.
        unstored_prompt: what the run begins on, where it could not be stored yet.
        lock: held while anything of the text is stored.
    """

    run_id: int
    document: Document
    num_stored: int = 0
    unstored_prompt: tuple[int, ...] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def after(self, num_shown: int) -> str:
        """Return what is stored beyond the first num_shown characters that were written since the start."""
        beyond = self.num_stored - num_shown
        if beyond < 0:
            raise ValueError(f"{num_shown} characters were shown, {self.num_stored} are stored")
        return self.document.text[len(self.document.text) - beyond :]

    def append(self, text: str) -> None:
        """Append what was stored last."""
        self.document = self.document.drafted(text, self.run_id)
        self.num_stored += len(text)


@dataclass(frozen=True, slots=True)
class UnstoredEnd:
    """How a run ended, and its last words, while the disk is too full to store them."""

    run: Run
    chunk: Chunk | None
    prompt_ids: Sequence[int] | None

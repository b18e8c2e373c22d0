"""The writer's text and how it is told apart from another one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Project:
    """One project file; created is in UTC."""

    title: str
    created: datetime
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Document:
    """One text of the project."""

    document_id: int
    title: str
    text: str


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8; two texts are the same text when theirs are equal."""
    return hashlib.sha256(text.encode()).hexdigest()


def cleaned(text: str) -> str:
    """Return the text as the project keeps it: newlines as \\n, and only characters that UTF-8 can hold.

    A text area hands out UTF-16 and may pass on half of a surrogate pair.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_CHANGED_BY_TEXT_AREAS = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\0": "", "\ufdd0": "", "\ufdd1": ""})


class ArrivingText:
    """Makes text that a model writes, piece by piece, text that a text area hands out as it took it in.

    A run goes on only on the text it left: what the window would change would end every run.
    """

    def __init__(self) -> None:
        self._after_return = False

    def kept(self, piece: str) -> str:
        """Return the next piece as the project keeps it; a \\r\\n may lie across two pieces."""
        second_half = self._after_return and piece.startswith("\n")
        if piece:
            self._after_return = piece.endswith("\r")
        return cleaned(piece.removeprefix("\n") if second_half else piece).translate(_CHANGED_BY_TEXT_AREAS)

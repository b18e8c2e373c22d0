"""The writer's text, and how it is compared with another one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from quire.domain.manuscript.provenance import Origin, Provenance

_RIGHT_TO_LEFT = ("ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "syr", "ug", "ur", "yi")


@dataclass(frozen=True, slots=True)
class Project:
    """A project file; `created` is in UTC."""

    title: str
    created: datetime
    language: str = "en"
    author: str = ""

    @property
    def runs_right_to_left(self) -> bool:
        """Whether its language is written from right to left."""
        return is_right_to_left(self.language)


@dataclass(frozen=True, slots=True)
class Document:
    """A text of the project; `provenance` says who wrote which part of it, by default the writer."""

    document_id: int
    title: str
    text: str
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        if not self.provenance.spans:
            object.__setattr__(self, "provenance", Provenance.of(len(self.text), Origin.WRITTEN))
        if self.provenance.num_chars != len(self.text):
            raise ValueError(f"{len(self.text)} characters, but {self.provenance.num_chars} of known origin")

    def edited(self, text: str, origin: Origin = Origin.WRITTEN) -> Self:
        """Return the document with the text as the writer left it."""
        return replace(self, text=text, provenance=self.provenance.edited(self.text, text, origin))

    def drafted(self, text: str, run_id: int) -> Self:
        """Return the document with what a run wrote at its end."""
        if not text:
            return self
        grown = self.provenance.grown(len(text), Origin.DRAFTED, run_id)
        return replace(self, text=self.text + text, provenance=grown)

    def part(self, start: int, end: int) -> Self:
        """Return the document cut down to a part of its text."""
        return replace(self, text=self.text[start:end], provenance=self.provenance.part(start, end))

    def followed_by(self, text: str, provenance: Provenance) -> Self:
        """Return the document with a text and its provenance appended."""
        return replace(self, text=self.text + text, provenance=self.provenance + provenance)


def is_right_to_left(language: str) -> bool:
    """Return whether a language, by its tag, is written from right to left."""
    return language.lower().replace("_", "-").split("-")[0] in _RIGHT_TO_LEFT


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8; two texts are equal when theirs are."""
    return hashlib.sha256(text.encode()).hexdigest()


def cleaned(text: str) -> str:
    r"""Return the text as the project stores it: newlines as \n, and only characters that UTF-8 can hold.

    What a text area would change or drop is changed here, once; otherwise it would look like an edit.
    """
    return _kept(text).lstrip("\ufeff")


def _kept(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # a text area hands out UTF-16 and may pass on half of a surrogate pair
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.translate(_CHANGED_BY_TEXT_AREAS)


_DROPPED = "\0\ufdd0\ufdd1\ufffe"  # the last one would be read as a byte order mark, and all bytes swapped
_CHANGED_BY_TEXT_AREAS = str.maketrans({"\u2028": "\n", "\u2029": "\n"} | dict.fromkeys(_DROPPED, ""))


class ArrivingText:
    """Normalises generated text, piece by piece, to the text that a text area returns for it.

    A run can only be resumed on the text it left: a change by the text area would end every run.

    Args:
        after_return: the text before the first piece ended with a carriage return.
    """

    def __init__(self, *, after_return: bool = False) -> None:
        self._after_return = after_return

    def kept(self, piece: str) -> str:
        r"""Return the next piece as the project stores it; a \r\n may span two pieces."""
        second_half = self._after_return and piece.startswith("\n")
        if piece:
            self._after_return = piece.endswith("\r")
        # a text area drops a byte order mark where a piece begins, and pieces begin anywhere
        return _kept(piece.removeprefix("\n") if second_half else piece).replace("\ufeff", "")


class ShownText:
    """The text shown of a growing text, as far back as it may still be needed."""

    def __init__(self) -> None:
        self.num_chars = 0
        self._end = ""

    def show(self, text: str) -> None:
        """Add the text shown now."""
        self.num_chars += len(text)
        self._end = (self._end + text)[-_LOOKED_AT:]

    def after(self, num_chars: int) -> str:
        """Return what was shown after a number of characters; ValueError when that was dropped already."""
        beyond = self.num_chars - num_chars
        if not 0 <= beyond <= len(self._end):
            raise ValueError(f"{self.num_chars} characters were shown, {num_chars} asked for")
        return self._end[len(self._end) - beyond :]


_LOOKED_AT = 100_000

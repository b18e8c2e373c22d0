"""The writer's export choices, stored as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Self, TypeVar

_MAX_LINE = 200
_VERSION = 2
"""Since 2, comments are exported only where the writer has ticked them."""
_Choice = TypeVar("_Choice", bound=Enum)


class Scope(Enum):
    """What is exported. BOOK: the chosen chapters. TEXT: the open one. TAKE: the last one in it."""

    BOOK = "book"
    TEXT = "text"
    TAKE = "take"
    SELECTION = "selection"


class Format(Enum):
    """The file format; the values are the file name endings."""

    TXT = "txt"
    MD = "md"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    ODT = "odt"
    EPUB = "epub"
    RTF = "rtf"

    @property
    def has_pages(self) -> bool:
        """Whether it has a paper size."""
        return self in (Format.PDF, Format.DOCX, Format.ODT)

    @property
    def has_look(self) -> bool:
        """Whether it has a style."""
        return self not in (Format.TXT, Format.MD, Format.RTF)


class ExportStyle(Enum):
    """The visual style. MANUSCRIPT: as agents and editors want it, typewritten and double-spaced."""

    MANUSCRIPT = "manuscript"
    EBOOK = "ebook"
    PLAIN = "plain"


class Numbering(Enum):
    """Chapter headings. KEPT: their titles. NUMBERED: "Chapter 1: title". NUMBERS: "Chapter 1"."""

    KEPT = "kept"
    NUMBERED = "numbered"
    NUMBERS = "numbers"


class Separator(Enum):
    """The separator between scenes; the values are written as they are."""

    ASTERISKS = "* * *"
    HASH = "#"
    ASTERISM = "⁂"
    TILDE = "~"


class Paper(Enum):
    """The size of a page."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """How a book is exported.

    Attributes:
        chosen: the exported nodes, with everything below them; None for the whole book.
        closing_page: whether a last page says how much of it was drafted.
        comments: whether a Word document gets the open comments.
        author: on the title page and in the running head; empty: the project's.
        contact: lines below the author of a manuscript.
    """

    format: Format = Format.DOCX
    look: ExportStyle = ExportStyle.MANUSCRIPT
    title_page: bool = True
    numbering: Numbering = Numbering.KEPT
    separator: Separator = Separator.ASTERISKS
    paper: Paper = Paper.A4
    chosen: tuple[int, ...] | None = None
    scope: Scope = Scope.BOOK
    closing_page: bool = False
    comments: bool = False
    author: str = ""
    contact: str = ""

    @property
    def style(self) -> ExportStyle:
        """The style that the format gets: an EPUB is never typewritten."""
        is_typewritten = self.look is ExportStyle.MANUSCRIPT
        return ExportStyle.EBOOK if is_typewritten and self.format is Format.EPUB else self.look

    def to_json(self) -> str:
        """Return it as JSON."""
        values = {name: value.value if isinstance(value, Enum) else value for name, value in _items(self)}
        return json.dumps({"version": _VERSION, **values}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, paper: Paper = Paper.A4) -> Self:
        """Parse stored settings; missing or unknown values get their defaults.

        Args:
            paper: the default paper size.
        """
        new = cls(paper=paper)
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            return new
        if not isinstance(values, dict):
            return new
        chosen = values.get("chosen")
        are_ids = isinstance(chosen, list) and all(type(one) is int for one in chosen)
        return cls(
            _choice("format", Format, values, new.format),
            _choice("look", ExportStyle, values, new.look),
            _switch("title_page", values, new.title_page),
            _choice("numbering", Numbering, values, new.numbering),
            _choice("separator", Separator, values, new.separator),
            _choice("paper", Paper, values, new.paper),
            tuple(chosen or ()) if are_ids else None,
            _choice("scope", Scope, values, new.scope),
            _switch("closing_page", values, new.closing_page),
            values.get("version") == _VERSION and _switch("comments", values, new.comments),
            _line("author", values),
            _line("contact", values),
        )


def _items(recipe: ExportSettings) -> list[tuple[str, Any]]:
    return list(asdict(recipe).items())


def _switch(name: str, values: dict[str, Any], otherwise: bool) -> bool:
    value = values.get(name)
    return value if isinstance(value, bool) else otherwise


def _line(name: str, values: dict[str, Any]) -> str:
    value = values.get(name)
    return value[:_MAX_LINE] if isinstance(value, str) else ""


def _choice(name: str, kind: type[_Choice], values: dict[str, Any], otherwise: _Choice) -> _Choice:
    try:
        return kind(values.get(name))
    except (ValueError, TypeError):
        return otherwise

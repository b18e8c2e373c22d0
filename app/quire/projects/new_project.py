"""The data of a new project."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

from quire.domain.manuscript.outline_import import Outline, outline_of
from quire.domain.manuscript.project_file_names import SUFFIX, file_name_of
from quire_engine.metrics.word_count import count_words
from quire_resources import ROOT

TEMPLATES = ROOT / "templates"
LANGUAGES = {
    "en": "English",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "es": "Español",
    "fi": "Suomi",
    "fr": "Français",
    "hu": "Magyar",
    "it": "Italiano",
    "nb": "Norsk bokmål",
    "nl": "Nederlands",
    "pl": "Polski",
    "pt": "Português",
    "ru": "Русский",
    "sv": "Svenska",
    "tr": "Türkçe",
    "uk": "Українська",
}
"""The languages of a book by ISO 639-1, each by its own name; the first one is suggested."""
GOOD_OPENING_WORDS = 250
"""From about a page on a model picks up the voice of a text; less is never refused."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to create.

    Attributes:
        path: its file.
        title: its title.
        opening: its first text, may be empty.
        author: the author.
        language: of the book.
        outline: chapters to start with, None for one.
    """

    path: Path
    title: str
    opening: str = ""
    author: str = ""
    language: str = "en"
    outline: Outline | None = None


@dataclass(frozen=True, slots=True)
class OpeningLength:
    """The length of an opening.

    Attributes:
        num_words: its words.
    """

    num_words: int

    @property
    def is_short(self) -> bool:
        """Return whether to suggest a longer one; a short one is accepted all the same."""
        return 0 < self.num_words < GOOD_OPENING_WORDS

    @classmethod
    def of(cls, text: str) -> OpeningLength:
        """Return the length of a text."""
        return cls(count_words(text))


@cache
def templates() -> tuple[Outline, ...]:
    """Return the outlines that come with Quire, in the order of their files."""
    return tuple(outline_of(path.read_text(encoding="utf-8")) for path in sorted(TEMPLATES.glob("*.md")))


def blank_project(folder: Path, title: str) -> NewProject:
    """Return a project with an empty page; where its title is taken, a numbered one."""
    for number in count(1):
        name = title if number == 1 else f"{title} {number}"
        path = folder / (file_name_of(name) or f"{number}{SUFFIX}")
        if not path.exists():
            return NewProject(path, name)
    raise AssertionError("some number is free")


def sample_project(folder: Path, opening: str) -> NewProject:
    """Return the sample; its title is the first line of the opening, which may be marked as a heading."""
    first, _, rest = opening.strip("\ufeff").lstrip().partition("\n")
    title = first.lstrip("#").strip() or "Sample"
    return NewProject(folder / (file_name_of(title) or f"Sample{SUFFIX}"), title, rest.strip("\n"))

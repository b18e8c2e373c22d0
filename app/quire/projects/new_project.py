"""What a new project is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
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
"""What a book can be marked as written in, by ISO 639-1, each by its own name; the first one is suggested."""
GOOD_OPENING_WORDS = 250
"""From a page on a model finds the voice of a text; less is never refused."""


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to be made; the opening may be empty. outline: chapters to begin with, None for one."""

    path: Path
    title: str
    opening: str = ""
    author: str = ""
    language: str = "en"
    outline: Outline | None = None


@dataclass(frozen=True, slots=True)
class OpeningLength:
    """How long an opening is. is_short: a longer one would help; it may be begun with all the same."""

    num_words: int

    @property
    def is_short(self) -> bool:
        """Whether to suggest a longer one."""
        return 0 < self.num_words < GOOD_OPENING_WORDS

    @classmethod
    def of(cls, text: str) -> OpeningLength:
        """Return how long a text is."""
        return cls(count_words(text))


@cache
def templates() -> tuple[Outline, ...]:
    """Return the outlines that come with Quire, in the order of their files."""
    return tuple(outline_of(path.read_text(encoding="utf-8")) for path in sorted(TEMPLATES.glob("*.md")))


def sample_project(folder: Path, opening: str) -> NewProject:
    """Return the sample: its title is the first line of the opening, which may be marked as a heading."""
    first, _, rest = opening.strip("\ufeff").lstrip().partition("\n")
    title = first.lstrip("#").strip() or "Sample"
    return NewProject(folder / (file_name_of(title) or f"Sample{SUFFIX}"), title, rest.strip("\n"))

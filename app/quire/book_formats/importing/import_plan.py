"""What an import would make of a manuscript, for the preview and for the writer's choices."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from quire.book_formats.importing.pandoc_reader import Manuscript
from quire.domain.manuscript.chapter_splitting import TextSection, cut
from quire.domain.manuscript.tree import NodeKind
from quire_engine.metrics.word_count import count_words


class Division(Enum):
    """How a manuscript is divided. WHOLE: not at all, unless it is too long for one document."""

    CHAPTERS = "chapters"
    SCENES = "scenes"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class PreviewPiece:
    """A document of the preview."""

    kind: NodeKind
    title: str
    num_words: int


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """A manuscript as it was read, before it is imported; `previews` has one for each division."""

    path: Path
    manuscript: Manuscript
    previews: tuple[tuple[Division, tuple[PreviewPiece, ...]], ...] = ()

    @property
    def title(self) -> str:
        """Its own title, or else its file's name."""
        return self.manuscript.title or self.path.stem

    def pieces(self, division: Division = Division.CHAPTERS) -> tuple[PreviewPiece, ...]:
        """Return the documents of the import, in order."""
        return dict(self.previews)[division]


@dataclass(frozen=True, slots=True)
class ImportDecision:
    """The writer's choices for an import; `keeps_rest`: what was left out comes along as a note."""

    plan: ImportPlan
    division: Division
    title: str
    author: str
    keeps_rest: bool = False


def divided(text: str, division: Division) -> tuple[TextSection, ...]:
    """Return the sections of a manuscript, as they would be stored."""
    return cut(text, chapters=division is not Division.WHOLE, scenes=division is Division.SCENES)


def preview(text: str, division: Division) -> tuple[PreviewPiece, ...]:
    """Return the documents that a division would make."""
    pieces = divided(text, division)
    return tuple(PreviewPiece(one.kind, one.title, count_words(one.text)) for one in pieces)

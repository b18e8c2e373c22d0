"""Reads an outline of a book: its parts and chapters with a synopsis of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quire.domain.manuscript.tree import NodeKind

_KINDS = {"## ": NodeKind.PART, "### ": NodeKind.CHAPTER}


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A part or a chapter to be written; `synopsis` is what happens in it, or its purpose."""

    kind: NodeKind
    title: str
    synopsis: str = ""


@dataclass(frozen=True, slots=True)
class Outline:
    """A plan that a new book can begin with; `about` is a sentence on whom it suits."""

    name: str
    about: str
    entries: tuple[OutlineEntry, ...]

    @property
    def num_chapters(self) -> int:
        """How many chapters it has."""
        return sum(1 for entry in self.entries if entry.kind is NodeKind.CHAPTER)


def outline_of(text: str) -> Outline:
    """Return the outline in a text: `# its name`, `## a part`, `### a chapter`, each followed by its words.

    ValueError when it has no name or no chapter.
    """
    name, about = "", ""
    entries: list[OutlineEntry] = []
    for head, words in _sections(text):
        if head.startswith("# "):
            name, about = head[2:].strip(), words
        else:
            mark = next(mark for mark in _KINDS if head.startswith(mark))
            entries.append(OutlineEntry(_KINDS[mark], head[len(mark) :].strip(), words))
    outline = Outline(name, about, tuple(entries))
    if not name or not outline.num_chapters:
        raise ValueError(
            f"an outline needs a name and a chapter, this has {name!r} and {len(entries)} entries"
        )
    return outline


def _sections(text: str) -> Iterator[tuple[str, str]]:
    head, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith(("# ", "## ", "### ")):
            if head:
                yield head, _flowed(lines)
            head, lines = line, []
        else:
            lines.append(line)
    if head:
        yield head, _flowed(lines)


def _flowed(lines: list[str]) -> str:
    """Return lines as paragraphs; the line breaks of the file do not matter."""
    paragraphs = "\n".join(line.strip() for line in lines).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())

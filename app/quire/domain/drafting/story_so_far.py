"""Which synopses a draft is told: of chapters that the model no longer sees, and of those to come."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

IN_FULL = 3
"""So many of the newest chapters out of view are told in full; of older ones the first sentence."""
_SHORT_CHARS = 200
_SENTENCE = re.compile(r"\A.{20,}?[.!?…][”’\"')]*(?=\s|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ChapterSynopsis:
    """A chapter and what happens in it.

    Attributes:
        chars_after: characters of the story after its end; None for the drafted chapter and later ones.
        is_drafted: the draft writes in this one.
        is_models: the model summed it up, and nobody has changed that.
    """

    node_id: int
    title: str
    synopsis: str
    chars_after: int | None = None
    is_drafted: bool = False
    is_models: bool = False

    @property
    def is_planned(self) -> bool:
        """Whether it says what is to come: what a model summed up of the chapter being drafted does not."""
        return self.chars_after is None and not (self.is_drafted and self.is_models)

    def told(self, *, in_full: bool) -> str:
        """Return the paragraph about it."""
        text = " ".join(self.synopsis.split())
        if not in_full:
            first = _SENTENCE.match(text)
            text = text[:_SHORT_CHARS].rsplit(" ", 1)[0] + "…" if first is None else first[0]
        return f"{self.title.rstrip('.')}. {text}\n\n" if self.title else f"{text}\n\n"


@dataclass(frozen=True, slots=True)
class Told:
    """Paragraphs about chapters in reading order, and the chapters for which there was no room."""

    chapters: tuple[tuple[ChapterSynopsis, str], ...]
    left_out: tuple[ChapterSynopsis, ...]


def out_of_view(
    chapters: Iterable[ChapterSynopsis], view_chars: int, story_chars: int
) -> list[ChapterSynopsis]:
    """Return the chapters that the model no longer sees, in reading order.

    view_chars: how much of a story stays that is too long; one of up to twice that length is read whole.
    """
    if story_chars <= 2 * view_chars:
        return []
    return [
        one for one in chapters if one.chars_after is not None and one.chars_after >= view_chars and _has(one)
    ]


def planned(chapters: Iterable[ChapterSynopsis]) -> list[ChapterSynopsis]:
    """Return the chapters that are to come, the next one first."""
    return [one for one in chapters if one.is_planned and _has(one)]


def told_so_far(chapters: Sequence[ChapterSynopsis], room: int) -> Told:
    """Return what is told of chapters out of view in so many characters: the newest have priority."""
    found: list[tuple[ChapterSynopsis, str]] = []
    left_out: list[ChapterSynopsis] = []
    for number, one in enumerate(reversed(chapters)):
        text = one.told(in_full=number < IN_FULL)
        if len(text) <= room and not left_out:
            room -= len(text)
            found.append((one, text))
        else:
            left_out.append(one)
    return Told(tuple(reversed(found)), tuple(reversed(left_out)))


def told_plan(chapters: Sequence[ChapterSynopsis], room: int) -> Told:
    """Return what is told of chapters to come in so many characters: the next ones have priority."""
    found: list[tuple[ChapterSynopsis, str]] = []
    for number, one in enumerate(chapters):
        text = one.told(in_full=True)
        if len(text) > room:
            return Told(tuple(found), tuple(chapters[number:]))
        room -= len(text)
        found.append((one, text))
    return Told(tuple(found), ())


def synopsis_digest(synopsis: str) -> str:
    """Return a short digest of a synopsis, white space apart."""
    return hashlib.sha256(" ".join(synopsis.split()).encode()).hexdigest()[:16]


def _has(chapter: ChapterSynopsis) -> bool:
    return bool(chapter.synopsis.strip())

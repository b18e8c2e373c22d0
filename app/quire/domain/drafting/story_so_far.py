"""The synopses in a prompt: of chapters that the model no longer sees, and of those to come."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

IN_FULL = 3
"""Number of newest chapters out of view whose synopses are told in full; older ones get one sentence."""
NOTHING_TOLD = "-"
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
        """Whether it is a plan: a model's summary of the chapter being drafted is not."""
        return self.chars_after is None and not (self.is_drafted and self.is_models)

    def told(self, *, in_full: bool) -> str:
        """Return the paragraph about it."""
        text = " ".join(self.synopsis.split())
        if not in_full:
            first = _SENTENCE.match(text)
            text = text[:_SHORT_CHARS].rsplit(" ", 1)[0] + "…" if first is None else first[0]
        return f"{self.title.rstrip('.')}. {text}\n\n" if self.title else f"{text}\n\n"


@dataclass(frozen=True, slots=True)
class BookSynopsis:
    """The synopsis of a chapter as it is now; `is_models`: see ChapterSynopsis."""

    text: str
    is_models: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """Paragraphs about chapters in reading order, and the chapters for which there was no room."""

    chapters: tuple[tuple[ChapterSynopsis, str], ...]
    left_out: tuple[ChapterSynopsis, ...]


def out_of_view(
    chapters: Iterable[ChapterSynopsis], view_chars: int, story_chars: int
) -> list[ChapterSynopsis]:
    """Return the chapters with a synopsis that the model no longer sees, in reading order.

    view_chars: see Budget.
    """
    return [one for one in _gone(chapters, view_chars, story_chars) if _has(one)]


def planned(chapters: Iterable[ChapterSynopsis]) -> list[ChapterSynopsis]:
    """Return the chapters that are to come, the next one first."""
    return [one for one in chapters if one.is_planned and _has(one)]


def told_so_far(chapters: Sequence[ChapterSynopsis], room: int) -> Told:
    """Return the paragraphs about chapters out of view that fit the room; the newest have priority."""
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
    """Return the paragraphs about chapters to come that fit the room; the next ones have priority."""
    found: list[tuple[ChapterSynopsis, str]] = []
    for number, one in enumerate(chapters):
        text = one.told(in_full=True)
        if len(text) > room:
            return Told(tuple(found), tuple(chapters[number:]))
        room -= len(text)
        found.append((one, text))
    return Told(tuple(found), ())


def synopses_decided(
    chapters: Iterable[ChapterSynopsis], view_chars: int, story_chars: int
) -> tuple[tuple[int, str], ...]:
    """Return the chapters whose synopses shape the prompt, with a digest of each.

    The digest is NOTHING_TOLD for a chapter out of view without a synopsis, and "" for one to come without a
    synopsis of the writer's.
    """
    chapters = list(chapters)
    gone = {one.node_id for one in _gone(chapters, view_chars, story_chars)}
    found: list[tuple[int, str]] = []
    for one in chapters:
        if one.node_id in gone:
            found.append((one.node_id, synopsis_digest(one.synopsis) if _has(one) else NOTHING_TOLD))
        elif one.chars_after is None:
            is_told = _has(one) and one.is_planned
            found.append((one.node_id, synopsis_digest(one.synopsis) if is_told else ""))
    return tuple(found)


def has_changed(decided: Iterable[tuple[int, str]], now: Mapping[int, BookSynopsis]) -> bool:
    """Return whether a synopsis that shaped a run's prompt has changed since."""
    for node_id, digest in decided:
        one = now.get(node_id)
        current = "" if one is None or not one.text.strip() else synopsis_digest(one.text)
        if digest == "" and (one is None or one.is_models):
            continue  # a model's summary of a chapter that was to come is no plan
        if current != ("" if digest == NOTHING_TOLD else digest):
            return True
    return False


def synopsis_digest(synopsis: str) -> str:
    """Return a short digest of a synopsis, white space apart."""
    return hashlib.sha256(" ".join(synopsis.split()).encode()).hexdigest()[:16]


def _gone(
    chapters: Iterable[ChapterSynopsis], view_chars: int, story_chars: int
) -> Iterator[ChapterSynopsis]:
    if story_chars > 3 * view_chars:
        yield from (one for one in chapters if one.chars_after is not None and one.chars_after >= view_chars)


def _has(chapter: ChapterSynopsis) -> bool:
    return bool(chapter.synopsis.strip())

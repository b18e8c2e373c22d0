"""The heading that a text begins with, which is the title of its row in the tree, written twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from quire.domain.manuscript.headings import Heading, all_headings, chapter_number, counted_on
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_edits import MAX_TITLE, cleaned_title
from quire_engine.api.heading_grammar import MAX_HEADING

_LOOK_AT = 4 * MAX_HEADING
_MARKS = re.compile(r"#{1,3}\s+")
_NOT_A_TITLE = re.compile(r"\s*(?:#{1,3}\s+)?")
_BEHIND_NUMBER = " .:—–-"
_MARK_OF = {NodeKind.CHAPTER: "## ", NodeKind.SCENE: "### "}


@dataclass(frozen=True, slots=True)
class HeadingChange:
    """The characters of a text from start to end are replaced by new ones."""

    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """Return the text with the other heading."""
        return text[: self.start] + self.new + text[self.end :]


def title_in(text: str) -> str:
    """Return the title in the heading that a text begins with, as the tree would keep it; empty without."""
    heading = leading_heading(text)
    return "" if heading is None else cleaned_title(heading.title)


def number_and_name(title: str) -> tuple[str, str]:
    """Return the number of a chapter that has a name, and that name; no number where that is all there is."""
    found = chapter_number(title)
    name = "" if found is None else title[found.end :].lstrip(_BEHIND_NUMBER)
    return (found.number, name) if found is not None and name else ("", title)


def renamed(text: str, old: str, new: str) -> HeadingChange | None:
    """Return how the heading changes when the title of a text does; None where it is not that title.

    A title that would not be recognised as a heading by its words gets the mark of one.
    """
    heading, new = leading_heading(text), cleaned_title(new)
    if heading is None or not new or cleaned_title(heading.title) != cleaned_title(old):
        return None
    lines = text[heading.start : heading.end].rstrip()
    mark = _MARKS.match(lines)
    written = f"{mark[0]}{new}" if mark else new
    if not _is_heading(written, heading.kind):
        if heading.kind not in _MARK_OF:
            return None
        written = f"{_MARK_OF[heading.kind]}{new}"
    return HeadingChange(heading.start, heading.start + len(lines), written)


def next_title(titles: Iterable[str]) -> str:
    """Return the title of the chapter after these, numbered on; empty where none of them has a number."""
    return next(filter(None, map(counted_on, reversed(tuple(titles)))), "")


def title_after(title: str, titles: Iterable[str]) -> str:
    """Return the title of the chapter after this one, numbered on; empty where it has no number, or another
    chapter has the next one.
    """
    after = cleaned_title(counted_on(title))
    taken = re.compile(rf"{re.escape(after)}(?!\w)", re.IGNORECASE)
    return "" if any(taken.match(cleaned_title(other)) for other in titles) else after


def numbered_on(text: str, title: str, before: Iterable[str], num_before: int) -> HeadingChange | None:
    """Return how the number changes in the heading that a drafted chapter begins with, so that it follows the
    chapters before it, as they are numbered; None where it does already, or where there is no number.

    Args:
        title: that of the heading, which begins with the number.
        before: the titles of the chapters before it, the last one first.
        num_before: how many there are; they count where none of them has a number.
    """
    own, start = chapter_number(title), _NOT_A_TITLE.match(text)
    if own is None or start is None or not text.startswith(title[: own.end], start.end()):
        return None
    last = next(filter(None, map(chapter_number, before)), None)
    if last is None:
        number = "" if own.value == 1 else own.like(num_before + 1)
    else:
        number = last.like(last.value + 1)
    word = own.word if last is None else last.word or own.word
    new = f"{word} {number}" if word else number
    if not number or new == title[: own.end]:
        return None
    return HeadingChange(start.end(), start.end() + own.end, new)


def heading_like(previous: str, title: str, kind: NodeKind) -> str:
    """Return the first lines of a new text: a heading as that of the text before it, or nothing.

    Args:
        previous: the text before it.
        title: of the new text.
    """
    heading = leading_heading(previous)
    if heading is None or heading.kind is not kind:
        return ""
    mark = _MARKS.match(previous[heading.start : heading.end])
    written = f"{mark[0]}{title}" if mark else title
    if not _is_heading(written, kind):
        written = f"{_MARK_OF.get(kind, '')}{title}"
    return f"{written}\n\n" if _is_heading(written, kind) else ""


def leading_heading(text: str) -> Heading | None:
    """Return the heading that a text begins with; None for a scene break or prose."""
    start = text[:_LOOK_AT]
    found = next(iter(all_headings(start)), None)
    if found is None or not found.title or start[: found.start].strip():
        return None
    return found if len(found.title) <= MAX_TITLE else None


def _is_heading(line: str, kind: NodeKind) -> bool:
    found = next(iter(all_headings(f"{line}\n\nProse follows here.\n")), None)
    return found is not None and found.kind is kind and line.endswith(found.title)

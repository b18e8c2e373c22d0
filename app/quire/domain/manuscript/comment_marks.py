"""Comments on their way into a Word document or out of one: pairs of marks in the text.

The marks are private characters, so they go through whatever a book is made of, and stay at their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.headings import all_headings, is_break
from quire.domain.manuscript.manuscript import Document

_FIRST, _LAST = 0xF0000, 0xFFFFD
MARK = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_WORD_END = re.compile(r"\s|$")
_AROUND = re.compile(f"({MARK.pattern}*)(.*?)({MARK.pattern}*)", re.DOTALL)
_AT_END = re.compile(f"\n\n({MARK.pattern}{{2,}})$")
_EMPHASIS = "*_"


def comment_of(mark: str) -> tuple[int, bool]:
    """Return which comment a mark belongs to, and whether its words end there."""
    number, is_end = divmod(ord(mark) - _FIRST, 2)
    return number, bool(is_end)


def mark_of(number: int, *, is_end: bool = False) -> str:
    """Return the mark at the beginning or the end of a comment's words."""
    return chr(_FIRST + 2 * number + is_end)


def without_marks(text: str) -> tuple[str, dict[int, tuple[int, int]]]:
    """Return a text without marks, and where the words of each comment are in it."""
    pieces, starts, places, length, at = list[str](), dict[int, int](), dict[int, tuple[int, int]](), 0, 0
    for found in MARK.finditer(text):
        pieces.append(text[at : found.start()])
        length, at = length + found.start() - at, found.end()
        number, is_end = comment_of(found[0])
        if not is_end:
            starts[number] = length
        elif number in starts:
            places[number] = starts[number], length
    return "".join([*pieces, text[at:]]), places


_HEADING_ABOVE = mark_of(0, is_end=True)
"""Among the marks after a text: those that follow are on the heading above. No pair begins with it."""


def with_marks(
    documents: Mapping[int, Document], comments: Mapping[int, Iterable[Comment]]
) -> tuple[dict[int, Document], tuple[Comment, ...]]:
    """Return texts with the marks of their open comments, and these comments in the order of their marks.

    A comment on a heading is on the first word below it: headings also name chapters. Where no words are
    between it and the next heading, its marks follow the text, for `split_ending`. One whose words are not in
    the text is left out.
    """
    marked, found = dict(documents), list[Comment]()
    for document_id, document in documents.items():
        wanted = [one for one in comments.get(document_id, ()) if not (one.resolved or one.is_lost)]
        if wanted and not MARK.search(document.text):
            text = _marked(document.text, wanted, len(found))
            marked[document_id] = Document(document_id, document.title, text)
            found += wanted
    return marked, tuple(found)


def split_ending(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text as it is, and the marks after it of comments on its headings, from the last one up."""
    found = _AT_END.search(text)
    marks = () if found is None else _by_heading(found[1])
    return (text[: found.start()], marks) if found is not None and marks else (text, ())


def put_around(title: str, marks: str) -> str:
    """Return a title inside pairs of marks."""
    return f"{marks[::2]}{title}{marks[1::2]}"


def marks_around(title: str) -> tuple[str, str, str]:
    """Return the marks before a title, its words, and the marks after it."""
    found = _AROUND.fullmatch(title)
    return ("", title, "") if found is None else (found[1], found[2], found[3])


def _by_heading(marks: str) -> tuple[str, ...]:
    """Return the pairs of marks on each heading; none for marks that are of no comments."""
    found, at = [""], 0
    while at < len(marks):
        number, is_end = comment_of(marks[at])
        if marks[at] == _HEADING_ABOVE:
            found.append("")
            at += 1
        elif not is_end and marks[at + 1 : at + 2] == mark_of(number, is_end=True):
            found[-1] += marks[at : at + 2]
            at += 2
        else:
            return ()
    return tuple(found) if found[-1] else ()


def _marked(text: str, comments: Sequence[Comment], first: int) -> str:
    headings = [(one.start, one.end) for one in all_headings(text)]
    ends_with_heading = bool(headings) and not text[headings[-1][1] :].strip()
    places, on_headings = list[tuple[int, int, str]](), [""] * len(headings)
    for number, comment in enumerate(comments, start=first):
        pair = mark_of(number) + mark_of(number, is_end=True)
        bare = _heading_without_prose(text, comment, headings)
        if bare is not None:
            on_headings[bare] += pair
            continue
        start, end = _in_prose(text, min(comment.start, len(text)), min(comment.end, len(text)), headings)
        if start < end:
            places += [(start, 1, mark_of(number)), (end, 0, mark_of(number, is_end=True))]
        elif ends_with_heading:
            on_headings[-1] += pair
    pieces, at = list[str](), 0
    for place, _, mark in sorted(places):
        pieces += [text[at:place], mark]
        at = place
    while on_headings and not on_headings[0]:
        del on_headings[0]
    ending = _HEADING_ABOVE.join(reversed(on_headings))
    return "".join([*pieces, text[at:], *(("\n\n", ending) if ending else ())])


def _heading_without_prose(text: str, comment: Comment, headings: Sequence[tuple[int, int]]) -> int | None:
    """Return which heading a comment is on, if the next heading follows it directly."""
    for number, ((first, last), (below, _)) in enumerate(pairwise(headings)):
        if first <= comment.start < comment.end <= last and not is_break(text[first:last]):
            return None if text[last:below].strip() else number
    return None


def _in_prose(text: str, start: int, end: int, headings: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the words of a comment that are in no heading, with the marks of emphasis around them."""
    for first, last in headings:
        if first <= start < last:
            start = last + len(text[last:]) - len(text[last:].lstrip())
        if first < end <= last:
            end = len(text[:first].rstrip())
    if end <= start < len(text):
        found = _WORD_END.search(text, start)
        end = len(text) if found is None else found.start()
    while start > 0 and text[start - 1] in _EMPHASIS + "\\":
        start -= 1
    while end < len(text) and text[end] in _EMPHASIS:
        end += 1
    return start, end

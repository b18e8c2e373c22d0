"""Comments on their way into a Word document or out of one: pairs of marks in the text.

The marks are private characters, so they go through whatever a book is made of, and stay at their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.manuscript import Document

_FIRST, _LAST = 0xF0000, 0xFFFFD
MARK = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}]")
_WORD_END = re.compile(r"\s|$")
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


def with_marks(
    documents: Mapping[int, Document], comments: Mapping[int, Iterable[Comment]]
) -> tuple[dict[int, Document], tuple[Comment, ...]]:
    """Return texts with the marks of their open comments, and these comments in the order of their marks.

    A comment on a heading is on the first word below it: headings also name chapters. One whose words are
    not in the text is left out.
    """
    marked, found = dict(documents), list[Comment]()
    for document_id, document in documents.items():
        wanted = [one for one in comments.get(document_id, ()) if not (one.resolved or one.is_lost)]
        if wanted and not MARK.search(document.text):
            text = _marked(document.text, wanted, len(found))
            marked[document_id] = Document(document_id, document.title, text)
            found += wanted
    return marked, tuple(found)


def _marked(text: str, comments: Sequence[Comment], first: int) -> str:
    headings = [(one.start, one.end) for one in all_headings(text)]
    places = list[tuple[int, int, str]]()
    for number, comment in enumerate(comments, start=first):
        start, end = _in_prose(text, min(comment.start, len(text)), min(comment.end, len(text)), headings)
        if start < end:
            places += [(start, 1, mark_of(number)), (end, 0, mark_of(number, is_end=True))]
    pieces, at = list[str](), 0
    for place, _, mark in sorted(places):
        pieces += [text[at:place], mark]
        at = place
    return "".join([*pieces, text[at:]])


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

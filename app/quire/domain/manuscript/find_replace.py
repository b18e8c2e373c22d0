"""Finds text, and replaces matches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Self

import regex  # type: ignore[import-untyped]

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.provenance import Origin, Provenance
from quire.errors import WriterProblem
from quire_engine.api.folding import SAME, UNSEEN, UNSPACED, plain_quotes

LIMIT_S = 2.0
"""What a pattern may cost in one text, in seconds of all the process's threads together."""
MAX_QUERY_CHARS = 1_000
CONTEXT_CHARS = 60

_PIECES = re.compile(rf"\.\.\.|--|[^{UNSEEN}]", re.DOTALL)
"""The pieces of a query that stand for the same in the eyes of a reader as others do."""
_WORD_BEGINS = rf"(?:(?=[{UNSPACED}])|(?<!(?![{UNSPACED}])\w))"
_WORD_ENDS = rf"(?:(?<=[{UNSPACED}])|(?!(?![{UNSPACED}])\w))"
_BY_NUMBER = re.compile(r"\\[uUxNpP]")
_REFERENCE = re.compile(r"\\(?:(?P<number>\d{1,2})|g<(?P<name>\w+)>|(?P<other>.)|$)", re.DOTALL)
_SPECIAL = {"n": "\n", "t": "\t", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Query:
    """A search query.

    Attributes:
        whole_words: no letter, digit or underscore directly before or after it; in scripts without spaces
            there may be.
        match_case: exactly these letters; without it typographic and plain quotation marks, dashes, dots and
            spaces are also equal, and letters however they are composed.
    """

    text: str
    is_regex: bool = False
    whole_words: bool = False
    match_case: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match, in characters (code points).

    Attributes:
        groups: the whole match, followed by the content of each group of a regular expression.
    """

    start: int
    end: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Replaces the characters from start to end by a text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Context:
    """A match in its line, in three consecutive pieces."""

    before: str
    found: str
    after: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """The replacement for a match; a number is replaced by the content of that group."""

    parts: tuple[str | int, ...]

    @classmethod
    def of(cls, text: str, query: Query) -> Self:
        r"""Parse a replacement; WriterProblem when it refers to a group that the pattern does not have.

        With a regular expression \1 and \g<name> are groups, \0 is the whole match, \n and \t a new line and
        a tab, \\ a backslash.
        """
        if not query.is_regex:
            return cls((text,))
        pattern = _prepared(query).pattern
        parts: list[str | int] = []
        end = 0
        for reference in _REFERENCE.finditer(text):
            parts += [text[end : reference.start()], _referred(reference, pattern)]
            end = reference.end()
        return cls((*parts, text[end:]))

    def for_match(self, match: Match) -> str:
        """Return the replacement for one match."""
        return "".join(part if isinstance(part, str) else match.groups[part] for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A compiled pattern; `folds` if it needs a text whose quotation marks are all plain."""

    pattern: Any
    folds: bool


def check(query: Query) -> None:
    """Raise WriterProblem when a query is invalid."""
    _prepared(query)


def matches(
    text: str, query: Query, *, most: int | None = None, limit_s: float = LIMIT_S
) -> tuple[Match, ...]:
    """Return the matches in order; empty ones do not count.

    WriterProblem when the pattern is invalid or takes too long.

    Args:
        most: the maximum number of matches.
    """
    if not query.text:
        return ()
    prepared = _prepared(query)
    searched = plain_quotes(text) if prepared.folds else text
    found: list[Match] = []
    try:
        # concurrent: releases the GIL for other threads
        for place in prepared.pattern.finditer(searched, timeout=limit_s, concurrent=True):
            if len(found) == most:
                break
            if place.end() > place.start():
                found.append(Match(place.start(), place.end(), tuple(_groups(text, place))))
    except (TimeoutError, MemoryError):
        raise WriterProblem(
            "This pattern takes too long to search for. Make it simpler; the usual cause is a "
            "repetition within a repetition, such as (a+)+."
        ) from None
    return tuple(sorted(found, key=lambda match: match.start))  # a pattern can search backwards


def changes(found: Iterable[Match], query: Query, replacement: str) -> tuple[Change, ...]:
    """Return the preview of replacing matches."""
    template = Replacement.of(replacement, query)
    return tuple(Change(match.start, match.end, template.for_match(match)) for match in found)


def changed(text: str, changes: Sequence[Change]) -> str:
    """Return a text after consecutive changes."""
    pieces: list[str] = []
    end = 0
    for change in changes:
        if not end <= change.start <= change.end <= len(text):
            raise ValueError(f"no change from {change.start} to {change.end} of {len(text)} after {end}")
        pieces += [text[end : change.start], change.text]
        end = change.end
    return "".join([*pieces, text[end:]])


def replaced(text: str, query: Query, replacement: str) -> str:
    """Return a text with every match replaced."""
    return changed(text, changes(matches(text, query), query, replacement))


def effective(text: str, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes that make a difference."""
    return tuple(change for change in changes if text[change.start : change.end] != change.text)


def edited_by(document: Document, changes: Sequence[Change]) -> Document:
    """Return a document after changes by the writer; the text between them keeps its authors.

    `Document.edited` would treat everything from the first to the last of them as one change.
    """
    old, num_chars = document.provenance, len(document.text)
    pieces: list[Provenance] = []
    end = 0
    for change in changes:
        lead = min(change.start, 1)  # the neighbours of the new words decide who wrote them
        around = old.part(change.start - lead, min(change.end + 1, num_chars))
        around = around.replaced(lead, change.end - change.start, len(change.text), Origin.WRITTEN)
        pieces += [old.part(end, change.start), around.part(lead, lead + len(change.text))]
        end = change.end
    pieces.append(old.part(end, num_chars))
    provenance = Provenance(tuple(span for piece in pieces for span in piece.spans))
    return replace(document, text=changed(document.text, changes), provenance=provenance)


def context(text: str, match: Match, reach: int = CONTEXT_CHARS) -> Context:
    """Return a match with its surroundings in its line."""
    line = text.rfind("\n", 0, match.start) + 1
    line_end = text.find("\n", match.end)
    line_end = len(text) if line_end < 0 else line_end
    start, end = max(line, match.start - reach), min(line_end, match.end + reach)
    return Context(
        ("…" if start > line else "") + text[start : match.start],
        shortened(text[match.start : match.end], 2 * reach),
        text[match.end : end] + ("…" if end < line_end else ""),
    )


def shortened(text: str, most: int) -> str:
    """Return a text as one line of limited length."""
    line = " ".join(text[: 8 * most].split("\n"))
    return line if len(line) <= most and len(text) <= most else line[: most - 1] + "…"


@lru_cache(maxsize=32)
def _prepared(query: Query) -> _Prepared:
    if len(query.text) > MAX_QUERY_CHARS:
        raise WriterProblem(
            "The search text is longer than {most:,} characters. Shorten it.", most=MAX_QUERY_CHARS
        )
    # A pattern that names characters by number means exactly these.
    folds = not query.match_case and not (query.is_regex and _BY_NUMBER.search(query.text))
    pattern = query.text if query.is_regex else regex.escape(query.text, special_only=True)
    if folds:
        pattern = plain_quotes(pattern) if query.is_regex else _as_people_read(plain_quotes(query.text))
    flags = regex.MULTILINE if query.match_case else regex.MULTILINE | regex.IGNORECASE
    try:
        compiled = regex.compile(pattern, flags)  # by itself first: brackets must match within it
        if query.whole_words:
            compiled = regex.compile(f"{_WORD_BEGINS}(?:{pattern}){_WORD_ENDS}", flags)
    except (regex.error, RecursionError, OverflowError) as error:
        raise WriterProblem(
            "This is not a valid regular expression ({reason}). Correct it, or turn regular expressions off.",
            reason=_reason(error),
        ) from None
    return _Prepared(compiled, folds)


def _as_people_read(text: str) -> str:
    """Return a pattern for words however they are stored: letters composed or not, dashes, dots, spaces."""
    pieces = [_alternatives(piece) for piece in _PIECES.findall(unicodedata.normalize("NFC", text))]
    return f"[{UNSEEN}]*".join(pieces) + r"(?!\p{Mn})"  # an accent belongs to the letter before it


def _alternatives(piece: str) -> str:
    for signs in SAME:
        if piece in signs:
            return f"(?:{'|'.join(regex.escape(one, special_only=True) for one in signs)})"
    decomposed = unicodedata.normalize("NFD", piece)
    plain = regex.escape(piece, special_only=True)
    return plain if decomposed == piece else f"(?:{plain}|{decomposed})"


def _reason(error: Exception) -> str:
    if not isinstance(error, regex.error):
        return "too many brackets within brackets"
    sentence, place = getattr(error, "msg", str(error)), getattr(error, "pos", None)
    return sentence if place is None else f"{sentence} at character {place + 1}"


def _groups(text: str, place: Any) -> Iterator[str]:
    """Yield the content of the groups in the text itself, which may have other quotation marks."""
    for number in range(place.re.groups + 1):
        start, end = place.span(number)
        yield text[start:end] if start >= 0 else ""


def _referred(reference: re.Match[str], pattern: Any) -> str | int:
    number, name, other = reference.group("number", "name", "other")
    if other in _SPECIAL:
        return _SPECIAL[other]
    if number or (name and name.isdecimal()):
        group = int(number or name)
        if group <= pattern.groups:
            return group
    elif name in pattern.groupindex:
        return int(pattern.groupindex[name])
    raise WriterProblem(
        "The replacement uses {reference}, but the pattern has no such group. Write \\\\ for a "
        "backslash, \\1 for the first group.",
        reference=reference[0],
    )

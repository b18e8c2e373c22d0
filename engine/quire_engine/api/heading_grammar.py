"""The one grammar of heading lines: where a run ends, where a text is split, where an import finds chapters.

A heading is Markdown (`# ...` to `### ...`), "Chapter", "Part" and the like with a number, or "Prologue" and
the like alone. Only the line itself counts here; what is around it is for `quire.domain.manuscript.headings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import regex  # type: ignore[import-untyped]

MAX_HEADING = 400
"""Characters; a longer line is prose, whatever it begins with."""
_SURE_WORDS, _MOST_WORDS = 14, 32
"""Words up to which a numbered line is a heading however it reads, and beyond which it must not end as a
sentence does: headings of old novels go on for lines."""

_TO_NINETEEN = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
)
ONE_TO_NINETEEN = tuple(_TO_NINETEEN.split())
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
    " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth last"
)
_WORD = "|".join(sorted([*ONE_TO_NINETEEN, *TENS, "hundred", *_ORDINALS.split()], key=len, reverse=True))
_NUMBER = rf"(?:\d{{1,3}}|[ivxlc]{{1,8}}|(?:the\s+)?(?:{_WORD})(?:[ -](?:{_WORD}))?)"
_CHAPTER = r"chapter|chap\.|letter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk|rozdzia[łl]|глава"
_PART = r"part|book|volume|vol\.|teil|buch|band|partie|livre|tome|parte|libro|deel|cz[ęe][śs][ćc]|часть"
_TITLE = r"(?:\s*[.:—–-]+\s*(?P<title>\S.*)?|\s+(?P<spaced>(?-i:[A-ZÀ-Þ“‘]).*[^.,;:!?…]))?"
_NUMBERED = rf"(?:(?P<chapter>{_CHAPTER})|(?P<part>{_PART}))\s+(?P<number>{_NUMBER}){_TITLE}"
_ALONE = (
    r"(?P<alone>prologue|epilogue|prelude|interlude|preface|introduction|foreword|afterword|prolog|epilog"
    r"|pr[óo]logo|ep[íi]logo|conclusion)(?:\s*[.:—–-]\s*(?P<subtitle>\S.*)?)?"
)
_MARKDOWN = r"(?P<marks>#{1,3})\s+(?P<text>\S.*?)\s*#*"
_HEADING = regex.compile(f"{_MARKDOWN}|{_NUMBERED}|{_ALONE}", regex.IGNORECASE)
_SENTENCE_INSIDE = regex.compile(
    r"(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<![\s.][A-Z])[.!?…][”’\"')]*\s+[“‘\"'(]?[A-ZÀ-Þ]"
)


class HeadingForm(Enum):
    """How a line shows that it is a heading."""

    MARKDOWN = "markdown"
    CHAPTER = "chapter"
    PART = "part"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A line that reads as a heading.

    Attributes:
        title: after the marks or the number; empty without one.
        word, number: such as "Chapter" and "XII", of a chapter or a part.
        level: of Markdown, or 0.
    """

    form: HeadingForm
    title: str
    word: str = ""
    number: str = ""
    level: int = 0


def heading_of(line: str) -> HeadingLine | None:
    """Return how a stripped line reads as a heading; None for prose."""
    found = _HEADING.fullmatch(line) if len(line) <= MAX_HEADING else None
    if found is None:
        return None
    if found["marks"]:
        return HeadingLine(HeadingForm.MARKDOWN, found["text"], level=len(found["marks"]))
    if found["alone"]:
        return HeadingLine(HeadingForm.ALONE, found["subtitle"] or "") if line[0].isupper() else None
    title = found["title"] or found["spaced"] or ""
    if title and _is_prose(title):
        return None
    form = HeadingForm.CHAPTER if found["chapter"] else HeadingForm.PART
    return HeadingLine(form, title, found["chapter"] or found["part"], found["number"])


def may_become_heading(line: str) -> bool:
    """Return whether a line may read as a heading once more text has followed it."""
    return len(line) <= MAX_HEADING and _HEADING.fullmatch(line, partial=True) is not None


def _is_prose(title: str) -> bool:
    """Return whether what follows a number reads as a paragraph that begins with "Part One" or the like."""
    num_words = len(title.split())
    if num_words <= _SURE_WORDS or title.isupper():
        return False
    goes_on = title[0].islower() or _SENTENCE_INSIDE.search(title) is not None
    return goes_on or (num_words > _MOST_WORDS and title.rstrip("”’\"')")[-1:] in (".", "!", "?", "…"))

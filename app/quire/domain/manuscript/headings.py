"""Finds where parts, chapters and scenes of a text begin, by its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quire.domain.manuscript.tree import NodeKind
from quire_engine.api.heading_grammar import ONE_TO_NINETEEN, TENS, HeadingForm, heading_of

_TITLE_BELOW = 80
"""Characters of a title that stands below the number of its chapter."""
_ORNAMENT = r"[⁂❦❧☙◆◇◊■□▪▫●○•∙·§✻✼✽✾✿❀✦✧★☆※~\u223c〜❖\u204e✱✲✳]"
_BREAK = re.compile(
    rf"(?:\*\s*){{1,40}}|(?:#\s*){{1,40}}|(?:[-–—]\s*){{3,100}}|(?:[_=+]\s*){{3,100}}"
    rf"|(?:\.\s+){{2,9}}\.|(?:{_ORNAMENT}\s*){{1,40}}"
)
_NUMERAL = re.compile(r"(?:[IVXLCDM]{1,12}|\d{1,6})\.?")
_NUMBER_FIRST = re.compile(r"(?P<number>[IVXLCDM]{1,12}|\d{1,6})(?P<stop>\.?)(?=$|:|(?<=\.)\s)")


@dataclass(frozen=True, slots=True)
class Heading:
    """The lines of a text, from start to end, that a part, a chapter or a scene begins with.

    Attributes:
        end: where its text begins, after blank lines.
        title: as written; empty for a scene break.
        key: equal for two headings that name the same chapter, as a table of contents and the book do.
    """

    start: int
    end: int
    kind: NodeKind
    title: str
    key: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A stripped line. `opens`, `closes`: whether a blank line or the text's edge is before it, or after
    it."""

    start: int
    text: str
    opens: bool
    closes: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """What a line is.

    Attributes:
        is_bare: it is only a number; its title may be below.
        level: in Markdown, or 0.
    """

    kind: NodeKind
    title: str
    key: str
    is_bare: bool = False
    level: int = 0


_TENS = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_HUNDREDS = ("", "C", "CC", "CCC", "CD", "D", "DC", "DCC", "DCCC", "CM")
_ROMAN = {
    thousands * "M" + hundreds + tens + ones: 1000 * thousands + 100 * hundred + 10 * ten + one
    for thousands in range(4)
    for hundred, hundreds in enumerate(_HUNDREDS)
    for ten, tens in enumerate(_TENS)
    for one, ones in enumerate(_ONES)
}
"""Numerals from I to MMMCMXCIX, as they should be written."""


def all_headings(text: str) -> tuple[Heading, ...]:
    """Return the headings and scene breaks of a text, in order."""
    lines = list(_lines(text))
    found = dict(_found_in(lines))
    headings = list[Heading]()
    for place, line in enumerate(lines):
        if place not in found or (headings and line.start < headings[-1].end):
            continue
        what, below = found[place], place + 1
        title, title_place = what.title, _title_below(lines, place, found) if what.is_bare else None
        if title_place is not None:
            title, below = f"{title}: {lines[title_place].text}", title_place + 1
        while below < len(lines) and not lines[below].text:
            below += 1
        end = lines[below].start if below < len(lines) else len(text)
        headings.append(Heading(line.start, end, what.kind, title, what.key))
    return tuple(headings)


def headings_in(text: str, start: int = 0) -> tuple[Heading, ...]:
    """Return the headings from a place on in a text that is still growing.

    One is held back until two lines of text have ended below it, because only then is it certain what belongs
    to it. The first of several bare numbers is recognised once the second appears. A '#' line, whose meaning
    depends on the other headings, may change its kind.
    """
    return tuple(
        heading for heading in all_headings(text) if heading.start >= start and is_certain(text, heading.end)
    )


def is_certain(text: str, end: int) -> bool:
    """Return whether enough text stands below a heading that ends at a place: two lines have ended there."""
    return text.count("\n", end) >= 2


def is_break(line: str) -> bool:
    """Return whether a line separates scenes."""
    mark = line.strip()
    return not mark[:1].isalnum() and bool(_BREAK.fullmatch(mark))


def _lines(text: str) -> Iterator[_Line]:
    lines = [line.strip() for line in text.split("\n")]
    blank = [not line for line in lines]
    # without blank lines between paragraphs, every line is a block of its own
    spaced = 10 * sum(blank) >= len(lines)
    start = 0
    for place, raw in enumerate(text.split("\n")):
        opens = not spaced or place == 0 or blank[place - 1]
        closes = not spaced or place + 1 == len(lines) or blank[place + 1]
        yield _Line(start, lines[place], opens, closes)
        start += len(raw) + 1


def _found_in(lines: Sequence[_Line]) -> Iterator[tuple[int, _Found]]:
    found = dict[int, _Found]()
    for place, line in enumerate(lines):
        what = _what(line, under_heading=place - 1 in found)
        if what is not None:
            found[place] = what
    has_chapters = any(what.kind is NodeKind.CHAPTER for what in found.values())
    for place in _counted(lines):
        kind = NodeKind.SCENE if has_chapters else NodeKind.CHAPTER
        number = lines[place].text.rstrip(".")
        found[place] = _Found(kind, number, _key(number), is_bare=not has_chapters)
    deeper = any(what.level == 2 for what in found.values())
    places = sorted(found)
    for place, below in pairwise([*places, len(lines)]):
        what = found[place]
        if what.level == 1 and (deeper or _leads(lines, place, below, found)):
            yield place, _Found(NodeKind.PART, what.title, what.key)
        else:
            yield place, what


def _what(line: _Line, *, under_heading: bool) -> _Found | None:
    """Return what one line is, apart from bare numbers, which `_counted` finds."""
    text = line.text
    if is_break(text):
        return _Found(NodeKind.SCENE, "", "") if line.opens and line.closes else None
    found = heading_of(text)
    if found is None:
        return None
    if found.form is HeadingForm.MARKDOWN:
        kind = NodeKind.CHAPTER if found.level < 3 else NodeKind.SCENE
        return _Found(kind, found.title, _key(found.title), level=found.level)
    if not line.opens and not under_heading:  # under a heading: a table of contents
        return None
    title = text if found.title else text.rstrip(" .:—–-")
    if found.form is HeadingForm.ALONE:
        return _Found(NodeKind.CHAPTER, title, _key(text)) if line.closes else None
    kind = NodeKind.CHAPTER if found.form is HeadingForm.CHAPTER else NodeKind.PART
    return _Found(kind, title, _key(f"{found.word} {found.number}"), is_bare=not found.title)


def _leads(lines: Sequence[_Line], place: int, below: int, found: dict[int, _Found]) -> bool:
    """Return whether a heading directly precedes a chapter, and so is the heading of a part."""
    if below == len(lines) or found[below].kind is not NodeKind.CHAPTER or found[below].level == 1:
        return False
    return not any(line.text for line in lines[place + 1 : below])


def _title_below(lines: Sequence[_Line], place: int, found: dict[int, _Found]) -> int | None:
    """Return the line of the title below a chapter's number; None where the text begins."""
    for below in range(place + 1, min(place + 4, len(lines))):
        line = lines[below]
        if line.text:
            return below if below not in found and line.closes and _is_title(line.text) else None
    return None


def _is_title(line: str) -> bool:
    if len(line) > _TITLE_BELOW or not re.match(r"[^\W_]", line):
        return False
    if line.isupper():
        return True
    words = [word for word in re.findall(r"[^\W\d_]{3,}", line) if word not in ("and", "the", "for")]
    if line[-1] in ".!?…":  # a sentence, unless it is written like a title
        return len(words) > 1 and all(word[0].isupper() for word in words)
    return line[0].isupper() and line[-1] not in ",;:”\"'’—–-"


def _counted(lines: Sequence[_Line]) -> Iterator[int]:
    """Yield the lines that are only numbers and count up from one, possibly more than once."""
    numbers = [
        (place, value)
        for place, line in enumerate(lines)
        if line.opens and line.closes and _NUMERAL.fullmatch(line.text)
        if (value := value_of(line.text.rstrip(".")))
    ]
    counted = list[int]()
    for place, value in numbers:
        if value == 1:
            yield from counted if len(counted) > 1 else ()
            counted = [place]
        elif value == len(counted) + 1:
            counted.append(place)
    yield from counted if len(counted) > 1 else ()


def value_of(numeral: str) -> int:
    """Return the value of a Roman or decimal numeral; 0 for an invalid one."""
    if numeral.isdecimal():
        return int(numeral)
    return _ROMAN.get(numeral, 0)


def counted_on(title: str) -> str:
    """Return the title of the next chapter, its number written as in this one; empty without a number.

    "CHAPTER XII: Fog" gives "CHAPTER XIII", and "4." gives "5.".
    """
    found = chapter_number(title.strip())
    if found is None:
        return ""
    number = found.like(found.value + 1)
    written = f"{found.word} {number}" if found.word else number
    return written + (found.stop if found.is_alone else "") if number else ""


@dataclass(frozen=True, slots=True)
class ChapterNumber:
    """The number that the title of a chapter begins with, as it is written.

    Attributes:
        word: such as "Chapter"; empty without one.
        number: in figures, Roman numerals or English words.
        value: what it counts to.
        end: where it ends in the title.
        stop: the full stop after a number without a word.
        is_alone: nothing follows.
    """

    word: str
    number: str
    value: int
    end: int
    stop: str = ""
    is_alone: bool = False

    def like(self, value: int) -> str:
        """Return another number written in the same way; empty where that is not possible."""
        if self.number.isdecimal():
            return str(value).zfill(len(self.number))
        is_roman = value_of(self.number.upper()) > 0
        written = roman_numeral(value) if is_roman else in_words(value)
        if self.number.islower():
            return written.lower()
        return written.title() if self.number.istitle() and not is_roman else written.upper()


def chapter_number(title: str) -> ChapterNumber | None:
    """Return the number that a stripped title begins with; None without one that can be counted on."""
    if (bare := _NUMBER_FIRST.match(title)) and (value := _value(bare["number"])) is not None:
        is_alone = bare.end() == len(title)
        return ChapterNumber("", bare["number"], value, bare.end("number"), bare["stop"], is_alone)
    found = heading_of(title)
    if found is None or found.form is not HeadingForm.CHAPTER:
        return None
    written = re.match(rf"{re.escape(found.word)}\s+{re.escape(found.number)}", title)
    value = _value(found.number)
    if written is None or value is None:
        return None
    return ChapterNumber(found.word, found.number, value, written.end())


def roman_numeral(value: int) -> str:
    """Return a number as a Roman numeral; empty where there is none."""
    return next((roman for roman, known in _ROMAN.items() if known == value), "")


def in_words(value: int) -> str:
    """Return a number in English words; empty for those above ninety-nine."""
    return next((word for known, word in enumerate(_numbers_in_words(), start=1) if known == value), "")


def _value(number: str) -> int | None:
    """Return the value of a number in figures, Roman numerals or English words; None in others."""
    if number.isdecimal():
        return int(number)
    wanted = number.lower().replace(" ", "-")
    in_words = (value for value, word in enumerate(_numbers_in_words(), start=1) if word == wanted)
    return value_of(number.upper()) or next(in_words, None)


def _numbers_in_words() -> Iterator[str]:
    """Yield the numbers from one to ninety-nine."""
    yield from ONE_TO_NINETEEN
    for ten in TENS:
        yield ten
        yield from (f"{ten}-{one}" for one in ONE_TO_NINETEEN[:9])


def _key(title: str) -> str:
    return " ".join(re.findall(r"\w+", title.lower()))

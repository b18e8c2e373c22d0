"""Typographic quotes, dashes and ellipses for text typed on a keyboard.

Each rule looks at a paragraph up to the caret, right after one character was typed, and returns what its end
should be instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NARROW_SPACE = "\u202f"
"""What parts French quotation marks from the words: a line never breaks there."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Quotation marks, with the space that belongs to them."""

    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class Quotes:
    """The quotation marks of a language.

    Attributes:
        double, single: the marks for the two keys.
        inner: what the double key opens within its own quotes; None where writers use the other key for that.
        has_years: before two digits, the single key is an apostrophe for a left-out century.
    """

    double: Pair
    single: Pair
    inner: Pair | None = None
    has_years: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """The corrected end of a paragraph, from start to the caret."""

    start: int
    text: str


_CURLY, _SINGLE_CURLY = Pair("“", "”"), Pair("‘", "’")
_LOW, _SINGLE_LOW = Pair("„", "“"), Pair("\u201a", "‘")
_LOW_HIGH = Pair("„", "”")
_GUILLEMETS, _SINGLE_GUILLEMETS = Pair("«", "»"), Pair("\u2039", "\u203a")
_INWARD, _SINGLE_INWARD = Pair("»", "«"), Pair("\u203a", "\u2039")
_FRENCH = Pair("«" + NARROW_SPACE, NARROW_SPACE + "»")

QUOTES: dict[str, Quotes] = {
    "en": Quotes(_CURLY, _SINGLE_CURLY, has_years=True),
    "en-gb": Quotes(_CURLY, _SINGLE_CURLY),
    "de": Quotes(_LOW, _SINGLE_LOW),
    "de-ch": Quotes(_GUILLEMETS, _SINGLE_GUILLEMETS),
    "fr": Quotes(_FRENCH, _SINGLE_CURLY, inner=_CURLY),
    "fr-ch": Quotes(_GUILLEMETS, _SINGLE_GUILLEMETS),
    "es": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_CURLY),
    "it": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_CURLY),
    "pt": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_CURLY),
    "pt-br": Quotes(_CURLY, _SINGLE_CURLY),
    "ca": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_CURLY),
    "nl": Quotes(_CURLY, _SINGLE_CURLY),
    "da": Quotes(_INWARD, _SINGLE_INWARD),
    "nb": Quotes(_GUILLEMETS, _SINGLE_CURLY),
    "nn": Quotes(_GUILLEMETS, _SINGLE_CURLY),
    "no": Quotes(_GUILLEMETS, _SINGLE_CURLY),
    "sv": Quotes(Pair("”", "”"), Pair("’", "’")),
    "fi": Quotes(Pair("”", "”"), Pair("’", "’")),
    "pl": Quotes(_LOW_HIGH, _SINGLE_CURLY, inner=_GUILLEMETS),
    "hu": Quotes(_LOW_HIGH, _SINGLE_CURLY, inner=_INWARD),
    "ro": Quotes(_LOW_HIGH, _SINGLE_CURLY, inner=_GUILLEMETS),
    "cs": Quotes(_LOW, _SINGLE_LOW),
    "sk": Quotes(_LOW, _SINGLE_LOW),
    "sl": Quotes(_LOW, _SINGLE_LOW),
    "ru": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_LOW),
    "uk": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_LOW),
    "el": Quotes(_GUILLEMETS, _SINGLE_CURLY, inner=_CURLY),
}
"""By language, in lower case; what stands before the hyphen answers for regions that are not listed."""

APOSTROPHE = "’"
_OPENING_MARKS = frozenset("([{¿¡/")
_DASHES = frozenset("–—-")
_ELISIONS = {
    "en": "tis|twas|twere|twill|twould|em|til|n|im|er|ave|ad|ow|bout|cos|cuz|nuff|kay",
    "de": "s|n|ne|nen|nem|ner|ran|rauf|raus|rein|rum|runter",
    "nl": "[stnkm]",
}
"""Words that begin with an apostrophe, by the language's first two letters."""
_ELIDED = re.compile(r"([^\W\d_]{1,6})(’?)[^\w’]", re.IGNORECASE)
_CLOSED = re.compile(r"’(?![^\W\d_])")
_DASHES_FIRST = re.compile(r"\s*(-{2,3})(?=\s*[^\w\s-]{0,2}\w$)")
_LONGEST_ELIDED = 12


def quotes_of(language: str) -> Quotes:
    """Return the quotation marks of a language such as "en-GB"; those of English for an unknown one."""
    tag = language.replace("_", "-").lower()
    return QUOTES.get(tag) or QUOTES.get(tag.partition("-")[0]) or QUOTES["en"]


def typed_ending(before: str, language: str) -> Ending | None:
    """Return the corrected end of a paragraph; None where it is correct already.

    Args:
        before: the paragraph up to the caret, ending with the one character that was typed.
    """
    last, quotes = before[-1:], quotes_of(language)
    if last == '"':
        return _double(before[:-1], quotes)
    if last == "'":
        return _single(before[:-1], quotes)
    if last == "-":
        return _dash(before)
    if last == "." and before.endswith("...") and not before.endswith("...."):
        return Ending(len(before) - 3, "…")
    return (
        _elided(before, language[:2].lower(), quotes) or _within_word(before, quotes) or _first_dash(before)
    )


# ------------------------------------------------------------ quotes
def _double(before: str, quotes: Quotes) -> Ending:
    opened = _open_pairs(before, [quotes.double, *([quotes.inner] if quotes.inner else [])])
    pair = opened[-1] if opened else quotes.double
    # where one key opens both, two in a row are a quote that begins with a quote
    is_open = bool(opened) and not (
        quotes.inner and opened == [quotes.double] and before.endswith(pair.opening)
    )
    if _opens(before, quotes, pair, is_open=is_open) and not (is_open and _is_spaced_closing(before, pair)):
        opened_now = quotes.inner if opened and quotes.inner else quotes.double
        return Ending(len(before), opened_now.opening)
    start = len(before.rstrip(" \u00a0")) if pair.closing.startswith(NARROW_SPACE) else len(before)
    return Ending(start, pair.closing)


def _single(before: str, quotes: Quotes) -> Ending:
    pair = quotes.single
    if pair.closing == APOSTROPHE:
        # after a word both readings look the same
        place = before.rfind(pair.opening)
        is_open = place >= 0 and not _CLOSED.search(before, place + 1)
    else:
        is_open = bool(_open_pairs(before, [pair]))
    if _opens(before, quotes, pair, is_open=is_open):
        return Ending(len(before), pair.opening)
    return Ending(len(before), pair.closing if is_open else APOSTROPHE)


def _opens(before: str, quotes: Quotes, pair: Pair, *, is_open: bool) -> bool:
    """Return whether a quotation mark opens.

    Args:
        pair: what it would open or close.
        is_open: whether there is one to close.
    """
    before = before.rstrip("*_")  # marks of emphasis in between do not count
    if not before or before[-1] in _OPENING_MARKS:
        return True
    if is_open and before.endswith(pair.opening):
        return False  # nothing between them
    if any(before.endswith(mark) for mark in _opening_marks(quotes)):
        return True
    if before[-1] in _DASHES:  # broken off, or inserted
        return not is_open
    return before[-1].isspace()


def _opening_marks(quotes: Quotes) -> list[str]:
    pairs = [quotes.double, quotes.single, *([quotes.inner] if quotes.inner else [])]
    closing = {pair.closing for pair in pairs}
    return [pair.opening for pair in pairs if pair.opening not in closing]


def _is_spaced_closing(before: str, pair: Pair) -> bool:
    """Return whether the writer left the space before a closing mark that French requires."""
    words = before.rstrip(" \u00a0")
    return pair.closing.startswith(NARROW_SPACE) and words != before and words[-1:] in ".!?…,;"


def _open_pairs(before: str, pairs: list[Pair]) -> list[Pair]:
    """Return the quotes that are not closed yet, the innermost last."""
    opened = list[Pair]()
    for mark in before:
        closed = next((pair for pair in reversed(opened) if pair.closing.strip() == mark), None)
        if closed is not None:
            del opened[opened.index(closed) :]
            continue
        opened += [pair for pair in pairs if pair.opening.strip() == mark]
    return opened


def _elided(before: str, language: str, quotes: Quotes) -> Ending | None:
    """Turn a presumed opening mark into an apostrophe, once the following text shows that it is one."""
    opening = quotes.single.opening
    place = before.rfind(opening, max(len(before) - _LONGEST_ELIDED, 0))
    if place < 0 or before[max(place - 1, 0) : place].isalnum():
        return None
    behind = before[place + len(opening) :]
    is_year = len(behind) == 3 and behind[:2].isdecimal() and not behind[2].isdecimal()
    is_year = is_year and (quotes.has_years or behind[2] in "se")  # the ’90s, die ’68er
    word = _ELIDED.fullmatch(behind)
    is_word = (
        word is not None
        and re.fullmatch(_ELISIONS.get(language, ""), word[1], re.IGNORECASE) is not None
        and (not word[2] or word[1].lower() == "n")  # rock ’n’ roll
    )
    return Ending(place, APOSTROPHE + behind) if is_year or is_word else None


def _within_word(before: str, quotes: Quotes) -> Ending | None:
    """Turn a presumed closing mark into an apostrophe when a letter follows it."""
    if before[-2:-1] != quotes.single.closing or not before[-1:].isalpha() or not before[-3:-2].isalpha():
        return None
    return Ending(len(before) - 2, APOSTROPHE + before[-1]) if before[-2] != APOSTROPHE else None


# ------------------------------------------------------------ dashes
def _dash(before: str) -> Ending | None:
    """Turn hyphens into dashes, except where a line of hyphens may become a scene break."""
    if not before.strip(" \t-"):
        return None
    if before.endswith("–-"):
        return Ending(len(before) - 2, "—")
    if before.endswith("--") and not before.endswith("---"):
        return Ending(len(before) - 2, "–")
    return None


def _first_dash(before: str) -> Ending | None:
    """Turn the hyphens that begin a line into a dash, once a word shows that it is no scene break."""
    found = _DASHES_FIRST.match(before)
    if found is None:
        return None
    dash = "–" if len(found[1]) == 2 else "—"
    return Ending(found.start(1), dash + before[found.end(1) :])

"""One folding for search, card keys, echoes and avoided words: spellings that readers take for the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

QUOTES = {
    "'": "\u2018\u2019\u201a\u201b\u2039\u203a\u02bc\uff07",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02",
}
"""Plain quotation marks, and those of typesetters that go with them."""
SAME = (
    ("...", "\u2026"),
    ("--", "\u2014", "\u2013", "\u2015"),
    ("-", "\u2010", "\u2011"),
    (" ", "\u00a0", "\u202f", "\u2007"),
)
"""Other signs, the one of a keyboard first and the usual one of typesetters second."""
UNSEEN = "\u00ad\u200b\u2060\ufeff"
"""Soft hyphens and other characters that show nothing."""
CHARACTERS = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uf900-\ufaff\uff66-\uff9d"
    "\U0001aff0-\U0001b16f\U00020000-\U0003fffd"
)
"""The characters of Chinese and Japanese, for a class of a pattern."""
UNSPACED = f"{CHARACTERS}\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
"""Those of all scripts whose words no spaces part."""
_UNSEEN = re.compile(f"[{UNSEEN}]")
_PLAIN = {ord(mark): plain for plain, marks in QUOTES.items() for mark in marks}


def plain_quotes(text: str) -> str:
    """Return a text of the same length with plain quotation marks only."""
    if text.isascii():
        return text
    for plain, typographic in QUOTES.items():
        for mark in typographic:  # replace() is many times as fast as translate() on a long text
            text = text.replace(mark, plain)
    return text


def folded(word: str) -> str:
    """Return a word as it is compared: in small letters, composed, with plain apostrophes."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", _UNSEEN.sub("", word)).lower().translate(_PLAIN)


def spellings(phrase: str) -> set[str]:
    """Return a phrase as keyboards and typesetters write it, with letters composed and not."""
    phrase = unicodedata.normalize("NFC", _UNSEEN.sub("", phrase))
    plain = phrase.translate(_PLAIN)
    for keyboard, *others in SAME:
        for other in others:
            plain = plain.replace(other, keyboard)
    forms = {phrase, plain, *_typeset(plain)}
    return forms | {unicodedata.normalize("NFD", form) for form in forms}


def _typeset(plain: str) -> Iterator[str]:
    """Yield a phrase from a keyboard as typesetters write it, and with either kind of sign alone."""
    quoted = re.sub(r"(?<!\S)\"", "\u201c", plain).replace('"', "\u201d").replace("'", "\u2019")
    signs = (SAME[0], SAME[1], (SAME[1][0], SAME[1][2]))
    for form in (plain, quoted):
        yield form
        for keyboard, typeset, *_ in signs:
            yield form.replace(keyboard, typeset)
        yield form.replace(*SAME[0][:2]).replace(*SAME[1][:2])

"""Counting words while they are written, and finding the end of a sentence.

Chinese and Japanese are counted in characters, as their readers count them; Thai in words, which BudouX tells
apart; all others in what spaces and dashes part, so Lao, Khmer and Burmese in phrases: no library here has
their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import filterfalse, islice
from typing import TYPE_CHECKING

from quire_engine.api.folding import CHARACTERS

if TYPE_CHECKING:
    from budoux import Parser

_PARTS = "\\s—–\u200b"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
_LONGEST_THAI = 300
"""Most characters segmented together; nobody writes as many without a space."""
_THAI_CONTEXT = 2
"""Characters after a place that decide whether a word ends there."""
_FAR = re.compile("[^\0-\u0dff\u1e00-\u2dff]")
"""Where no letters of Europe and no usual signs are: it is found at once that a text has nothing there."""
_UNSPACED = re.compile(f"[{CHARACTERS}{_THAI}]")
_TOKEN = re.compile(f"[{CHARACTERS}]|[{_THAI}]{{1,{_LONGEST_THAI}}}|[^{_PARTS}{CHARACTERS}{_THAI}]+")
_THAI_LETTER = re.compile(f"[{_THAI}]")
_CHARACTER = re.compile(f"[{CHARACTERS}]")
_WORD_CHARACTER = re.compile(r"[^\W_]")
_SENTENCE_END = re.compile("[.!?…。\uff01\uff1f｡؟\u06d4।][”’\"')」』】\uff09]*$")
_ABBREVIATION = re.compile(r"(?:^|[\s—“‘(])(?:Mr|Mrs|Ms|Dr|St|Messrs|Rev|Capt|Col|Gen|Esq|No|vol|[A-Z])\.$")


def count_words(text: str) -> int:
    """Return the number of words in a text: the one count that the engine's goal and the window both use."""
    if not text.isascii() and _FAR.search(text) and _UNSPACED.search(text):
        return sum(map(_words_of, _TOKEN.findall(text)))
    # not a pattern, which is the same and several times slower on a whole book
    pieces = text.replace("—", " ").replace("–", " ").replace("\u200b", " ").split()
    odd = filterfalse(str.isalnum, pieces)  # a fifth of them; the others are words through and through
    is_word = _WORD_CHARACTER.search
    none = [one for one in odd if not (one[0].isalnum() or one[-1].isalnum() or is_word(one))]
    return len(pieces) - len(none)


def word_ends(text: str) -> Iterator[int]:
    """Yield where the words of a text end."""
    for token in _TOKEN.finditer(text):
        if _THAI_LETTER.match(token.group()):
            yield from (token.start() + place for place in _thai_ends(token.group()))
        elif _words_of(token.group()):
            yield token.end()


def end_of_word(text: str, number: int) -> int:
    """Return where a word ends, counted from 1; 0 for number 0, the whole length where there are fewer."""
    return 0 if number <= 0 else next(islice(word_ends(text), number - 1, None), len(text))


def parts_words(text: str, place: int) -> bool:
    """Whether no word crosses a place, so that both sides can be counted alone."""
    if not 0 < place < len(text):
        return True
    return not _TOKEN.fullmatch(text, place - 1, place + 1)


def ends_sentence(paragraph: str) -> bool:
    """Whether a paragraph stops, or is about to begin, where a reader would: outside of open quotes."""
    if paragraph == "":
        return True
    if not _SENTENCE_END.search(paragraph) or _ABBREVIATION.search(paragraph):
        return False
    return all(paragraph.count(opening) <= paragraph.count(closing) for opening, closing in ("“”", "「」"))


class WordCounter:
    """Counts words in a text that arrives in pieces; a word counts once something follows it."""

    def __init__(self) -> None:
        self._closed = 0
        self._open = ""
        self._paragraph = ""

    def add(self, text: str) -> None:
        """Add a piece of text."""
        whole = self._open + text
        tokens = _TOKEN.findall(whole)
        is_open = bool(tokens) and whole.endswith(tokens[-1]) and not _CHARACTER.match(tokens[-1])
        self._open = tokens.pop() if is_open else ""
        self._closed += sum(map(_words_of, tokens))
        self._paragraph = (self._paragraph + text).rpartition("\n")[2]

    @property
    def num_words(self) -> int:
        """Whole words so far."""
        certain = len(self._open) - _THAI_CONTEXT
        is_thai = certain > 0 and _THAI_LETTER.match(self._open)
        return self._closed + (sum(end < certain for end in _thai_ends(self._open)) if is_thai else 0)

    @property
    def at_sentence_end(self) -> bool:
        """Say whether the text stops where a reader would: after a sentence, outside of open quotes."""
        return ends_sentence(self._paragraph)


def _words_of(token: str) -> int:
    if _THAI_LETTER.match(token):
        return len(_thai_ends(token))
    return 1 if _WORD_CHARACTER.search(token) else 0


@lru_cache(maxsize=2**14)
def _thai_ends(stretch: str) -> tuple[int, ...]:
    """Return where the words of a stretch of Thai letters end."""
    ends, end = list[int](), 0
    for word in _thai_parser().parse(stretch):
        end += len(word)
        ends.append(end)
    return tuple(ends)


@lru_cache(maxsize=1)
def _thai_parser() -> Parser:
    from budoux import load_default_thai_parser  # needed for Thai only

    return load_default_thai_parser()

"""Counting words while they are written, and finding the end of a sentence."""

from __future__ import annotations

import re
from itertools import filterfalse, islice

_SEPARATORS = re.compile(r"[\s—–]+")
_PIECE = re.compile(r"[^\s—–]+")
_WORD_CHARACTER = re.compile(r"[^\W_]")
_SENTENCE_END = re.compile(r"[.!?…][”’\"')]*$")
_ABBREVIATION = re.compile(r"(?:^|[\s—“‘(])(?:Mr|Mrs|Ms|Dr|St|Messrs|Rev|Capt|Col|Gen|Esq|No|vol|[A-Z])\.$")


def count_words(text: str) -> int:
    """Return the number of words in a text: the one count that the engine's goal and the window both use."""
    # not _SEPARATORS.split, which is the same and several times slower on a whole book
    pieces = text.replace("—", " ").replace("–", " ").split()
    odd = list(filterfalse(str.isalnum, pieces))  # a fifth of them; the others are words through and through
    return len(pieces) - sum(1 for piece in odd if not (piece[0].isalnum() or _WORD_CHARACTER.search(piece)))


def end_of_word(text: str, number: int) -> int:
    """Return where a word ends, counted from 1; 0 for number 0, the whole length where there are fewer."""
    if number <= 0:
        return 0
    words = (piece for piece in _PIECE.finditer(text) if _WORD_CHARACTER.search(piece.group()))
    found = next(islice(words, number - 1, None), None)
    return len(text) if found is None else found.end()


def is_separator(character: str) -> bool:
    """Whether a character parts words."""
    return character.isspace() or character in "—–"


def ends_sentence(paragraph: str) -> bool:
    """Whether a paragraph stops, or is about to begin, where a reader would: outside of open quotes."""
    if paragraph == "":
        return True
    if not _SENTENCE_END.search(paragraph) or _ABBREVIATION.search(paragraph):
        return False
    return paragraph.count("“") <= paragraph.count("”")


class WordCounter:
    """Counts words in a text that arrives in pieces; a word counts once something follows it."""

    def __init__(self) -> None:
        self.num_words = 0
        self._open = ""
        self._paragraph = ""

    def add(self, text: str) -> None:
        """Add a piece of text."""
        *done, self._open = _SEPARATORS.split(self._open + text)
        self.num_words += sum(1 for piece in done if _WORD_CHARACTER.search(piece))
        self._paragraph = (self._paragraph + text).rpartition("\n")[2]

    @property
    def at_sentence_end(self) -> bool:
        """Say whether the text stops where a reader would: after a sentence, outside of open quotes."""
        return ends_sentence(self._paragraph)

"""Which words of a paragraph are checked, and which of them the writer's own word list settles."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import lru_cache

import regex  # type: ignore[import-untyped]

MAX_WORD_CHARS = 60
"""Nothing longer is a word; it is left alone."""
_REMEMBERED_WORDS = 8_192
"""A chapter has a third as many different ones."""
_APOSTROPHES = "'\u2019\u02bc"
_BEFORE_A_WORD = _APOSTROPHES + "\u2018"
"""What smart typing makes of the apostrophe of 'tis is wrong, and so common that it is no mistake."""
_INVISIBLE = "\u00ad\u2060\ufeff"
"""A soft hyphen and joiners: they may stand within a word and are not part of its spelling."""
_PLAIN = str.maketrans(dict.fromkeys(_APOSTROPHES[1:], "'") | dict.fromkeys(_INVISIBLE))
_PLAIN_HYPHENS = str.maketrans("\u2010\u2011", "--")
_BIT = rf"[\p{{L}}\p{{N}}][\p{{L}}\p{{M}}\p{{N}}\u200c\u200d{_INVISIBLE}]*"
_NOT_PROSE = regex.compile(
    r"[a-z][a-z0-9+.-]*://\S+|www\.\S+|[^\s<>()]+@[^\s<>()]+\.\w+|(?<!\w)[@#]\w+"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|info|io|co\.uk)\b(?:/\S*)?",
    regex.IGNORECASE,
)
"""Addresses, names on the net, tags."""
_SIGNS_OF_THEM = ("@", "#", "://", "www.", ".com", ".org", ".net", ".edu", ".gov", ".info", ".io", ".co.")
"""Without one of these there are none: most paragraphs need no closer look."""
_COMPOUND = regex.compile(rf"{_BIT}(?:[{_APOSTROPHES}_\u2010\u2011-]{_BIT})*")
_HYPHEN, _PART = regex.compile(r"[\u2010\u2011-]"), regex.compile(r"[^\u2010\u2011-]+")
_NO_WORD = regex.compile(r"[\p{N}_]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a paragraph and its place, in characters (code points).

    Attributes:
        forms: the forms that a dictionary may know (alone, with the apostrophe before or after it, as part of
            a hyphenated word), in plain spelling; if one of them is right, the word is.
    """

    text: str
    start: int
    end: int
    forms: tuple[str, ...]


def plain_form(text: str) -> str:
    """Return a word as dictionaries spell it: composed letters, straight apostrophes, nothing invisible."""
    plain = text.translate(_PLAIN).translate(_PLAIN_HYPHENS)
    return plain if plain.isascii() else unicodedata.normalize("NFC", plain)


def words_to_check(paragraph: str, passed_by: Container[str] = ()) -> tuple[Word, ...]:
    """Return the words to check: no numbers, initials, CAPITALS, addresses.

    Args:
        passed_by: words, as spelled in the text, to skip; it saves most of the time.
    """
    skipped = _places_of_no_prose(paragraph)
    words: list[Word] = []
    for compound in _COMPOUND.finditer(paragraph):
        text = compound.group()
        if text in passed_by:
            continue
        begin, end = compound.span()
        if skipped and any(start < end and begin < stop for start, stop in skipped):
            continue
        if _HYPHEN.search(text):
            whole = plain_form(text)
            for part in _PART.finditer(paragraph, begin, end):
                _add(words, paragraph, part.start(), part.end(), whole)
        else:
            _add(words, paragraph, begin, end, "")
    return tuple(words)


def _add(words: list[Word], paragraph: str, start: int, end: int, whole: str) -> None:
    text = paragraph[start:end]
    core = _judged_form(text)
    if not core:
        return
    forms = [core]
    if start and paragraph[start - 1] in _BEFORE_A_WORD:
        forms.append("'" + core)
    if end < len(paragraph) and paragraph[end] in _APOSTROPHES:
        forms.append(core + "'")
    if whole:
        forms.append(whole)
    words.append(Word(text, start, end, tuple(forms)))


@lru_cache(_REMEMBERED_WORDS)
def _judged_form(text: str) -> str:
    """Return the plain form of a word; empty for what is not checked."""
    if len(text) > MAX_WORD_CHARS or _NO_WORD.search(text):
        return ""
    form = plain_form(text)
    core = form.removesuffix("'s")
    return form if len(core) > 1 and not core.isupper() else ""


def _places_of_no_prose(paragraph: str) -> list[tuple[int, int]]:
    small = paragraph.lower()
    if not any(sign in small for sign in _SIGNS_OF_THEM):
        return []
    return [match.span() for match in _NOT_PROSE.finditer(paragraph)]


def as_in(paragraph: str, suggestion: str) -> str:
    """Return a suggestion with the kind of apostrophe that the paragraph uses."""
    return suggestion.replace("'", "\u2019") if "\u2019" in paragraph else suggestion


class WordList:
    """An immutable list of words that are right in this book, whatever a dictionary says.

    A word in small letters is right with a capital as well; one with capitals only as written. Each is also
    right with 's or an apostrophe after it.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._words = frozenset(filter(is_listable, map(plain_form, words)))
        self._capitals = frozenset(word.upper() for word in self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordList) and self._words == other._words

    def __hash__(self) -> int:
        return hash(self._words)

    @property
    def words(self) -> tuple[str, ...]:
        """The words, sorted for a reader."""
        return tuple(sorted(self._words, key=lambda word: (word.casefold(), word)))

    def __contains__(self, form: str) -> bool:
        return self._has(form) or (
            "'" in form and (self._has(form.removesuffix("'s")) or self._has(form.removesuffix("'")))
        )

    def with_words(self, words: Iterable[str]) -> WordList:
        """Return the list with words added."""
        return WordList((*self._words, *words))

    def without(self, words: Iterable[str]) -> WordList:
        """Return the list with words removed."""
        return WordList(self._words.difference(map(plain_form, words)))

    def _has(self, form: str) -> bool:
        if form in self._words or form[:1].lower() + form[1:] in self._words:
            return True
        return form.isupper() and form in self._capitals


def is_listable(word: str) -> bool:
    """Return whether something is valid in a word list: one word, with a letter in it."""
    return (
        0 < len(word) <= MAX_WORD_CHARS
        and word.isprintable()
        and not any(letter.isspace() for letter in word)
        and any(letter.isalpha() for letter in word)
    )


def words_of_file(text: str) -> tuple[str, ...]:
    """Return the words of a word list file, one per line; invalid lines are left out.

    A slash and what follows it are dictionary flags, not part of the word.
    """
    lines = (line.partition("/")[0].split() for line in text.lstrip("\ufeff").splitlines())
    return tuple(word for line in lines for word in line if is_listable(plain_form(word)))


_NAME = regex.compile(r"(?<=[\p{Ll},;]\s)\p{Lu}\p{Ll}[\p{L}\p{M}]*(?:['\u2019-]\p{L}+)*")
"""A word with a capital within a sentence."""
_TIMES = 3
"""A name may be a slip once or twice."""


def names_in(texts: Iterable[str], titles: Iterable[str]) -> WordList:
    """Return the names of a book: words that begin with a capital within sentences again and again.

    Args:
        titles: of characters and places, each word of which is a name.
    """
    counts = Counter(
        match.removesuffix("'s").removesuffix("\u2019s") for text in texts for match in _NAME.findall(text)
    )
    often = (name for name, times in counts.items() if times >= _TIMES)
    return WordList([*often, *(match.group() for title in titles for match in _COMPOUND.finditer(title))])


class Judge:
    """Decides about words by the dictionary's verdicts, the book's lists, and what is ignored for now."""

    def __init__(self) -> None:
        self._verdicts: dict[str, bool] = {}
        self.word_list = WordList()
        self.names = WordList()
        self.ignored = WordList()

    def forget_verdicts(self) -> None:
        """Forget all verdicts, for another dictionary."""
        self._verdicts.clear()

    def learn(self, right: Iterable[str], wrong: Iterable[str]) -> None:
        """Add verdicts of a dictionary."""
        self._verdicts.update(dict.fromkeys(right, True))
        self._verdicts.update(dict.fromkeys(wrong, False))

    def is_right(self, word: Word) -> bool | None:
        """Return whether a word is right; None until the dictionary was asked."""
        verdicts = [self._verdicts.get(form) for form in word.forms]
        if True in verdicts:
            return True
        if any(map(self._is_listed, word.forms)):
            return True
        return None if None in verdicts else False

    def is_right_anywhere(self, word: Word) -> bool:
        """Return whether a word is right as written, regardless of its neighbours."""
        alone = word.forms[0]
        return self._verdicts.get(alone, False) or self._is_listed(alone)

    def _is_listed(self, form: str) -> bool:
        return form in self.word_list or form in self.names or form in self.ignored

    def unknown_forms(self, word: Word) -> tuple[str, ...]:
        """Return the forms of a word that the dictionary must be asked about."""
        return tuple(form for form in word.forms if form not in self._verdicts)

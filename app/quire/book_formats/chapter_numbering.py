"""Numbers of chapters: found in their titles, and replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quire.book_formats.export_settings import Numbering
from quire.domain.manuscript.headings import all_headings

_CHAPTER = {
    "de": "Kapitel",
    "en": "Chapter",
    "es": "Capítulo",
    "fr": "Chapitre",
    "it": "Capitolo",
    "nl": "Hoofdstuk",
    "pl": "Rozdział",
    "pt": "Capítulo",
    "ru": "Глава",
}


def numbered(titles: Sequence[str], numbering: Numbering, language: str) -> Iterator[str]:
    """Yield the heading of each chapter; prologues and untitled chapters keep theirs."""
    word, number = _CHAPTER.get(language[:2].lower(), _CHAPTER["en"]), 0
    for title in titles:
        label, own = split_title(title)
        if numbering is Numbering.KEPT or not title or (label and " " not in label and not label.isdecimal()):
            yield title
            continue
        number += 1
        has_own = own and numbering is Numbering.NUMBERED
        yield f"{word} {number}: {own}" if has_own else f"{word} {number}"


def split_title(title: str) -> tuple[str, str]:
    """Return the number at the start of a title and the rest; one of them may be empty.

    A word that names a chapter without a number, such as "Prologue", counts as one.
    """
    words = title.split()
    if len(words) == 1 and title.strip(" .").isdecimal():
        return title.strip(" ."), ""
    whole = all_headings(title)
    if not whole or title.lstrip().startswith("#"):
        return "", title
    for length in range(1, len(words) + 1):
        label = " ".join(words[:length])
        found = all_headings(label)
        if found and found[0].key == whole[0].key:
            return label.rstrip(" .:—–-"), " ".join(words[length:]).lstrip(" .:—–-")
    return "", title

"""Counts what an import leaves out, by kind, and keeps its words, so that nothing vanishes in silence."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

KINDS = (
    "picture", "note", "comment", "table", "missing page", "title page", "table of contents", "hidden text",
    "running head", "diagram", "page beside the text", "front matter", "other text",
)  # fmt: skip
"""Kinds of text that may be left out; the preview names each of them."""
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"[*_`~\\\u00ad]")


@dataclass(slots=True)
class LeftOut:
    """Counts what was left out by kinds, and keeps its words.

    Attributes:
        inserted: texts of other files, by the lines that stand for them in the text.
        remarks: the comments of the file by their ids, until they come along or are counted.
        source: the words that have to arrive; empty where nothing in between could lose any.
    """

    counts: Counter[str] = field(default_factory=Counter)
    texts: list[str] = field(default_factory=list)
    inserted: dict[str, str] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    source: str = ""

    def add(self, kind: str, words: str = "", number: int = 1) -> None:
        """Count what was left out, with its words if it has any."""
        self.counts[kind] += number
        if words := words.strip():
            self.texts.append(words)

    def add_once(self, kind: str, words: str) -> None:
        """Count repeated text, such as a running head, only once."""
        if (words := words.strip()) and words not in self.texts:
            self.add(kind, words)

    def add_missing(self, text: str) -> None:
        """Count source words found neither in the text nor in what was left out."""
        if not self.source:
            return
        there = Counter(_lines(text))
        lost = list[str]()
        for line in _lines(self.source):  # most come as they were, and need no look at their words
            if line not in self.inserted and not there[line]:
                lost.append(line)
            there[line] -= 1
        rest = (line for line, number in there.items() for _ in range(number))
        arrived = Counter(_WORD.findall("\n".join([*rest, *map(_plain, self.texts)])))
        missing = list[str]()
        for word in _WORD.findall("\n".join(lost)):
            arrived[word] -= 1
            if arrived[word] < 0:
                missing.append(word)
        if missing:
            self.add("other text", " ".join(missing))


def _plain(text: str) -> str:
    return _MARKS.sub("", text)


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in _plain(text).split("\n")]

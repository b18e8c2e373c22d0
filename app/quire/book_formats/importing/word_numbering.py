"""Numbers the paragraphs of a Word file as Word shows them: "Chapter 1", "a)", "1.2.", or a dash."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from quire.book_formats.importing.plain_markup import bullet, numeral
from quire.book_formats.importing.word_package import W

_FORMS = {
    "upperRoman": "I", "lowerRoman": "i", "upperLetter": "A", "lowerLetter": "a", "decimalZero": "01",
    "ordinal": "1st", "cardinalText": "one", "ordinalText": "first",
}  # fmt: skip
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""


@dataclass(slots=True)
class WordNumbering:
    """Counts the paragraphs of each list.

    Attributes:
        lists: the levels of lists by their numbers, and the list that each of them counts with.
        counts: how far the levels of each list have come.
    """

    lists: dict[str, tuple[str, dict[int, _Level]]] = field(default_factory=dict)
    counts: dict[str, dict[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Element | None) -> WordNumbering:
        """Return the lists that a file defines."""
        made = cls()
        if root is None:
            return made
        kinds = {
            one.get(f"{W}abstractNumId", ""): dict(map(_level, one.findall(f"{W}lvl")))
            for one in root.iter(f"{W}abstractNum")
        }
        for number in root.iter(f"{W}num"):
            kind, own = number.find(f"{W}abstractNumId"), number.get(f"{W}numId", "")
            key = "" if kind is None else kind.get(f"{W}val", "")
            levels, begins_anew = dict(kinds.get(key, {})), False
            for override in number.findall(f"{W}lvlOverride"):
                place = _whole(override.get(f"{W}ilvl"), 0)
                if (level := override.find(f"{W}lvl")) is not None:
                    levels[place] = _level(level)[1]
                if (start := override.find(f"{W}startOverride")) is not None:
                    old, begins_anew = levels.get(place, _Level()), True
                    levels[place] = _Level(_whole(start.get(f"{W}val"), 1), old.form, old.text)
            made.lists[own] = (f"num {own}" if begins_anew else key, levels)
        return made

    def knows(self, number: str, level: int) -> bool:
        """Return whether a list has a level."""
        return level in self.lists.get(number, ("", {}))[1]

    def label(self, number: str, level: int) -> str:
        """Return what stands before the next paragraph of a list; empty where nothing does."""
        key, levels = self.lists.get(number, ("", {}))
        if level not in levels:
            return ""
        counts, about = self.counts.setdefault(key, {}), levels[level]
        counts[level] = counts.get(level, about.start - 1) + 1
        for deeper in [one for one in counts if one > level]:
            del counts[deeper]
        if about.form == "bullet":
            return bullet(about.text.strip())
        if about.form == "none" and not _PLACE.search(about.text):
            return about.text.strip()

        def shown(found: re.Match[str]) -> str:
            place = int(found[1]) - 1
            other = levels.get(place, _Level())
            return "" if other.form == "none" else numeral(counts.get(place, other.start), _form(other))

        return _PLACE.sub(shown, about.text).strip()


def _form(level: _Level) -> str:
    return _FORMS.get(level.form, "1")


def _level(level: Element) -> tuple[int, _Level]:
    def told(name: str, otherwise: str) -> str:
        found = level.find(f"{W}{name}")
        return otherwise if found is None else found.get(f"{W}val", otherwise)

    form = told("numFmt", "decimal")
    return _whole(level.get(f"{W}ilvl"), 0), _Level(_whole(told("start", "1"), 1), form, told("lvlText", ""))


def _whole(written: str | None, otherwise: int) -> int:
    return int(written) if written and written.isdecimal() and len(written) < 6 else otherwise

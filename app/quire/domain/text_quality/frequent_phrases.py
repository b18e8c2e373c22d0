"""Phrases of three to eight words that a book uses often, beside how often published novels use them."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from quire.domain.text_quality.echo_report import Place, csv_cell
from quire.domain.text_quality.text_units import Unit, units_in

SHORTEST, LONGEST = 3, 8
"""Words of a phrase."""
MIN_TIMES = 3
MAX_PHRASES = 200
PER_WORDS = 100_000
"""Words that rates refer to."""
RAREST_RATE = 0.5
"""The lowest rate in the table of published novels; what is not in it is rarer."""
_ALONE = 0.25
"""Share of a phrase's places that must be outside of longer ones for it to be listed, too."""
_BREAK = 0


@dataclass(frozen=True, slots=True)
class FrequentPhrase:
    """A phrase of the book.

    Attributes:
        text: as it is written most often.
        places: all of them, in order.
        rate: per 100,000 words of the book.
        novels: the same in published novels; 0: less than RAREST_RATE; None where it was not measured.
    """

    text: str
    places: tuple[Place, ...]
    rate: float
    novels: float | None

    @property
    def count(self) -> int:
        """How often it occurs."""
        return len(self.places)


@dataclass(frozen=True, slots=True)
class PhraseReport:
    """The phrases that stand out most, the worst first; num_words: of the book."""

    phrases: tuple[FrequentPhrase, ...] = ()
    num_words: int = 0


def frequent_phrases(texts: Sequence[tuple[int, str]], novels: Mapping[str, float] | None) -> PhraseReport:
    """Return the phrases that a book uses more often than published novels do.

    No phrase reaches over a punctuation mark. One that nearly always comes as a part of a longer one is left
    out.

    Args:
        texts: of the book, each with its number.
        novels: occurrences per 100,000 words of published novels, by phrase in lower case with straight
            apostrophes; None: nothing is known about novels in this language.
    """
    words = _Words(texts)
    if not words.num_words:
        return PhraseReport()
    found: list[tuple[float, FrequentPhrase]] = []
    for first_words, length in _whole_phrases(words.ids):
        name = words.name(first_words[0], length)
        known = None if novels is None else novels.get(name, 0.0)
        rate = len(first_words) * PER_WORDS / words.num_words
        usual = max(known or 0.0, RAREST_RATE)
        if rate > usual:
            phrase = FrequentPhrase(
                words.written(first_words, length),
                tuple(words.place(first, length) for first in first_words),
                rate,
                known,
            )
            found.append((len(first_words) * math.log(rate / usual), phrase))
    found.sort(key=lambda one: (-one[0], one[1].text))
    return PhraseReport(tuple(phrase for _, phrase in found[:MAX_PHRASES]), words.num_words)


def phrases_csv(report: PhraseReport, titles: Mapping[int, str]) -> str:
    """Return a report as CSV: a line for each phrase, with its places as "title: character"."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["phrase", "times", "per_100000_words", "published_novels", "places"])
    for one in report.phrases:
        novels = "" if one.novels is None else one.novels or f"<{RAREST_RATE}"
        places = "; ".join(f"{titles.get(p.document_id, '')}: {p.start}" for p in one.places)
        writer.writerow([csv_cell(one.text), one.count, round(one.rate, 1), novels, csv_cell(places)])
    return stream.getvalue()


class _Words:
    """The words of a book one after another, as numbers; 0 stands where no phrase goes on."""

    def __init__(self, texts: Sequence[tuple[int, str]]) -> None:
        self._texts = dict(texts)
        self._numbers: dict[str, int] = {}
        self._units: list[Unit | None] = []
        self._documents: list[int] = []
        self.ids: list[int] = []
        self.num_words = 0
        for document_id, text in texts:
            for unit in units_in(text):
                self._add(document_id, unit)
            self._add(document_id, None)

    def _add(self, document_id: int, unit: Unit | None) -> None:
        is_word = unit is not None and (unit.text[0].isalnum() or unit.text[0] == "_")
        number = _BREAK
        if unit is not None and is_word:
            word = unit.text.replace("\u2019", "'")
            number = self._numbers.setdefault(word, len(self._numbers) + 1)
            self.num_words += 1
        self.ids.append(number)
        self._units.append(unit if is_word else None)
        self._documents.append(document_id)

    def name(self, first: int, length: int) -> str:
        """Return a phrase in lower case, with straight apostrophes."""
        units = self._units[first : first + length]
        return " ".join(unit.text.replace("\u2019", "'") for unit in units if unit is not None)

    def place(self, first: int, length: int) -> Place:
        """Return where a phrase is."""
        start, end = self._units[first], self._units[first + length - 1]
        assert start is not None
        assert end is not None
        return Place(self._documents[first], start.start, end.end)

    def written(self, first_words: Sequence[int], length: int) -> str:
        """Return a phrase as it is written most often."""
        places = (self.place(first, length) for first in first_words)
        written = Counter(" ".join(self._texts[p.document_id][p.start : p.end].split()) for p in places)
        return written.most_common(1)[0][0]


def _whole_phrases(ids: Sequence[int]) -> list[tuple[list[int], int]]:
    """Return phrases that come often enough outside of longer ones: the indexes of their first words, and
    their lengths, the longest phrases first."""
    reach = [0] * len(ids)  # end of the longest phrase so far over each word
    found: list[tuple[list[int], int]] = []
    for length, groups in reversed(_repeated(ids)):
        kept = [firsts for firsts in groups if _is_whole(firsts, length, reach)]
        for firsts in kept:
            found.append((firsts, length))
            for first in firsts:
                for place in range(first, first + length):
                    reach[place] = max(reach[place], first + length)
    return found


def _is_whole(firsts: Sequence[int], length: int, reach: Sequence[int]) -> bool:
    """Return whether a phrase comes often enough outside of longer ones."""
    alone = sum(reach[first] < first + length for first in firsts)
    return alone >= max(MIN_TIMES, len(firsts) * _ALONE)


def _repeated(ids: Sequence[int]) -> list[tuple[int, list[list[int]]]]:
    """Return, for each length, the groups of indexes at which the same phrase of that length begins.

    A phrase repeats only if both of its parts that are one word shorter do, so that few are looked at.
    """
    classes = {place: number for place, number in enumerate(ids) if number != _BREAK}
    found: list[tuple[int, list[list[int]]]] = []
    for length in range(2, LONGEST + 1):
        groups: dict[tuple[int, int], list[int]] = {}
        for place, number in classes.items():
            after = classes.get(place + 1)
            if after is not None:
                groups.setdefault((number, after), []).append(place)
        often = [places for places in groups.values() if len(places) >= MIN_TIMES]
        classes = {place: number for number, places in enumerate(often) for place in places}
        if length >= SHORTEST:
            found.append((length, often))
    return found

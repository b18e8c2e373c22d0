"""Echoes of texts in characters: for the overlay and the list of the worst ones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from quire.domain.text_quality.echo_report import EchoLine, EchoReport, Place
from quire.domain.text_quality.echoes import ECHO_UNITS, Echoes, EchoGroup
from quire.domain.text_quality.ngrams import NgramIndex
from quire.domain.text_quality.overlays import OverlaySpan, SpanKind
from quire.domain.text_quality.text_units import UnitText

MAX_LINES = 100
"""More of the worst echoes than anybody mends."""
_SEPARATOR = "\n\n"


class EchoedText:
    """A text and its echoes."""

    def __init__(self, text: str) -> None:
        self._text = UnitText()
        self._text.add(text)
        self._text.finish()
        index = NgramIndex((ECHO_UNITS,))
        self._echoes = Echoes(index)
        index.add_all(self._text.units)
        self._echoes.update()

    @property
    def num_units(self) -> int:
        """How many words and marks it has."""
        return len(self._text)

    @property
    def share(self) -> float | None:
        """The share of echoes in the text; None where it has no words."""
        return self._echoes.whole_share()

    def spans(self) -> tuple[OverlaySpan, ...]:
        """Return echoes with their twins, and their originals with the first echo, in order, without
        overlaps.
        """
        echoes, echoed = list[OverlaySpan](), list[OverlaySpan]()
        for span in self._echoes.spans():
            here = self._text.chars_of(span.start, span.end)
            there = self._text.chars_of(span.twin, span.twin_end)
            echoes.append(OverlaySpan(*here, SpanKind.ECHO, there))
            echoed.append(OverlaySpan(*there, SpanKind.ECHOED, here))
        kept = _without_overlaps(echoes)
        return tuple(sorted([*kept, *_between(echoed, kept)], key=lambda span: span.start))

    def worst(self, most: int = MAX_LINES) -> list[tuple[EchoGroup, list[tuple[int, int]]]]:
        """Return the groups of echoes with most units, each with its places in characters, in order."""
        return [(group, self._places(group)) for group in self._echoes.worst(most)]

    def _places(self, group: EchoGroup) -> list[tuple[int, int]]:
        stretches = {group.first, *((span.start, span.end) for span in group.spans)}
        return [self._text.chars_of(*stretch) for stretch in sorted(stretches)]


def echo_report(texts: Sequence[tuple[int, str]], most: int = MAX_LINES) -> EchoReport:
    """Return the worst echoes of consecutive texts, each given with its number."""
    whole = _SEPARATOR.join(text for _, text in texts)
    lengths = (len(text) + len(_SEPARATOR) for _, text in texts)
    starts = [0, *accumulate(lengths)]
    echoed = EchoedText(whole)
    lines: list[EchoLine] = []
    for group, stretches in echoed.worst(most):
        first = stretches[0]
        places = tuple(_place(texts, starts, *stretch) for stretch in stretches)
        lines.append(EchoLine(" ".join(whole[first[0] : first[1]].split()), group.num_units, places))
    return EchoReport(tuple(lines), echoed.share, echoed.num_units)


def _place(texts: Sequence[tuple[int, str]], starts: Sequence[int], start: int, end: int) -> Place:
    """Return the place of characters of the whole; an echo that extends into the next text is cut there."""
    number = bisect_right(starts, start) - 1
    first, (document_id, text) = starts[number], texts[number]
    return Place(document_id, start - first, min(end - first, len(text)))


def _without_overlaps(spans: Iterable[OverlaySpan]) -> list[OverlaySpan]:
    """Return spans in order, each cut where the next begins: an echo may begin within the one before."""
    found: list[OverlaySpan] = []
    for span in spans:
        if found and found[-1].end > span.start:
            last = found.pop()
            if last.start < span.start:
                found.append(OverlaySpan(last.start, span.start, last.kind, last.twin))
        found.append(span)
    return found


def _between(spans: Iterable[OverlaySpan], taken: Sequence[OverlaySpan]) -> list[OverlaySpan]:
    """Return the parts of spans that are not covered by other ones, each character once."""
    starts = [span.start for span in taken]
    found: list[OverlaySpan] = []
    done = 0
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        at = max(span.start, done)
        number = max(bisect_right(starts, at) - 1, 0)
        while at < span.end:
            while number < len(taken) and taken[number].end <= at:
                number += 1
            stop = min(span.end, taken[number].start) if number < len(taken) else span.end
            if stop > at:
                found.append(OverlaySpan(at, stop, span.kind, span.twin))
            at = taken[number].end if number < len(taken) and taken[number].start < span.end else span.end
        done = max(done, span.end)
    return found

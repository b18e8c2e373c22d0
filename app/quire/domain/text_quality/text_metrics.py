"""Measures a part of a text: its variety and its echoes. Imports numpy."""

from __future__ import annotations

from bisect import bisect_left

from quire.domain.drafting.take_metrics import TextFigures
from quire.domain.text_quality.echoes import Echoes
from quire.domain.text_quality.ngrams import NgramIndex
from quire.domain.text_quality.text_units import UnitText
from quire.domain.text_quality.variety import window_at
from quire_engine.metrics.distinct_n import WINDOW, WINDOW_STEP
from quire_engine.metrics.word_count import count_words

_LOOK_BACK = 40_000
"""Characters before a stretch that are looked at: more than 2,000 words have."""


def measured(text: str, start: int) -> TextFigures:
    """Return how a text reads from a place on; the text before it counts for repetitions."""
    first = max(start - _LOOK_BACK, 0)
    scanned = UnitText()
    scanned.add(text[first:])
    scanned.finish()
    index = NgramIndex()
    echoes = Echoes(index)
    index.add_all(scanned.units)
    echoes.update()
    begin, end = bisect_left(scanned.starts, start - first), len(scanned)
    if begin >= end:
        return TextFigures(0, None, None)
    return TextFigures(
        num_words=count_words(text[start:]),
        variety=_variety(index, begin, end),
        echoes=echoes.share_between(begin, end),
    )


def _variety(index: NgramIndex, begin: int, end: int) -> float | None:
    """Return the mean Distinct-2 of windows that end in a part: at its end, and backwards from there."""
    found: list[float] = []
    for num_units in range(end, max(begin, WINDOW - 1), -WINDOW_STEP):
        window = window_at(index, num_units)
        share = None if window is None else window.of(2)
        if share is not None:
            found.append(share)
    return sum(found) / len(found) if found else None

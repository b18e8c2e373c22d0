"""`python -m tests.proofs.app.alarms_on_novels --corpus DIR`: no published novel raises an alarm.

DIR holds books as `tests.training.corpus` reads them. Every one is watched as a draft would be, and
its extremes are compared with the bands that the alarms are set by.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean, median

from quire.domain.text_quality.alarms import Alarm
from quire.domain.text_quality.echoes import COPIED_UNITS, HUMAN_BOOK_ECHOES, HUMAN_COPIED_UNITS, HUMAN_ECHOES
from quire.domain.text_quality.text_monitor import TextWatch
from quire.domain.text_quality.variety import DISTINCT_ORDERS
from quire_engine.api.errors import EnvironmentProblem
from tests.training.corpus import read_books


@dataclass(frozen=True, slots=True)
class Band:
    """A measure's range in published novels; `median` is that of the books' averages, where it was
    measured."""

    lowest: float
    highest: float
    median: float | None = None


HUMAN_BOOKS = {
    1: Band(0.262, 0.373, 0.317),
    2: Band(0.737, 0.847, 0.793),
    3: Band(0.901, 0.983, 0.955),
    4: Band(0.954, 0.997, 0.988),
}
"""Windowed Distinct-n averaged over a book, of 171 English novels of the public domain."""
HUMAN_WINDOWS = {
    1: Band(0.176, 0.496),
    2: Band(0.586, 0.901),
    3: Band(0.767, 0.995),
    4: Band(0.855, 1.000),
}
"""Distinct-n of any window of these novels, 173,333 of them."""


@dataclass(frozen=True, slots=True)
class BookFigures:
    """What was measured of a book. windows: Distinct-1..4 of each window; window_echoes: their echoes."""

    title: str
    num_units: int
    windows: tuple[tuple[float, ...], ...]
    window_echoes: tuple[float, ...]
    echoes: float
    copied_units: int
    alarms: tuple[Alarm, ...]


def figures_of(title: str, text: str) -> BookFigures:
    """Watch a book from its first word to its last."""
    watch = TextWatch()
    alarms = watch.add(text) + watch.finish()
    full = [reading for reading in watch.readings if reading.window is not None]
    windows = [reading.window.ratios for reading in full if reading.window is not None]
    return BookFigures(
        title=title,
        num_units=len(watch.text),
        windows=tuple(tuple(ratio or 0.0 for ratio in ratios) for ratios in windows),
        window_echoes=tuple(watch.echoes.share(reading.num_units) or 0.0 for reading in full),
        echoes=watch.echoes.whole_share() or 0.0,
        copied_units=watch.echoes.longest_copied(),
        alarms=alarms,
    )


def report(books: Sequence[BookFigures], seconds: float) -> Iterator[str]:
    """Yield the lines of the report."""
    num_units, num_windows = sum(book.num_units for book in books), sum(len(book.windows) for book in books)
    yield f"{len(books)} books, {num_units:,} units, {num_windows:,} windows"
    yield f"{seconds:.0f} s of processor time, {1e6 * seconds / max(num_units, 1):.2f} ms for 1,000 units"
    long_ones = [book for book in books if book.windows]
    if long_ones:
        yield from _variety(long_ones)
        highest = max(share for book in long_ones for share in book.window_echoes)
        known = " - ".join(f"{share:.4f}" for share in HUMAN_BOOK_ECHOES)
        yield f"Echoes: books {_three([book.echoes for book in books], 4)}; highest window {highest:.3f}"
        yield f"    known: {known}; {HUMAN_ECHOES:.3f}"
    longest = max((book.copied_units for book in books), default=0)
    yield f"Longest copied passage: {longest} units (known: {HUMAN_COPIED_UNITS}, alarm from {COPIED_UNITS})"
    for book in books:
        for alarm in book.alarms:
            yield f"ALARM {book.title}: {alarm.kind.value} at character {alarm.start:,}: {alarm.sentence}"
    yield f"{sum(len(book.alarms) for book in books)} alarms"


def main(arguments: Sequence[str] | None = None) -> int:
    """Watch every book; exit status: 0 no alarm, 1 alarms, 2 no books."""
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.app.alarms_on_novels", description=__doc__)
    parser.add_argument(
        "--corpus", type=Path, required=True, help="folder with MANIFEST.tsv and .txt.xz shards"
    )
    parser.add_argument("--books", type=int, default=None, help="only the first so many")
    args = parser.parse_args(arguments)
    start = time.process_time()
    try:
        books = list(_watched(args.corpus, args.books))
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    sys.stdout.writelines(f"{line}\n" for line in report(books, time.process_time() - start))
    return 1 if any(book.alarms for book in books) else 0


def _watched(corpus: Path, most: int | None) -> Iterator[BookFigures]:
    # a separator at the end of a shard reads as an empty book
    books = (book for book in read_books(corpus) if book.text.strip())
    for book in islice(books, most):
        yield figures_of(book.title, book.text)


def _variety(books: Sequence[BookFigures]) -> Iterator[str]:
    for order in DISTINCT_ORDERS:
        averages = [fmean(ratios[order - 1] for ratios in book.windows) for book in books]
        every = [ratios[order - 1] for book in books for ratios in book.windows]
        band, seen = HUMAN_BOOKS[order], HUMAN_WINDOWS[order]
        yield f"Distinct-{order}: books {_three(averages, 3)}; windows {min(every):.3f} - {max(every):.3f}"
        known = f"{band.lowest:.3f} - {band.median:.3f} - {band.highest:.3f}"
        yield f"    known: {known}; {seen.lowest:.3f} - {seen.highest:.3f}"


def _three(values: Iterable[float], digits: int) -> str:
    ordered = sorted(values)
    return " - ".join(f"{value:.{digits}f}" for value in (ordered[0], median(ordered), ordered[-1]))


if __name__ == "__main__":
    sys.exit(main())

"""How varied passages of published novels are, by their length: the table that the chart of Distinct-n shows.

python -m tests.training bands --corpus FOLDER
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quire.domain.text_quality.ngrams import NgramIndex
from quire.domain.text_quality.published_novels import LENGTHS
from quire.domain.text_quality.variety import window_at
from quire_engine.metrics.distinct_n import MAX_ORDER, units_of
from tests.training.corpus import read_books

PASSAGES_PER_BOOK = 200
"""The same number of each length in every book, so that no long novel decides."""
PERCENTILES = (5, 50, 95)
_Ratios = npt.NDArray[np.float64]


def passages(text: str, lengths: Sequence[int] = LENGTHS) -> Iterator[tuple[int, _Ratios]]:
    """Yield each length with Distinct-1 to 4 of passages spread over a book, one in each row."""
    index = NgramIndex(range(1, MAX_ORDER + 1))
    index.add_all(units_of(text))
    for length in lengths:
        if length <= len(index):
            ends = np.linspace(length, len(index), PASSAGES_PER_BOOK).astype(int)
            readings = (window_at(index, int(end), length) for end in ends)
            yield length, np.array([reading.ratios for reading in readings if reading is not None], float)


def bands(texts: Iterable[str], lengths: Sequence[int] = LENGTHS) -> dict[int, _Ratios]:
    """Return for each length the percentiles of Distinct-1 to 4, one row for each order."""
    found: dict[int, list[_Ratios]] = {length: [] for length in lengths}
    for text in texts:
        for length, ratios in passages(text, lengths):
            found[length].append(ratios)
    return {
        length: np.percentile(np.concatenate(rows), PERCENTILES, axis=0).T
        for length, rows in found.items()
        if rows
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--corpus", type=Path, required=True, help="folder with MANIFEST.tsv and shards")


def run(args: argparse.Namespace) -> int:
    """Print the table as it is in `published_novels`."""
    for length, rows in bands(book.text for book in read_books(args.corpus)).items():
        shown = ", ".join(f"({', '.join(f'{value:.3f}' for value in row)})" for row in rows)
        sys.stdout.write(f"    {length:_}: ({shown}),\n")
    return 0

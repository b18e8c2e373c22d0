"""A report on the echoes of some texts: the worst ones and their places."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Place:
    """Characters from start to before end of one text of the project."""

    document_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EchoLine:
    """A passage that is repeated nearby.

    Attributes:
        num_units: words and marks in its repetitions, without the first occurrence.
        places: all occurrences, including the first, in order.
    """

    text: str
    num_units: int
    places: tuple[Place, ...]

    @property
    def count(self) -> int:
        """How often it occurs."""
        return len(self.places)


@dataclass(frozen=True, slots=True)
class EchoReport:
    """The echoes of some texts; `share` is the fraction of their words and marks, None where there are
    none."""

    lines: tuple[EchoLine, ...] = ()
    share: float | None = None
    num_units: int = 0


def echo_csv(report: EchoReport, titles: Mapping[int, str]) -> str:
    """Return a report as CSV: a line for each passage, with its places as "title: character"."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["passage", "times", "repeated_units", "places"])
    for line in report.lines:
        places = "; ".join(f"{titles.get(p.document_id, '')}: {p.start}" for p in line.places)
        writer.writerow([csv_cell(line.text), line.count, line.num_units, csv_cell(places)])
    return stream.getvalue()


def csv_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text

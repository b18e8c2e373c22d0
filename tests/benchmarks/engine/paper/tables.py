"""Tables of results, as Markdown for people and as rows for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Attributes:
        columns: names; those after the first `num_names` hold figures and are aligned to the right.
        rows: as many texts as there are columns.
        notes: sentences below it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    num_names: int = 1

    def markdown(self) -> str:
        """Return it as Markdown."""
        rule = ["---" if place < self.num_names else "---:" for place in range(len(self.columns))]
        lines = [_line(self.columns), _line(rule), *map(_line, self.rows)]
        notes = [f"\n{note}" for note in self.notes]
        return "\n".join([f"### {self.title}", "", *lines, *notes]) + "\n"

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"

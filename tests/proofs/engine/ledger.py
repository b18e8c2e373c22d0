"""What was proved so far, one line of JSON each, so that a proof can be stopped at any moment and
continues."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.errors import EnvironmentProblem

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A case that was done. difference: what was not the same, empty when everything was."""

    key: str
    phase: str
    difference: str
    num_tokens: int
    num_accepted: int
    seconds: float
    how_to_repeat: str

    @property
    def passed(self) -> bool:
        """Whether nothing differed."""
        return not self.difference


class Ledger:
    """A file of entries under conditions that must stay what they are: software, models, seed, lengths.

    Raises EnvironmentProblem where a file was begun under other conditions.
    """

    def __init__(self, path: Path, conditions: dict[str, Any]) -> None:
        self._path = path
        self.entries: dict[str, Entry] = {}
        lines = _whole_lines(path)
        if lines and json.loads(lines[0]) != _header(conditions):
            raise EnvironmentProblem(
                f"The proof in {path.parent} was begun with another model, other software or other lengths. "
                "Start over with --again, or name another folder with --work."
            )
        for line in lines[1:]:
            entry = Entry(**json.loads(line))
            self.entries[entry.key] = entry
        # written again as it was understood: a line that a stop cut in half is gone
        kept = [json.dumps(_header(conditions)), *lines[1:]]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(kept) + "\n", encoding="utf-8")

    def add(self, entry: Entry) -> None:
        """Write down a case that was done."""
        self.entries[entry.key] = entry
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    @property
    def failures(self) -> list[Entry]:
        """The cases in which something differed."""
        return [entry for entry in self.entries.values() if not entry.passed]


def _header(conditions: dict[str, Any]) -> dict[str, Any]:
    return {"format": _FORMAT, **json.loads(json.dumps(conditions))}


def _whole_lines(path: Path) -> list[str]:
    """Return the lines that were written to their end."""
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8")
    return text[: text.rfind("\n") + 1].splitlines()

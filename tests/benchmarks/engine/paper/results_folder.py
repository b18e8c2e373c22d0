"""Results on disk, one JSON file per cell, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.errors import EnvironmentProblem


@dataclass(frozen=True, slots=True)
class Spent:
    """Time that a measurement took, and processor time of all threads meanwhile."""

    seconds: float
    processor_s: float


_UNKNOWN = {"seconds": 0.0, "processor_s": 0.0}  # of cells from before times were kept


class ResultsFolder:
    """A folder of cells, all measured under the same conditions.

    Args:
        folder: made if it is missing.
        conditions: model, machine and size. A folder with others is refused: their figures do not mix.
    """

    def __init__(self, folder: Path, conditions: dict[str, Any]) -> None:
        self._cells = folder / "cells"
        self._cells.mkdir(parents=True, exist_ok=True)
        self._spent: dict[str, Spent] = {}
        file = folder / "conditions.json"
        told: dict[str, Any] = json.loads(json.dumps(conditions))
        if not file.is_file():
            _write(file, told)
            return
        known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if other := [name for name in {**known, **told} if known.get(name) != told.get(name)]:
            raise EnvironmentProblem(
                f"{folder} holds results of other conditions ({', '.join(sorted(other))}). Name another "
                "folder with --work."
            )

    def cell(self, key: str, measure: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], bool]:
        """Return a cell and whether it was measured just now; one that is on disk is not measured again.

        The time that it took is kept with it, and with all others that were asked for.
        """
        file = self._cells / f"{_slug(key)}.json"
        if file.is_file():
            stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            self._spent[key] = Spent(**stored.get("spent", _UNKNOWN))
            return stored["result"], False
        began, used = time.monotonic(), time.process_time()
        result: dict[str, Any] = json.loads(json.dumps(measure()))
        spent = Spent(time.monotonic() - began, time.process_time() - used)
        self._spent[key] = spent
        _write(file, {"key": key, "spent": asdict(spent), "result": result})
        return result, True

    def spent_on(self, key: str) -> Spent:
        """Return what a cell took that was asked for."""
        return self._spent[key]

    @property
    def spent(self) -> Spent:
        """What all cells took together that were asked for, in however many runs."""
        every = self._spent.values()
        return Spent(sum(one.seconds for one in every), sum(one.processor_s for one in every))


def _write(file: Path, content: dict[str, Any]) -> None:
    replace_file(file, (json.dumps(content, indent=1) + "\n").encode())


def _slug(key: str) -> str:
    """Return a file name: readable, and different for different keys."""
    readable = re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")[:60]
    return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"

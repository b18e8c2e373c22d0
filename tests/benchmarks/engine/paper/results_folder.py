"""Results on disk, one JSON file per cell, so that a run that was killed goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.errors import EnvironmentProblem


class ResultsFolder:
    """A folder of cells, all measured under the same conditions.

    Args:
        folder: made if it is missing.
        conditions: model, machine and size. A folder with others is refused: their figures do not mix.
    """

    def __init__(self, folder: Path, conditions: dict[str, Any]) -> None:
        self._cells = folder / "cells"
        self._cells.mkdir(parents=True, exist_ok=True)
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
        """Return a cell and whether it was measured just now; one that is on disk is not measured again."""
        file = self._cells / f"{_slug(key)}.json"
        if file.is_file():
            stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return stored["result"], False
        result: dict[str, Any] = json.loads(json.dumps(measure()))
        _write(file, {"key": key, "result": result})
        return result, True


def _write(file: Path, content: dict[str, Any]) -> None:
    replace_file(file, (json.dumps(content, indent=1) + "\n").encode())


def _slug(key: str) -> str:
    """Return a file name: readable, and different for different keys."""
    readable = re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")[:60]
    return f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"

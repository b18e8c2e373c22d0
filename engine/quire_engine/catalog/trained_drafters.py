"""Find the drafters trained for a model: by its fingerprint, not by their place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.fingerprints import fingerprint
from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.safetensors_header import read_metadata

FILE_NAME = "drafters.safetensors"
UNFINISHED = "drafters.unfinished"
"""Names that `python -m quire_engine prepare` uses for its result and its unfinished work."""
MARK = "of.json"
"""In the folder of unfinished work: what it is about."""
PROGRESS = "progress.json"
"""In the same folder, of a preparation by time."""
STARTED_AGAIN = UserMessage(
    "The unfinished training of this model used other text, other settings or another version of Quire. "
    "It was deleted; training starts over."
)
"""What `prepare` says of unfinished work that it can't resume."""


class Prepared(Enum):
    """State of a model's drafters; OTHER: there is a file, but for another model."""

    YES = "yes"
    NO = "no"
    BEGUN = "begun"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class DraftersFound:
    """What was found, and where."""

    prepared: Prepared
    folder: Path | None = None


def minutes_begun(folder: Path) -> float:
    """Return the minutes that were asked of the unfinished preparation in a folder; 0 for one without."""
    try:
        said = json.loads((folder / UNFINISHED / PROGRESS).read_text(encoding="utf-8"))
        return max(0.0, float(said["minutes"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return 0.0


def find_drafters(facts: ModelFacts, places: Iterable[Path], cache_folder: Path | None) -> DraftersFound:
    """Look in the model's folder and in others. Hashes all weights the first time, which takes a while.

    cache_folder: where fingerprints of large weights are cached; None: nowhere.
    """
    begun: Path | None = None
    other: Path | None = None
    fingerprint = ""
    for folder in dict.fromkeys((facts.path, *places)):
        if (folder / UNFINISHED / MARK).is_file():
            begun = folder
        found = _fingerprint_in(folder / FILE_NAME)
        if not found:
            continue
        fingerprint = fingerprint or fingerprint_of(facts, cache_folder)
        if found == fingerprint:
            return DraftersFound(Prepared.YES, folder)
        other = folder
    if begun is not None:
        return DraftersFound(Prepared.BEGUN, begun)
    return DraftersFound(Prepared.NO if other is None else Prepared.OTHER, other)


def fingerprint_of(facts: ModelFacts, cache_folder: Path | None) -> str:
    """Return a model's fingerprint as the engine computes it; empty if a file cannot be read."""
    try:
        return fingerprint(facts.deciding_files, cache_folder)
    except OSError:
        return ""


def _fingerprint_in(file: Path) -> str:
    if not file.is_file():
        return ""
    try:
        return read_metadata(file).get("fingerprint", "")
    except ModelRejected:
        return ""

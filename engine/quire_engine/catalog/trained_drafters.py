"""Whether trained drafters were prepared for a model: found by the model's fingerprint, not by their
place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from quire_engine.catalog.fingerprints import fingerprint
from quire_engine.catalog.inspection import ModelFacts
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.safetensors_header import read_metadata

FILE_NAME = "drafters.safetensors"
UNFINISHED = "drafters.unfinished"
"""As `python -m quire_engine prepare` calls its result and its folder of unfinished work."""


class Prepared(Enum):
    """How far the preparation of a model is; OTHER: there is a file, but it is another model's."""

    YES = "yes"
    NO = "no"
    BEGUN = "begun"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class DraftersFound:
    """What was found, and where."""

    prepared: Prepared
    folder: Path | None = None


def find_drafters(facts: ModelFacts, places: Iterable[Path], cache_folder: Path | None) -> DraftersFound:
    """Look in the model's own folder and in others. It reads all weights the first time: not in a hurry.

    cache_folder: where the fingerprint of large weights is remembered; None: nowhere.
    """
    begun: Path | None = None
    other: Path | None = None
    fingerprint = ""
    for folder in dict.fromkeys((facts.path, *places)):
        if (folder / UNFINISHED / "of.json").is_file():
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
    """Return the fingerprint of a model as the engine computes it; empty when a file cannot be read."""
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

"""Imported models: where they are kept, and what was imported from which file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.catalog import fingerprints
from quire_engine.catalog.bounded_files import read_json
from quire_engine.catalog.rejection import ModelRejected, printable

FOLDER = "imported"
"""Name of the folder for imported models, within the models folder."""
RECORD = "quire.json"
IMPORT_VERSION = 1
"""Changes when the same file would be imported to other weights or another tokenizer."""
MAX_NAME = 100
_MAX_STEM = 80
_ODD = re.compile(r"[^\w.+-]+")
_MAX_RECORD = 1 << 20
_SHORT = 12
_NAMED = re.compile(rf"(.+?)-[0-9a-f]{{{_SHORT}}}(?:-[0-9a-f]{{{_SHORT}}})?")


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """Where an imported folder comes from.

    Attributes:
        source: name of the file.
        source_bytes, source_sha256: of the file, or of all parts one after the other.
        quantisations: numbers of tensors by type.
        adapter_sha256: of the merged adapter; None without one.
        name: of the model, where it is not that of the file; else empty.
    """

    version: int
    source: str
    source_bytes: int
    source_sha256: str
    quantisations: dict[str, int]
    adapter_sha256: str | None
    name: str = ""


def read_record(folder: Path) -> ImportRecord | None:
    """Return where a folder comes from; None if it was not imported or the record is damaged."""
    try:
        found: Any = read_json(folder / RECORD, _MAX_RECORD)
        adapter = found["adapter_sha256"]
        kinds = {str(name): int(number) for name, number in found["quantisations"].items()}
        return ImportRecord(
            int(found["import_version"]),
            str(found["source"]),
            int(found["source_bytes"]),
            str(found["source_sha256"]),
            kinds,
            None if adapter is None else str(adapter),
            printable(found.get("name", ""), MAX_NAME),
        )
    except (ModelRejected, KeyError, TypeError, ValueError, AttributeError):
        return None


def folder_for(models: Path, name: str, digest: str, adapter: str | None = None) -> Path:
    """Return where a model is imported to; models that differ in a merged adapter are two models."""
    adapted = f"-{adapter[:_SHORT]}" if adapter else ""
    return models / f"{name}-{digest[:_SHORT]}{adapted}"


def folder_stem(name: str, otherwise: str) -> str:
    """Return the beginning of a folder's name: the model's name as every system takes it, if it has one."""
    return _ODD.sub("-", name).strip("-.")[:_MAX_STEM] or otherwise


def shown_name(folder: Path) -> str:
    """Return the name of an imported model without the digests, even after its folder was deleted."""
    found = _NAMED.fullmatch(folder.name)
    if found is None:
        return folder.name
    record = read_record(folder)
    if record is None:
        return found[1] if folder.parent.name == FOLDER else folder.name
    return record.name or found[1]


def find_imported(models: Path, digest: str, adapter: str | None = None) -> Path | None:
    """Return the folder that was imported from a file of this digest; None if there is none."""
    adapted = f"-{adapter[:_SHORT]}" if adapter else ""
    for folder in sorted(models.glob(f"*-{digest[:_SHORT]}{adapted}")):
        record = read_record(folder)
        if record is None or record.version != IMPORT_VERSION:
            continue
        if record.source_sha256 == digest and record.adapter_sha256 == adapter:
            return folder
    return None


def source_digest(
    files: tuple[Path, ...],
    cache_folder: Path | None = None,
    on_bytes: Callable[[int], None] = lambda count: None,
) -> str:
    """Return the SHA-256 over files one after the other, as an import computes it; OSError if one is gone.

    Args:
        files: in order.
        cache_folder: where digests of large files are cached; None: nowhere.
        on_bytes: is called with the number of bytes that were read; may raise to stop.
    """
    return fingerprints.cached_digest(files, lambda: _hashed(files, on_bytes), cache_folder)


def _hashed(files: tuple[Path, ...], on_bytes: Callable[[int], None]) -> str:
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as data:
            while chunk := data.read(1 << 22):
                digest.update(chunk)
                on_bytes(len(chunk))
    return digest.hexdigest()

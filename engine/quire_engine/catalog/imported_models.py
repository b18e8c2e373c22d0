"""Imported models: where they are kept, and what was imported from which file."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file
from quire_engine.catalog import fingerprints
from quire_engine.catalog.bounded_files import read_json
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable

FOLDER = "imported"
"""Name of the folder for imported models, within the models folder."""
RECORD = "quire.json"
DIGEST = "weights.sha256"
"""Name of the file with the digests of a model's weights, where these are somewhere else."""
ADAPTER = "adapter.safetensors"
"""Name of the adapter that belongs to a model's weights."""
IMPORT_VERSION = 3
"""Changes when the same file would be imported to other weights or another tokenizer."""
MAX_NAME = 100
SETTINGS_BYTES = 32 << 20
"""About the size of tokenizer and settings, which are all that an import adds."""
TOKENIZER = "tokenizer.json"
_HASHED = 1 << 16  # bytes at a time
_MAX_STEM = 80
_ODD = re.compile(r"[^\w.+-]+")
_MAX_RECORD = 1 << 20
_SHORT = 12
_NAMED = re.compile(rf"(.+?)-[0-9a-f]{{{_SHORT}}}(?:-[0-9a-f]{{{_SHORT}}})?")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file with weights as it was when the model was imported. changed: time of its last change, in ns."""

    path: Path
    num_bytes: int
    changed: int

    @classmethod
    def at(cls, path: Path) -> SourceFile:
        """Return a file as it is now; OSError if there is none."""
        found = path.stat()
        return cls(path, found.st_size, found.st_mtime_ns)

    @property
    def is_untouched(self) -> bool:
        """Whether it has neither changed nor been replaced; OSError if it is gone."""
        return self == SourceFile.at(self.path)


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """Where an imported folder comes from.

    Attributes:
        source: name of the file.
        source_bytes, source_sha256: of the file, or of all parts one after the other.
        quantisations: numbers of tensors by type.
        adapter_sha256: of the merged adapter; None without one.
        name: of the model, where it is not that of the file; else empty.
        files: where the weights are; none of an older import, which copied them into the folder.
    """

    version: int
    source: str
    source_bytes: int
    source_sha256: str
    quantisations: dict[str, int]
    adapter_sha256: str | None
    name: str = ""
    files: tuple[SourceFile, ...] = ()


def has_reference(folder: Path) -> bool:
    """Say whether a model's weights are somewhere else."""
    return (folder / DIGEST).is_file()


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
            tuple(
                SourceFile(folder / str(each["path"]), int(each["bytes"]), int(each["changed"]))
                for each in found.get("files", ())
            ),
        )
    except (ModelRejected, KeyError, TypeError, ValueError, AttributeError):
        return None


def largest_id(folder: Path) -> int | None:
    """Return the largest id of a tokenizer that an import made; None where it must be read to be known."""
    try:
        said = read_json(folder / RECORD, _MAX_RECORD)["tokenizer"]
        made = SourceFile(folder / TOKENIZER, int(said["bytes"]), int(said["changed"]))
        return int(said["largest_id"]) if made.is_untouched else None
    except (ModelRejected, OSError, KeyError, TypeError, ValueError):
        return None


def referenced_files(folder: Path) -> tuple[Path, ...]:
    """Return the files with a model's weights; ModelRejected where one was moved or has another size."""
    record = read_record(folder)
    if record is None or not record.files:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{record} is damaged, so it isn't known where this model's weights are. Import the model again.",
            record=RECORD,
        )
    for file in record.files:
        if not file.path.is_file():
            raise ModelRejected(
                RejectionKind.MISSING,
                "{file} is no longer in {folder}, where it was when this model was imported. Put it back, or "
                "import it again from where it is now.",
                file=printable(file.path.name),
                folder=printable(file.path.parent, 200),
            )
        if file.path.stat().st_size != file.num_bytes:
            raise has_changed(file.path)
    return tuple(file.path for file in record.files)


def take_weights(folder: Path, download: Path) -> bool:
    """Move a model's GGUF files out of the folder of their download into its own; False where they are none.

    OSError where that is impossible; then they stay where they are.
    """
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    files = [Path(each["path"]) for each in record["files"]]
    if not all(file.parent == download.absolute() and file.suffix.lower() == ".gguf" for file in files):
        return False
    for file, each in zip(files, record["files"], strict=True):
        shutil.move(file, folder / file.name)
        each["path"] = file.name
    replace_file(folder / RECORD, (json.dumps(record) + "\n").encode())
    return True


def check_unchanged(folder: Path, cache_folder: Path | None = None) -> None:
    """Reject weights with other content than at the import; read again only where a file was touched."""
    record = read_record(folder)
    if record is None or all(file.is_untouched for file in record.files):
        return
    files = tuple(file.path for file in record.files)
    if source_digest(files, cache_folder) != record.source_sha256:
        raise has_changed(files[0])


def has_changed(file: Path) -> ModelRejected:
    """Return the rejection of a file that is not the one that was imported."""
    return ModelRejected(
        RejectionKind.DAMAGED,
        "{file} has changed since this model was imported. Import it again.",
        file=printable(file.name),
    )


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
            while chunk := data.read(_HASHED):
                digest.update(chunk)
                on_bytes(len(chunk))
    return digest.hexdigest()

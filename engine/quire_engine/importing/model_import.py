"""Import a model: tokenizer, settings and a reference to its weights, in a folder put in place at once."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from quire_engine.api.atomic_file import replace_file, sync_folder
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog import fingerprints
from quire_engine.catalog.adapters import Adapter
from quire_engine.catalog.gguf_files import GgufSource
from quire_engine.catalog.importable import Importable, find_importable
from quire_engine.catalog.imported_models import (
    MAX_NAME,
    RECORD,
    find_imported,
    folder_for,
    folder_stem,
    source_digest,
)
from quire_engine.catalog.inspection import look_into
from quire_engine.catalog.rejection import ModelRejected, Rejection
from quire_engine.catalog.safetensors_header import with_metadata
from quire_engine.importing.earlier_import import put_aside, take_over
from quire_engine.importing.gguf_import import GgufImport
from quire_engine.importing.import_work import ImportProgress, ImportStopped, ImportTask, references
from quire_engine.importing.packed_import import PackedImport

__all__ = ["ImportProgress", "ImportStopped", "add_shipped", "import_model"]
_SPARE = 64 << 20  # bytes that stay free on the disk
_PART = ".importing-"
_STALE_S = 3600.0
_SHORT = 12  # characters of a digest in a name


def import_model(
    path: Path,
    models: Path,
    *,
    adapter: Adapter | None = None,
    shipped: Path | None = None,
    name: str = "",
    licence: str = "",
    digest: str = "",
    on_progress: Callable[[ImportProgress], None] = lambda progress: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Return the folder of an imported file, which is made if it is not there yet.

    Args:
        path: a GGUF file, any part of one in several parts, or a folder with packed weights.
        models: the folder that holds imported models.
        adapter: is added to the weights when they are read.
        shipped: a folder of drafters and n-grams; those made for this model are copied next to it.
        name: of the model, where the file's own does not tell it; the folder and the list are named by it.
        licence: as its source states it, where the file names none.
        digest: of the source, where it is known; else it is hashed.
        on_progress: is called every few megabytes while the source is hashed.
        is_stopped: is asked as often; True raises ImportStopped.

    Raises:
        EnvironmentProblem: the file cannot be used, or there is no room for the import.
        ImportStopped: as asked; what was written is deleted.
    """
    try:
        source = find_importable(path)
        digest = digest or _hashed(source, on_progress, is_stopped)
        adapted = None if adapter is None else adapter.digest
        if (there := find_imported(models, digest, adapted)) is not None:
            _refer(there, source)
            take_over(there)
            if shipped is not None:
                with suppress(OSError):  # the folder may be read-only; it only costs speed
                    add_shipped(there, shipped, adapter)
            return there
        with _as_sentences(path), _part_folder(models, source) as part:
            task = ImportTask(part, digest, adapter, name[:MAX_NAME], licence)
            work = GgufImport(source, task) if isinstance(source, GgufSource) else PackedImport(source, task)
            work.run()
            if shipped is not None:
                with suppress(OSError):  # it only costs speed
                    add_shipped(part, shipped, adapter)
            return _in_place(part, models, folder_stem(name, source.name), digest, adapter)
    except ModelRejected as refused:
        raise EnvironmentProblem(
            "The model in {path} can't be used. {problem}", path=path, problem=refused.message
        ) from refused


def _refer(folder: Path, source: Importable) -> None:
    """Say where the weights of a known model are now: the source may have been moved."""
    files = source.files if isinstance(source, GgufSource) else source.weights
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    if record.get("files") != (now := references(files)):
        replace_file(folder / RECORD, (json.dumps(record | {"files": now}) + "\n").encode())


def _hashed(
    source: Importable, on_progress: Callable[[ImportProgress], None], is_stopped: Callable[[], bool]
) -> str:
    total, done = sum(file.stat().st_size for file in source.files), 0

    def read(count: int) -> None:
        nonlocal done
        done += count
        if is_stopped():
            raise ImportStopped
        on_progress(ImportProgress(done, total))

    return source_digest(source.files, None, read)


# ---------------------------------------------------------------- folders
@contextmanager
def _part_folder(models: Path, source: Importable) -> Iterator[Path]:
    """Give a folder for unfinished work, which is gone afterwards; looks for room on the disk first."""
    models.mkdir(parents=True, exist_ok=True)
    _remove_stale(models)
    needed, free = source.imported_bytes + _SPARE, shutil.disk_usage(models).free
    if needed > free:
        raise EnvironmentProblem(
            "There is not enough free disk space: {name} needs {needed:.1f} GB and {free:.1f} GB are free.",
            name=source.name,
            needed=needed / 1e9,
            free=free / 1e9,
        )
    part = models / f"{_PART}{secrets.token_hex(6)}"
    part.mkdir()
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def add_shipped(folder: Path, shipped: Path, adapter: Adapter | None) -> None:
    """Copy the drafters and n-grams that ship with Quire for a model next to it, unless it has its own.

    These are background n-grams, whose name begins with the digest of the tokenizer, and trained drafters,
    whose name has that of the adapter. An adapter belongs to one model file, so they were trained for these
    weights, whatever else the import writes into the folder: the copy gets the folder's fingerprint.

    Raises:
        OSError: a file cannot be read or written.
    """
    tokenizer = hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest()
    ngrams = shipped / f"ngrams-{tokenizer[:_SHORT]}.npz"
    if ngrams.is_file() and not (folder / "ngrams.npz").exists():
        replace_file(folder / "ngrams.npz", ngrams.read_bytes())
    if adapter is None:
        return
    drafters, own = (
        shipped / f"drafters-{adapter.digest[:_SHORT]}.safetensors",
        folder / "drafters.safetensors",
    )
    found = look_into(folder)
    if drafters.is_file() and not own.exists() and not isinstance(found, Rejection):
        fingerprint = fingerprints.fingerprint(found.facts.deciding_files)
        replace_file(own, with_metadata(drafters.read_bytes(), fingerprint=fingerprint))


def _in_place(part: Path, models: Path, stem: str, digest: str, adapter: Adapter | None) -> Path:
    """Rename the finished folder; where another import was faster, its folder is the one."""
    adapted = None if adapter is None else adapter.digest
    target = folder_for(models, stem, digest, adapted)
    if (found := find_imported(models, digest, adapted)) is not None:
        return found
    if target.exists():  # of an older version, or damaged
        put_aside(target)
    os.replace(part, target)
    sync_folder(models)
    take_over(target)
    return target


def _remove_stale(models: Path) -> None:
    """Delete what an import left that was killed; one that still writes is younger than an hour."""
    for part in models.glob(f"{_PART}*"):
        try:
            newest = max((file.stat().st_mtime for file in part.iterdir()), default=part.stat().st_mtime)
        except OSError:
            continue
        if newest < time.time() - _STALE_S:
            shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _as_sentences(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise EnvironmentProblem(
            "{path} can't be imported ({reason}).", path=path, reason=error.strerror or error
        ) from error

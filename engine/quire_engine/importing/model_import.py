"""Import a GGUF file: tensor by tensor it becomes an ordinary model folder, put in place at once."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.gguf_files import GgufSource, find_source
from quire_engine.catalog.gguf_header import GgufTensor
from quire_engine.catalog.gguf_support import check_types
from quire_engine.catalog.imported_models import IMPORT_VERSION, RECORD, find_imported, folder_for
from quire_engine.catalog.inspection import look_into
from quire_engine.catalog.rejection import ModelRejected, Rejection, RejectionKind
from quire_engine.importing.gguf_config import config_of, rotated
from quire_engine.importing.gguf_families import pieces_of
from quire_engine.importing.gguf_tokenizer import tokenizer_files
from quire_engine.importing.gguf_weights import GgufWeights, Rows, not_finite, unpacked
from quire_engine.importing.rope_factors import llama3_scaling
from quire_engine.importing.stored_form import Floats, is_sound, stored
from quire_engine.importing.weight_plan import Piece
from quire_engine.importing.weight_writer import WeightWriter

_FACTORS = "rope_freqs.weight"
_SPARE = 64 << 20  # bytes that stay free on the disk
_PART = ".importing-"
_STALE_S = 3600.0


class WeightAdapter(Protocol):
    """A low-rank adapter that is merged at import. digest: SHA-256 of its file. names: what it changes."""

    @property
    def digest(self) -> str: ...

    @property
    def names(self) -> frozenset[str]: ...

    def merged(self, name: str, weight: Floats) -> Floats:
        """Return a weight of the imported model with the adapter added, in float32."""
        ...


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """Bytes of the source that were read, of all."""

    done: int
    total: int


class ImportStopped(Exception):
    """The import was stopped; nothing is left of it."""


def import_model(
    path: Path,
    models: Path,
    *,
    adapter: WeightAdapter | None = None,
    on_progress: Callable[[ImportProgress], None] = lambda progress: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Return the folder of an imported file, which is made if it is not there yet.

    Args:
        path: a GGUF file, or any part of one in several parts.
        models: the folder that holds imported models.
        adapter: is merged into the weights.
        on_progress: is called after every tensor, or every few megabytes.
        is_stopped: is asked as often; True raises ImportStopped.

    Raises:
        EnvironmentProblem: the file cannot be used, or there is no room for the import.
        ImportStopped: as asked; what was written is deleted.
    """
    try:
        source = find_source(path)
        with _as_sentences(path), _part_folder(models, source) as part:
            writing = _Import(source, part, adapter, on_progress, is_stopped)
            digest = writing.run()
            return _in_place(part, models, source, digest, adapter)
    except ModelRejected as refused:
        raise EnvironmentProblem(
            "The model in {path} can't be used. {problem}", path=path, problem=refused.message
        ) from refused


class _Import:
    def __init__(
        self,
        source: GgufSource,
        folder: Path,
        adapter: WeightAdapter | None,
        on_progress: Callable[[ImportProgress], None],
        is_stopped: Callable[[], bool],
    ) -> None:
        self._source, self._folder, self._adapter = source, folder, adapter
        self._on_progress, self._is_stopped = on_progress, is_stopped
        self._done = 0
        self._unused = set() if adapter is None else set(adapter.names)

    def run(self) -> str:
        """Write all files; return the digest of the source."""
        header = self._source.whole
        check_types(header)
        config = config_of(header, self._scaling())
        files = tokenizer_files(header)
        _write(self._folder / "tokenizer.json", files.tokenizer)
        _write(self._folder / "tokenizer_config.json", files.settings)
        _write(self._folder / "generation_config.json", files.generation)
        if files.template:
            (self._folder / "chat_template.jinja").write_text(files.template, encoding="utf-8")
        _write(self._folder / "config.json", config | {"eos_token_id": files.generation["eos_token_id"]})
        digest = self._weights(config)
        (self._folder / "README.md").write_text(_readme(self._source), encoding="utf-8")
        _write(self._folder / RECORD, self._record(digest))
        self._check()
        return digest

    def _weights(self, config: Mapping[str, Any]) -> str:
        plan = {
            tensor.name: pieces_of(tensor, config)
            for part in self._source.parts
            for tensor in sorted(part.tensors, key=lambda each: each.start)
        }
        targets = [piece.target for pieces in plan.values() for piece in pieces]
        if len({target.name for target in targets}) != len(targets):
            raise ModelRejected(RejectionKind.DAMAGED, "Two parts of this file are the same weight.")
        weights = GgufWeights(self._source.parts, self._read)
        writer = WeightWriter(self._folder, targets)
        try:
            for tensor, rows in weights.tensors():
                for piece in plan[tensor.name]:
                    self._write_piece(tensor, rows, piece, writer)
            writer.finish()
        finally:
            writer.close()
        if self._unused:
            raise EnvironmentProblem("The adapter doesn't belong to this model.")
        return weights.digest

    def _write_piece(self, tensor: GgufTensor, rows: Rows, piece: Piece, writer: WeightWriter) -> None:
        name = piece.target.name
        adapter = self._adapter if name in self._unused else None
        self._unused.discard(name)
        for chunk in rows.chunks(piece, at_once=adapter is not None):
            changed = chunk if adapter is None else adapter.merged(name, chunk)
            if not is_sound(changed):
                raise not_finite(tensor.name)
            writer.write(stored(changed))

    def _scaling(self) -> dict[str, Any]:
        """Return the scaling of positions that the file stores as a factor for each pair."""
        header = self._source.whole
        found = next((tensor for tensor in header.tensors if tensor.name == _FACTORS), None)
        if found is None:
            return {}
        base, dim = rotated(header)
        if found.count > 1 << 16:
            raise not_finite(found.name)
        with self._source.file_of(found).open("rb") as data:
            data.seek(found.start)
            raw = np.frombuffer(data.read(found.num_bytes), dtype=np.uint8)
        factors = unpacked(raw.reshape(1, -1), found.type_id).reshape(-1).astype(np.float64)
        scaling = llama3_scaling(factors, base, dim)
        if scaling is None:
            raise ModelRejected(
                RejectionKind.UNSUPPORTED,
                "This model uses an unsupported position scaling ({kind}). Choose another model.",
                kind=_FACTORS,
            )
        return scaling

    def _read(self, count: int) -> None:
        self._done += count
        if self._is_stopped():
            raise ImportStopped
        self._on_progress(ImportProgress(self._done, self._source.num_bytes))

    def _record(self, digest: str) -> dict[str, Any]:
        kinds = Counter(tensor.type_name for tensor in self._source.whole.tensors)
        return {
            "format": 1,
            "import_version": IMPORT_VERSION,
            "source": self._source.path.name,
            "source_bytes": self._source.num_bytes,
            "source_sha256": digest,
            "quantisations": dict(sorted(kinds.items())),
            "adapter_sha256": None if self._adapter is None else self._adapter.digest,
        }

    def _check(self) -> None:
        """Look at the new folder as at any other: what is wrong with it is the file's fault."""
        found = look_into(self._folder)
        if isinstance(found, Rejection):
            raise ModelRejected(found.fault, found.sentence)


# ---------------------------------------------------------------- folders
@contextmanager
def _part_folder(models: Path, source: GgufSource) -> Iterator[Path]:
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


def _in_place(
    part: Path, models: Path, source: GgufSource, digest: str, adapter: WeightAdapter | None
) -> Path:
    """Rename the finished folder; where another import was faster, its folder is the one."""
    adapted = None if adapter is None else adapter.digest
    target = folder_for(models, source.name, digest, adapted)
    if (found := find_imported(models, digest, adapted)) is not None:
        return found
    if target.exists():  # of an older version, or damaged
        shutil.rmtree(target)
    os.replace(part, target)
    sync_folder(models)
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


def _write(file: Path, content: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


def _readme(source: GgufSource) -> str:
    """Return the README: the licence, where the list of models looks for it, and the name."""
    licence = re.sub(r"[^\w.+ -]", " ", source.licence)[:60].strip()
    front = f"---\nlicense: {licence}\n---\n\n" if licence else ""
    return f"{front}# {source.title}\n\nImported by Quire from {source.path.name}.\n"

"""The models that Quire knows: the built-in one, folders that the writer added, and downloads."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from quire.errors import WriterProblem
from quire.services.model_library import starter_model
from quire.services.model_library.model_discovery import ollama_name
from quire.services.model_library.model_names import plain_name
from quire.services.model_library.model_places import PlaceKind
from quire.services.model_library.server_records import (
    ServerRecord,
    is_server_folder,
    read_server,
    remove_server,
    server_folders,
)
from quire.system.app_folders import models_home
from quire_engine.api.atomic_file import replace_file
from quire_engine.api.config import Weights
from quire_engine.api.context_rules import context_here
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.adapter_sources import adapted_sources
from quire_engine.catalog.download import Source, read_source
from quire_engine.catalog.fingerprints import known_fingerprint
from quire_engine.catalog.importable import Importable, inspect_importable, is_importable
from quire_engine.catalog.imported_models import FOLDER as IMPORTED
from quire_engine.catalog.imported_models import read_record, shown_name, source_digest, take_weights
from quire_engine.catalog.inspection import ModelFacts, inspect_folder, name_of
from quire_engine.catalog.integer_files import forget_integer_files
from quire_engine.catalog.load_verdicts import LoadVerdict, LoadVerdicts
from quire_engine.catalog.memory_fit import Fit, FreeMemory, fit
from quire_engine.catalog.rejection import Rejection
from quire_engine.catalog.trained_drafters import Prepared, find_drafters
from quire_resources import ADAPTERS, BUILT_IN_MODEL

GOAL_TOKENS = 131_072
"""Length of the longest text for which room is reckoned: a whole novel."""
LIST_NAME = "models.json"
_FORMAT = 1
_MAX_LIST = 1 << 20
_MAX_FOLDERS = 500
_BLOB = re.compile(r"sha256-[0-9a-f]{64}")


class ModelOrigin(Enum):
    """Where a model came from.

    UNFINISHED: a download that was paused or interrupted. FOUND: of another program, which keeps it.
    SUGGESTED: it is on the hub, and not on this computer yet. IMPORTED: made from a GGUF file. SERVER: it
    runs somewhere else, and only its address is here.
    """

    BUILT_IN = "built in"
    ADDED = "added"
    DOWNLOADED = "downloaded"
    UNFINISHED = "unfinished"
    FOUND = "found"
    SUGGESTED = "suggested"
    IMPORTED = "imported"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model of the list.

    Attributes:
        facts: None where it cannot be used; problem says why.
        fit: None until estimated.
        context: tokens of context that it gets here; 0 until estimated.
        repository: what it was downloaded from; empty for other models.
        weights: how they are to be loaded, which the fit depends on.
        is_small: whether that is in numbers of 8 bits.
        gguf: what is known of a GGUF file, or of a folder with packed weights, which are imported before
            they are used; None for other folders.
        place: whose folder it was found in; None for models that Quire knows by itself.
        verdict: what loading it showed, in this version or an earlier one; None until it was loaded.
        is_best: the one to recommend for this computer. is_slow: it fits, but drafts slowly here.
        has_adapter: whether Quire brings an adapter for it. is_adapted: whether it was merged at import.
        server: where it runs; None for a model of this computer.
    """

    path: Path
    name: str
    origin: ModelOrigin
    facts: ModelFacts | None = None
    problem: str = ""
    fit: Fit | None = None
    prepared: Prepared | None = None
    verdict: LoadVerdict | None = None
    repository: str = ""
    licence: str = ""
    weights: Weights = "full"
    context: int = 0
    gguf: Importable | None = None
    place: PlaceKind | None = None
    is_best: bool = False
    is_slow: bool = False
    has_adapter: bool = False
    is_adapted: bool = False
    server: ServerRecord | None = None
    is_small: bool = False

    @property
    def title(self) -> str:
        """The name that people read; commands take `name`."""
        is_said = isinstance(self.name, UserMessage) or self.server is not None
        return self.name if is_said else plain_name(self.name)

    @property
    def can_be_smaller(self) -> bool:
        """Whether its weights can be quantized when they are loaded."""
        return self.is_usable and self.facts is not None and self.facts.roundable[0] > 0

    @property
    def is_usable(self) -> bool:
        """Whether it can be used, if there is enough memory."""
        if self.server is not None:
            return True
        absent = (ModelOrigin.UNFINISHED, ModelOrigin.SUGGESTED)
        return self.facts is not None and self.origin not in absent

    @property
    def is_unadapted(self) -> bool:
        """Whether it was imported without the adapter that Quire brings for it."""
        return self.origin is ModelOrigin.IMPORTED and self.has_adapter and not self.is_adapted

    @property
    def can_be_prepared(self) -> bool:
        """Whether a draft model may be trained: not for a model that failed when it was loaded."""
        if self.facts is None:
            return False
        return self.is_usable and (self.verdict is None or self.verdict.is_usable)

    @property
    def is_removable(self) -> bool:
        """Whether it can be taken off the list."""
        return self.origin in (ModelOrigin.ADDED, ModelOrigin.SERVER) or self.is_ours

    @property
    def is_ours(self) -> bool:
        """Whether Quire made its folder, and deletes it with it."""
        return self.origin in (ModelOrigin.DOWNLOADED, ModelOrigin.UNFINISHED, ModelOrigin.IMPORTED)


def prepared_elsewhere(path: Path) -> str:
    """Return the folder of a drafter that could not be put beside its model; empty without one."""
    place = models_home() / "prepared" / path.name
    return str(place) if place.is_dir() else ""


class ModelLibrary:
    """The list of models and their facts; every method blocks on the disk.

    Attributes:
        home: the folder of downloads and of the list of added folders.
        cache_folder: where digests are cached.
        adapters: the folder of adapters.
    """

    def __init__(
        self, home: Path | None = None, cache_folder: Path | None = None, adapters: Path = ADAPTERS
    ) -> None:
        self.home = models_home() if home is None else home
        self._cache_folder, self._adapters = cache_folder, adapters

    # ------------------------------------------------------------ the list
    def models(self, memory: FreeMemory | None = None) -> tuple[KnownModel, ...]:
        """Return all models: the built-in one first, then by name."""
        elsewhere = server_folders(self.home)
        paths = dict.fromkeys((*self._downloads(), *self._imported(), *self._added(), *elsewhere))
        others = sorted((self.look_at(path, memory) for path in paths), key=lambda each: each.name.lower())
        return (self.look_at(BUILT_IN_MODEL, memory), *others)

    def look_at(self, path: Path, memory: FreeMemory | None = None) -> KnownModel:
        """Return the model in one folder or file; `memory` is what is free, to estimate whether it fits."""
        if is_server_folder(path) and (record := read_server(path)) is not None:
            return _on_server(path, record)
        origin, source = self._origin(path)
        if source is not None and not source.is_finished:
            said = UserMessage("The download is not finished. Resume or remove it.")
            return _of_download(KnownModel(path, source.repository.title, origin, problem=said), source)
        file = path if source is None else source.model_file(path)
        if is_importable(file):
            return _of_download(replace(self._in_file(file), path=path, origin=origin), source)
        found = inspect_folder(path)
        name = UserMessage("Built-in model") if origin is ModelOrigin.BUILT_IN else name_of(path)
        known = _of_download(KnownModel(path, name, origin), source)
        if origin is ModelOrigin.IMPORTED:
            known = self._as_imported(known)
        if isinstance(found, Rejection):
            return replace(known, problem=found.sentence)
        known = replace(known, facts=found, licence=found.licence or known.licence)
        return with_weights(known, known.weights, memory)

    def with_prepared(self, known: KnownModel) -> KnownModel:
        """Return a model with whether drafters were trained and what loading it showed.

        The first time it may read all weights.
        """
        if known.facts is None or not known.is_usable:
            return known
        found = find_drafters(known.facts, (self.drafters_place(known.path),), self._cache_folder)
        fingerprint = self.fingerprint_of(known)
        known = replace(known, prepared=found.prepared)
        if not fingerprint:
            return known
        verdicts = LoadVerdicts(self._cache_folder)
        return replace(known, verdict=verdicts.summary(fingerprint))

    def fingerprint_of(self, known: KnownModel) -> str:
        """Return the fingerprint of a model where it is known without reading the weights; else nothing."""
        if known.facts is None:
            return ""
        return known_fingerprint(known.facts.deciding_files, self._cache_folder)

    def add(self, path: Path) -> KnownModel:
        """Add a folder or a GGUF file to the list; WriterProblem when there is no usable model in it."""
        known = self.look_at(path)
        if known.facts is None and known.gguf is None:
            raise not_added(known)
        if known.origin is ModelOrigin.ADDED:
            folder = path.absolute()
            self._write_list([each for each in self._added() if each != folder] + [folder])
        return known

    def remove(self, known: KnownModel) -> None:
        """Remove a model from the list. What Quire made is deleted from the disk; what was added never is."""
        fingerprint = self.fingerprint_of(known)
        self._take_off(known)
        forget_integer_files(fingerprint, self._cache_folder)

    def take_download(self, known: KnownModel, folder: Path) -> None:
        """Make the weights of a download part of what was imported from it, if they can be moved."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            if take_weights(folder, known.path):
                self.remove(known)

    def drafters_place(self, path: Path) -> Path:
        """Return where a model's drafters go: beside it, or to the models folder where that is read-only."""
        writable = os.access(path, os.W_OK) and path != BUILT_IN_MODEL
        return path if writable else self.home / "prepared" / path.name

    # ------------------------------------------------------------ inside
    def _take_off(self, known: KnownModel) -> None:
        """Take a model off the list, and delete it where Quire made it."""
        if known.origin is ModelOrigin.BUILT_IN:
            raise WriterProblem("The built-in model is part of Quire and can't be removed.")
        if not known.is_removable:
            raise WriterProblem("{name} does not belong to Quire, so it was not removed.", name=known.name)
        if known.origin is ModelOrigin.SERVER:
            remove_server(known.path)
            return
        if known.origin is ModelOrigin.ADDED:
            self._write_list([each for each in self._added() if each != known.path])
            return
        if not self._is_ours(known.path):
            raise WriterProblem("{path} was not made by Quire, so it was not deleted.", path=known.path)
        try:
            shutil.rmtree(known.path)
        except OSError as error:
            raise WriterProblem(
                "{name} could not be deleted ({reason}). Close the programs that use it.",
                name=known.name,
                reason=error.strerror or error,
            ) from error

    def _is_ours(self, path: Path) -> bool:
        if path.is_symlink():
            return False
        if path.parent == self.home / IMPORTED:
            return read_record(path) is not None
        return path.parent == self.home and read_source(path) is not None

    def _origin(self, path: Path) -> tuple[ModelOrigin, Source | None]:
        """Return where a model is from, and what it was downloaded from."""
        if path == BUILT_IN_MODEL:
            return ModelOrigin.BUILT_IN, None
        if path.parent == self.home / IMPORTED and read_record(path) is not None:
            return ModelOrigin.IMPORTED, None
        source = read_source(path) if path.parent == self.home else None
        if source is None:
            return ModelOrigin.ADDED, None
        return ModelOrigin.DOWNLOADED if source.is_finished else ModelOrigin.UNFINISHED, source

    def _in_file(self, path: Path) -> KnownModel:
        """Return the model in a GGUF file, or in a folder with packed weights, which can be imported."""
        found = inspect_importable(path)
        if isinstance(found, Rejection):
            return KnownModel(path, path.name, ModelOrigin.ADDED, problem=found.sentence)
        return KnownModel(
            path,
            ollama_name(path) or found.name,
            ModelOrigin.ADDED,
            gguf=found,
            licence=found.licence,
            has_adapter=self._has_adapter(found),
        )

    def _as_imported(self, known: KnownModel) -> KnownModel:
        record = read_record(known.path)
        if record is None:
            return known
        is_adapted = record.adapter_sha256 is not None
        has_adapter = is_adapted or record.source_sha256 in adapted_sources(self._adapters)
        name = _imported_name(known.path)
        return replace(known, name=name, has_adapter=has_adapter, is_adapted=is_adapted)

    def _has_adapter(self, found: Importable) -> bool:
        """Return whether an adapter was trained for a file; only one of the starter model's size is read."""
        if found.num_bytes != starter_model.NUM_BYTES:
            return False
        try:
            digest = source_digest(found.files, self._cache_folder)
        except OSError:
            return False
        return digest in adapted_sources(self._adapters)

    def _downloads(self) -> list[Path]:
        try:
            return sorted(each for each in self.home.iterdir() if read_source(each) is not None)
        except OSError:
            return []  # nothing was ever downloaded

    def _imported(self) -> list[Path]:
        try:
            found = sorted((self.home / IMPORTED).iterdir())
        except OSError:
            return []  # nothing was ever imported
        return [each for each in found if read_record(each) is not None]

    def _added(self) -> list[Path]:
        try:
            content = (self.home / LIST_NAME).read_bytes()
            found: Any = json.loads(content) if len(content) <= _MAX_LIST else {}
            listed = found["folders"] if found["format"] == _FORMAT else []
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return []
        kept = [Path(each) for each in listed if isinstance(each, str) and each and "\0" not in each]
        return kept[:_MAX_FOLDERS]

    def _write_list(self, folders: Sequence[Path]) -> None:
        content = {"format": _FORMAT, "folders": [str(folder) for folder in folders]}
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            replace_file(self.home / LIST_NAME, json.dumps(content, indent=1).encode("utf-8"))
        except OSError as error:
            raise WriterProblem(
                "The list of models could not be saved in {folder} ({reason}).",
                folder=self.home,
                reason=error.strerror or error,
            ) from error


def _of_download(known: KnownModel, source: Source | None) -> KnownModel:
    """Return a model with the repository that it was downloaded from."""
    if source is None:
        return known
    repository = source.repository
    return replace(known, repository=repository.name, licence=known.licence or repository.licence)


def _on_server(path: Path, record: ServerRecord) -> KnownModel:
    context = record.abilities.context_length or 0
    return KnownModel(path, record.name, ModelOrigin.SERVER, context=context, server=record)


def not_added(known: KnownModel) -> WriterProblem:
    """Say why the model of a folder or file can't be used."""
    path = known.path
    return WriterProblem("{file} was not added. {problem}", file=path.name or path, problem=known.problem)


def _imported_name(folder: Path) -> str:
    """Return the name of the file, or the model's own where the file is named by its digest, as Ollama's."""
    name = shown_name(folder)
    if _BLOB.fullmatch(name):
        try:
            with (folder / "README.md").open(encoding="utf-8") as file:
                titles = [line[2:].strip() for line in file.read(4096).splitlines() if line.startswith("# ")]
        except (OSError, ValueError):
            titles = []
        return next((title for title in titles if title), name)
    return name


def with_weights(
    known: KnownModel, weights: Weights, memory: FreeMemory | None, limit: int = 0
) -> KnownModel:
    """Return a model with how its weights are to be loaded, and what then fits.

    limit: of the context, as in ModelConfig.
    """
    if known.origin is ModelOrigin.SUGGESTED:
        weights = "auto"  # as it was judged when it was suggested
    if known.facts is None or memory is None:
        return replace(known, weights=weights, is_small=weights == "int8")
    on_gpu = memory.gpu > 0
    context = context_here(known.facts.context_length, limit, on_gpu=on_gpu)
    fitting = reckoned(known.facts, memory, weights, limit)
    is_small = weights == "int8" or known.facts.is_fast(weights, on_gpu=on_gpu)
    return replace(known, weights=weights, is_small=is_small, fit=fitting, context=context)


def reckoned(
    facts: ModelFacts,
    memory: FreeMemory,
    weights: Weights = "full",
    limit: int = 0,
) -> Fit:
    """Estimate whether a model fits with all of the context that it gets here.

    limit: the writer's own.
    """
    on_gpu = memory.gpu > 0
    return fit(
        facts,
        memory.for_model(facts),
        memory.dtype,
        min(GOAL_TOKENS, context_here(facts.context_length, limit, on_gpu=on_gpu)),
        on_gpu=on_gpu,
        weights=weights,
    )

"""Models that Quire does not have yet: those of other programs, and those to download."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quire.services.model_library.model_discovery import FoundModel, find_models, models_below
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin, not_added
from quire.services.model_library.model_places import ModelPlace
from quire.services.model_library.recommended_models import RecommendedModel, recommendations
from quire_engine.catalog.imported_models import ImportRecord, read_record
from quire_engine.catalog.memory_fit import FreeMemory

MAX_ADDED = 50
"""Models that are added at once from the folders below a chosen one."""


@dataclass(frozen=True, slots=True)
class ModelOffers:
    """Where models are looked for, and what is recommended; every method blocks on the disk."""

    places: Sequence[ModelPlace] = ()
    recommended: Sequence[RecommendedModel] = ()

    def beside(
        self, library: ModelLibrary, known: Sequence[KnownModel], memory: FreeMemory | None
    ) -> tuple[KnownModel, ...]:
        """Return what can be offered beside the known models; before the memory is known, nothing to
        download.
        """
        found = self._found(library, known, memory)
        if memory is None:
            return found
        return (*found, *self._suggested((*known, *found), memory))

    def _found(
        self, library: ModelLibrary, known: Sequence[KnownModel], memory: FreeMemory | None
    ) -> tuple[KnownModel, ...]:
        there = {_real(each.path) for each in known}
        imported = {(each.source, each.source_bytes) for each in map(_record, known) if each is not None}
        others = [
            each
            for each in find_models(self.places)
            if _real(each.path) not in there and (each.path.name, each.num_bytes) not in imported
        ]
        looked_at = [_as_found(library.look_at(each.path, memory), each) for each in others]
        # other programs keep much that writes no text; it would only be in the way
        usable = [each for each in looked_at if each.is_usable or each.gguf is not None]
        return tuple(sorted(usable, key=lambda each: each.name.lower()))

    def _suggested(self, known: Sequence[KnownModel], memory: FreeMemory) -> tuple[KnownModel, ...]:
        repositories = {each.repository for each in known}
        names = {each.name for each in known}
        return tuple(
            KnownModel(
                Path(each.model.repository),
                each.model.name,
                ModelOrigin.SUGGESTED,
                each.model.facts,
                fit=each.fit,
                repository=each.model.repository,
                licence=each.model.licence,
                is_best=each.is_best,
                is_slow=each.is_slow,
            )
            for each in recommendations(memory, self.recommended)
            if each.model.repository not in repositories
            and each.model.repository.rpartition("/")[2] not in names
        )


def add_from(library: ModelLibrary, path: Path) -> tuple[KnownModel, ...]:
    """Add the model in a folder or file to the list, or else those in the folders below it.

    WriterProblem when there is no usable one; it says what is wrong with the folder itself.
    """
    return tuple(library.add(each.path) for each in models_in(library, path))


def models_in(library: ModelLibrary, path: Path) -> tuple[KnownModel, ...]:
    """Return the model in a folder or file, or else those in the folders below it, at least one.

    WriterProblem when there is no usable one; it says what is wrong with the folder itself.
    """
    here = library.look_at(path)
    if _can_be_added(here):
        return (here,)
    below = [library.look_at(each.path) for each in models_below(path) if each.path != path]
    usable = tuple(each for each in below if _can_be_added(each))
    if not usable:
        raise not_added(here)
    return usable[:MAX_ADDED]


def imported_from(library: ModelLibrary, known: KnownModel) -> KnownModel | None:
    """Return the model that was imported from a file before; None if there is a choice left to make."""
    if known.gguf is None or known.has_adapter:
        return None
    source = (known.gguf.path.name, known.gguf.num_bytes)
    for each in library.models():
        record = _record(each)
        if record is not None and (record.source, record.source_bytes) == source:
            return each
    return None


def _can_be_added(known: KnownModel) -> bool:
    return known.facts is not None or known.gguf is not None


def _record(known: KnownModel) -> ImportRecord | None:
    return read_record(known.path) if known.origin is ModelOrigin.IMPORTED else None


def _as_found(known: KnownModel, found: FoundModel) -> KnownModel:
    return replace(known, name=found.name, origin=ModelOrigin.FOUND, place=found.place)


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a loop of links
        return path

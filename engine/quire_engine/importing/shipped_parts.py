"""Import a model file as the window does it: with what ships with Quire for it."""

from __future__ import annotations

from pathlib import Path

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapters import adapter_for
from quire_engine.catalog.importable import find_importable
from quire_engine.catalog.imported_models import FOLDER, source_digest
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.importing.model_import import import_model


def import_with_shipped(path: Path, cache: Path) -> Path:
    """Return the folder of a GGUF file in a cache; EnvironmentProblem where it can't be used."""
    try:
        from quire_resources import ADAPTERS as SHIPPED
    except ImportError:
        return import_model(path, cache / FOLDER)
    try:
        digest = source_digest(find_importable(path).files, cache)
        adapter = adapter_for(SHIPPED, digest)
    except ModelRejected as refused:
        raise EnvironmentProblem(
            "The model in {path} can't be used. {problem}", path=path, problem=refused.message
        ) from refused
    return import_model(path, cache / FOLDER, adapter=adapter, shipped=SHIPPED, digest=digest)

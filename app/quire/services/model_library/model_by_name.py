"""Finds the model that a project names: runs keep its name, and no path, since projects are moved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quire.services.model_library.model_discovery import find_models
from quire.services.model_library.model_library import KnownModel, ModelLibrary
from quire.services.model_library.model_places import ModelPlace, model_places
from quire.services.model_library.server_records import read_server, runs_where, server_folders
from quire.system.app_folders import cache_folder
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.catalog.inspection import name_of


def find_server(drafted_with: ModelIdentity, library: ModelLibrary | None = None) -> Path | None:
    """Return the folder of the listed server that a run was drafted on; None where it is not listed.

    The same model on another host is another one: nobody agreed that the words go there.
    """
    home = (ModelLibrary() if library is None else library).home
    for folder in server_folders(home):
        record = read_server(folder)
        if record is not None and runs_where(record, drafted_with):
            return folder
    return None


def find_by_name(
    name: str,
    fingerprint: str = "",
    library: ModelLibrary | None = None,
    places: Sequence[ModelPlace] | None = None,
) -> Path | None:
    """Return the folder of the usable model with this name; None where there is none. It blocks on the disk.

    Whether it is the very same model shows when it is loaded.

    Args:
        fingerprint: of the model; decides between several of this name, such as one file imported in two
            ways, as far as theirs are known.
    """
    library = ModelLibrary(cache_folder=cache_folder()) if library is None else library
    named = [known for known in library.models() if _is_local(known) and name_of(known.path) == name]
    if named:
        same = (known for known in named if len(named) > 1 and library.fingerprint_of(known) == fingerprint)
        return next(same, named[0]).path
    for found in find_models(model_places() if places is None else places):
        if name_of(found.path) == name and library.look_at(found.path).is_usable:
            return found.path
    return None


def _is_local(known: KnownModel) -> bool:
    return known.is_usable and known.server is None

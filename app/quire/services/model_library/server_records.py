"""Models on servers that the writer added: one small file each, beside the models of this computer."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from quire.errors import WriterProblem
from quire_engine.api.atomic_file import replace_file
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.remote.server import ServerAbilities, ServerAddress

FOLDER = "servers"
"""In the models folder."""
FILE = "server.json"
_FORMAT = 1
_MAX_BYTES = 100_000
_MOST_SERVERS = 200
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_MODEL_FILE = re.compile(r"\.gguf$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """A model on a server; its key is not part of it.

    Attributes:
        abilities: what the server could do when it was tested last; the list of its models is not kept.
        has_key: whether it is used with a key, which is in the keyring.
    """

    address: ServerAddress
    abilities: ServerAbilities
    has_key: bool = False

    @property
    def name(self) -> str:
        """The model's name without the folders that some servers put before it."""
        return short_name(self.address.model or self.abilities.model) or self.address.host


def runs_where(record: ServerRecord, drafted_with: ModelIdentity) -> bool:
    """Say whether a server is the one that a run was drafted on: the same model on the same host."""
    model = record.address.model.replace("\\", "/")
    same_model = model == drafted_with.name or model.endswith(f"/{drafted_with.name}")
    return same_model and f" at {record.address.host};" in f"{drafted_with.software};"


def short_name(model: str) -> str:
    """Return the name of a model of a server without folders and the end of a file's name."""
    last = model.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _MODEL_FILE.sub("", last) or model


def is_server_folder(folder: Path) -> bool:
    """Say whether a folder is where a server's record would be; nothing is read."""
    return folder.parent.name == FOLDER


def read_server(folder: Path) -> ServerRecord | None:
    """Return the record in a folder; None where there is none that can be read."""
    try:
        content = (folder / FILE).read_bytes()
        stored: Any = json.loads(content) if len(content) <= _MAX_BYTES else {}
        if stored["format"] != _FORMAT:
            return None
        address = ServerAddress(_text(stored["url"]), _text(stored["model"]))
        abilities = ServerAbilities((), **_known_abilities(stored["abilities"]))
        return ServerRecord(address, abilities, stored["has_key"] is True)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def server_folders(home: Path) -> list[Path]:
    """Return the folders with a record."""
    try:
        found = sorted((home / FOLDER).iterdir())[:_MOST_SERVERS]
    except OSError:
        return []  # none was ever added
    return [each for each in found if read_server(each) is not None]


def keep_server(home: Path, record: ServerRecord) -> Path:
    """Store a record and return its folder, the same for the same address and model."""
    address = record.address
    digest = hashlib.sha256(f"{address.url}\0{address.model}".encode()).hexdigest()[:10]
    readable = _NOT_IN_NAMES.sub("-", record.name).strip("-.")[:40]
    folder = home / FOLDER / f"{readable}-{digest}"
    abilities = replace(record.abilities, models=())
    content = {
        "format": _FORMAT,
        "url": address.url,
        "model": address.model,
        "has_key": record.has_key,
        "abilities": {each.name: getattr(abilities, each.name) for each in fields(abilities)},
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / FILE, json.dumps(content, indent=1).encode("utf-8"))
    except OSError as error:
        raise WriterProblem(
            "The server could not be saved in {folder} ({reason}).",
            folder=folder,
            reason=error.strerror or error,
        ) from error
    return folder


def remove_server(folder: Path) -> None:
    """Delete a record; WriterProblem where that fails."""
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise WriterProblem(
            "The server could not be removed from {folder} ({reason}).",
            folder=folder,
            reason=error.strerror or error,
        ) from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _known_abilities(stored: object) -> dict[str, Any]:
    """Return what this version knows of stored abilities, as far as it has the right type."""
    if not isinstance(stored, dict):
        raise TypeError("not an object")
    known = {}
    for each in fields(ServerAbilities):
        value = stored.get(each.name)
        if each.name != "models" and isinstance(value, bool | int | str):
            known[each.name] = value
    return known

"""Reading small files of a stranger: never more than a bound, never anything but a RefusedError."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quire_engine.catalog.refusal import Fault, RefusedError, printable


def read_bytes(file: Path, most: int) -> bytes:
    """Return a file's content; RefusedError when it is larger than it may be or cannot be read."""
    try:
        with file.open("rb") as data:
            content = data.read(most + 1)
    except FileNotFoundError as error:
        raise RefusedError(
            Fault.MISSING, f"{file.name} is missing. Download the model again, all of it."
        ) from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise RefusedError(
            Fault.DAMAGED, f"{printable(file.name)} cannot be read ({printable(said)})."
        ) from error
    if len(content) > most:
        raise RefusedError(
            Fault.UNSAFE, f"{file.name} is larger than such a file ever is, so it is not opened."
        )
    return content


def read_json(file: Path, most: int) -> Any:
    """Return what a JSON file holds; RefusedError when it is none."""
    return parsed(read_bytes(file, most), file.name)


def parsed(content: bytes, name: str) -> Any:
    """Return what JSON says; RefusedError when it is none, too deep, or says a key twice."""
    try:
        return json.loads(content, object_pairs_hook=_once)
    except (ValueError, RecursionError, MemoryError) as error:
        raise RefusedError(
            Fault.DAMAGED, f"{name} is damaged: it is no valid JSON. Download the model again."
        ) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # two readers may take different ones of two equal keys, so what is checked might not be what is used
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands there twice")
    return found

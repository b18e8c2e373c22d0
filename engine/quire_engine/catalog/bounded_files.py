"""Read small files of untrusted model folders: bounded in size, or ModelRejected."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable


def check_file(folder: Path, file: Path) -> None:
    """Reject a file that is missing, not a regular file, or outside the model folder.

    Links are followed and their target is judged: a regular file (a pipe would block, a device never ends) in
    the folder itself or among the blobs of the hub's download cache, where snapshots/REVISION/FILE links to
    ../../blobs/DIGEST.
    """
    name = printable(file.name)
    if not file.exists():
        what = "is a link that leads nowhere" if file.is_symlink() else "is missing"
        raise ModelRejected(
            RejectionKind.MISSING, "{name} {what}. Download the whole model again.", name=name, what=what
        )
    target, root = file.resolve(), folder.resolve()
    if not (target.is_relative_to(root) or _is_blob(target, root)):
        raise ModelRejected(
            RejectionKind.UNSAFE,
            "{name} is a link to a file outside the folder, so it was not opened. Copy the file into "
            "the folder.",
            name=name,
        )
    if not stat.S_ISREG(target.stat().st_mode):
        raise ModelRejected(
            RejectionKind.UNSAFE,
            "{name} is not a regular file, so it was not opened. Download the model again.",
            name=name,
        )


def _is_blob(target: Path, root: Path) -> bool:
    """Say whether a file is a blob of the download cache; older hub versions linked to it from elsewhere."""
    blobs = target.parent
    if root.parent.name == "snapshots" and blobs == root.parent.parent / "blobs":
        return True
    repository = blobs.parent
    named = blobs.name == "blobs" and repository.name.startswith("models--")
    return named and (repository / "snapshots").is_dir()


def read_bytes(file: Path, most: int) -> bytes:
    """Return a file's content; ModelRejected if it is larger than `most` or unreadable."""
    try:
        with file.open("rb") as data:
            # as many bytes as are asked for are reserved at once, however small the file is
            content = data.read(min(most, os.fstat(data.fileno()).st_size) + 1)
    except FileNotFoundError as error:
        raise ModelRejected(
            RejectionKind.MISSING, "{file} is missing. Download the whole model again.", file=file.name
        ) from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{file} can't be read ({reason}).",
            file=printable(file.name),
            reason=printable(said),
        ) from error
    if len(content) > most:
        raise ModelRejected(
            RejectionKind.UNSAFE,
            "{file} is implausibly large, so it was not opened.",
            file=file.name,
        )
    return content


def read_json(file: Path, most: int) -> Any:
    """Return the content of a JSON file; ModelRejected if it is not one."""
    return parsed(read_bytes(file, most), file.name)


def parsed(content: bytes, name: str) -> Any:
    """Parse JSON; ModelRejected if it is invalid, too deep, or has duplicate keys."""
    try:
        return json.loads(content, object_pairs_hook=_once)
    except (ValueError, RecursionError, MemoryError) as error:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "{name} is damaged: it is not valid JSON. Download the model again.",
            name=name,
        ) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # two readers may take different ones of two equal keys, so what is checked might not be what is used
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found

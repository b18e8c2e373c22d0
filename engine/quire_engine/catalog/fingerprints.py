"""The fingerprint of a model folder, without reading gigabytes of weights again at every load.

Small files are always read. A fingerprint is remembered by the digests of these and by path, size, times and
number of the large ones, in one JSON file. Content that changes in place changes the times; only a change
within the clock's resolution would not, so what was written moments ago is not remembered.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file

LARGE = 64 << 20
"""Bytes from which on a file is worth remembering."""
SETTLED_S = 10.0
"""Age of a file's last change below which its digest is not remembered; some file systems count 2 s steps."""

FILE_NAME = "model-digests.json"
_FORMAT = 1
_MAX_ENTRIES = 64
_MAX_BYTES = 1 << 20


def fingerprint(files: Sequence[Path], cache_folder: Path | None = None, *, large: int = LARGE) -> str:
    """Return the SHA-256 over files, names and sizes included; OSError when one cannot be read.

    Args:
        cache_folder: where it is remembered; None: nowhere. What is found there does not change the answer,
            and damaged or foreign content is passed over.
        large: bytes from which on a file is not read each time.
    """
    if cache_folder is None:
        return _computed(files)
    before = _key(files, large)
    if before is None:
        return _computed(files)
    known = _read(cache_folder / FILE_NAME)
    if (found := known.get(before)) is not None:
        return found
    computed = _computed(files)
    if _key(files, large) == before:  # nothing changed while it was read
        kept = dict([*known.items(), (before, computed)][-_MAX_ENTRIES:])
        _write(cache_folder / FILE_NAME, kept)
    return computed


def stamp(files: Sequence[Path]) -> tuple[object, ...]:
    """Return which files these are and when they last changed, links followed; OSError when one is gone."""
    return tuple((str(file.resolve()), *_state(file)) for file in files)


def _state(file: Path) -> tuple[int, ...]:
    found = file.stat()
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev)


def _computed(files: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + str(file.stat().st_size).encode() + b"\0")
        with file.open("rb") as data:
            while chunk := data.read(1 << 22):
                digest.update(chunk)
    return digest.hexdigest()


def _key(files: Sequence[Path], large: int) -> str | None:
    """Return what the fingerprint is remembered by; None when it is not to be: all small, or just written."""
    digest = hashlib.sha256()
    num_large = 0
    now = time.time()
    for file in files:
        stat = file.stat()
        if stat.st_size < large:
            part: tuple[object, ...] = (file.name, hashlib.sha256(file.read_bytes()).hexdigest())
        else:
            num_large += 1
            if not stat.st_mtime < now - SETTLED_S:  # a time to come is no proof of age either
                return None
            part = stamp((file,))
        digest.update(json.dumps(part).encode() + b"\n")
    return digest.hexdigest() if num_large else None


def _read(file: Path) -> dict[str, str]:
    """Return what is remembered; nothing where the file is absent, damaged or something else."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            return {}
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            return {}
        entries = dict(content["fingerprints"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return {key: value for key, value in entries.items() if _is_digest(key) and _is_digest(value)}


def _is_digest(text: object) -> bool:
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def _write(file: Path, fingerprints: dict[str, str]) -> None:
    """Replace what is remembered; a folder that cannot be written only costs time at the next load."""
    content = json.dumps({"format": _FORMAT, "fingerprints": fingerprints}) + "\n"
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, content.encode())

"""Fingerprints of model folders, without hashing gigabytes of weights at every load.

Small files are always read. A fingerprint is cached under their digests and under path, size, times and inode
of the large ones, in one JSON file. A change in place changes the times, except within the clock's
resolution, so recently written files are not cached.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file

LARGE = 64 << 20
"""Size from which a file's digest is cached."""
SETTLED_S = 10.0
"""Seconds since a file's last change before its digest is cached; some file systems have 2 s time stamps."""

FILE_NAME = "model-digests.json"
_FORMAT = 1
_MAX_ENTRIES = 64
_MAX_BYTES = 1 << 20


def fingerprint(files: Sequence[Path], cache_folder: Path | None = None, *, large: int = LARGE) -> str:
    """Return the SHA-256 over files, names and sizes included; OSError if one cannot be read.

    Args:
        files: in order.
        cache_folder: where fingerprints are cached; None: nowhere. Its content never changes the result;
            damaged entries are ignored.
        large: size from which a file is not read each time.
    """
    return _cached(files, lambda: _computed(files), cache_folder, "", large)


def cached_digest(
    files: Sequence[Path], compute: Callable[[], str], cache_folder: Path | None = None, *, large: int = LARGE
) -> str:
    """Return another digest over files, computed unless it is cached; apart from their fingerprint."""
    return _cached(files, compute, cache_folder, "content", large)


def _cached(
    files: Sequence[Path], compute: Callable[[], str], cache_folder: Path | None, kind: str, large: int
) -> str:
    before = None if cache_folder is None else _key(files, large, kind)
    if cache_folder is None or before is None:
        return compute()
    known = _read(cache_folder / FILE_NAME)
    if (found := known.get(before)) is not None:
        return found
    computed = compute()
    if _key(files, large, kind) == before:  # nothing changed while it was read
        kept = dict([*known.items(), (before, computed)][-_MAX_ENTRIES:])
        _write(cache_folder / FILE_NAME, kept)
    return computed


def known_fingerprint(files: Sequence[Path], cache_folder: Path | None = None) -> str:
    """Return the fingerprint where that takes no time: of small files, or remembered; else nothing."""
    try:
        if all(file.stat().st_size < LARGE for file in files):
            return _computed(files)
        key = None if cache_folder is None else _key(files, LARGE, "")
    except OSError:
        return ""
    return "" if cache_folder is None or key is None else _read(cache_folder / FILE_NAME).get(key, "")


class PendingFingerprint:
    """A fingerprint that is remembered, or that a thread of its own computes while the model is being built.

    Small files are read at once.
    """

    def __init__(self, files: Sequence[Path], cache_folder: Path | None = None) -> None:
        self._future: Future[str] = Future()
        self._files, self._cache_folder = tuple(files), cache_folder
        if not self._is_quick():
            threading.Thread(target=self._compute, name="fingerprint", daemon=True).start()

    @property
    def is_known(self) -> bool:
        """Whether `value` returns at once."""
        return self._future.done()

    def value(self) -> str:
        """Return the fingerprint, after waiting for it; OSError if a file could not be read."""
        return self._future.result()

    def _is_quick(self) -> bool:
        """Set the result if that takes no time worth a thread."""
        known = known_fingerprint(self._files, self._cache_folder)
        if known:
            self._future.set_result(known)
        return bool(known)

    def _compute(self) -> None:
        try:
            self._future.set_result(fingerprint(self._files, self._cache_folder))
        except BaseException as error:  # noqa: BLE001  raised again for whoever asks
            self._future.set_exception(error)


def stamp(files: Sequence[Path]) -> tuple[object, ...]:
    """Return which files these are and when they last changed, links followed; OSError if one is gone."""
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


def _key(files: Sequence[Path], large: int, kind: str) -> str | None:
    """Return the cache key; None where nothing is to be cached: all files are small, or just written."""
    digest = hashlib.sha256(kind.encode())
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
    """Return the cached fingerprints; none if the file is missing or damaged."""
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
    """Replace the cache; if the folder is not writable, the next load only takes longer."""
    content = json.dumps({"format": _FORMAT, "fingerprints": fingerprints}) + "\n"
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, content.encode())

"""The cache's size, and emptying it; both read every file, so they need a thread of their own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path


def cache_size(folder: Path) -> int:
    """Return the size of a folder's files in bytes; unreadable ones are ignored."""
    total = 0
    for file in _files(folder):
        with contextlib.suppress(OSError):
            total += file.stat(follow_symlinks=False).st_size
    return total


def clear_cache(folder: Path) -> int:
    """Delete a folder's content and return how many bytes are left: files in use may stay.

    A link is deleted as a link, never its target.
    """
    for file in list(_files(folder)):
        with contextlib.suppress(OSError):
            file.unlink()
    for inner in sorted(_folders(folder), reverse=True):  # the innermost ones first
        with contextlib.suppress(OSError):
            inner.rmdir()
    return cache_size(folder)


def _files(folder: Path) -> Iterator[Path]:
    for path in _all_in(folder):
        if path.is_symlink() or not path.is_dir():
            yield path


def _folders(folder: Path) -> list[Path]:
    return [path for path in _all_in(folder) if path.is_dir() and not path.is_symlink()]


def _all_in(folder: Path) -> Iterator[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for path in inside:
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _all_in(path)

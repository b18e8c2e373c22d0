"""Where Quire keeps its own files; found without Qt, so that the commands use the same folders."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

PORTABLE = "portable"
"""A folder of this name beside the program keeps everything that would be in the home folder."""
_ENGINE_CACHE = "QUIRE_CACHE"
"""The variable by which the engine, which knows no app, is told of the cache (integer.kernel_cache)."""


def portable_folder() -> Path | None:
    """Return the folder beside the program that takes the place of the home folder; None without one.

    The program is the folder that its environment (`.venv`) lies in, or the one of a frozen executable.
    """
    if getattr(sys, "frozen", False):
        folder = Path(sys.executable).parent / PORTABLE
    elif sys.prefix != sys.base_prefix:
        folder = Path(sys.prefix).parent / PORTABLE
    else:
        return None
    return folder if folder.is_dir() else None


def be_portable() -> None:
    """Keep what the engine and its processes compile in the portable folder, too, if there is one."""
    if (portable := portable_folder()) is not None:
        os.environ[_ENGINE_CACHE] = str(portable / "cache")


def cache_folder() -> Path:
    """Return the folder for files that may be deleted at any time; it need not exist."""
    if (portable := portable_folder()) is not None:
        return portable / "cache"
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Quire"
    return _named_folder("XDG_CACHE_HOME", ".cache") / "quire"


def state_folder() -> Path:
    """Return the folder for the state of Quire itself; it need not exist."""
    if (portable := portable_folder()) is not None:
        return portable / "state"
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "State"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Quire"
    return _named_folder("XDG_STATE_HOME", ".local/state") / "quire"


def models_home() -> Path:
    """Return the folder for downloaded models; it need not exist."""
    if (portable := portable_folder()) is not None:
        return portable / "models"
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "Models"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Quire" / "Models"
    return _named_folder("XDG_DATA_HOME", ".local/share") / "quire" / "models"


def data_folder() -> Path:
    """Return the folder for what the writer adds to Quire; it need not exist."""
    if (portable := portable_folder()) is not None:
        return portable / "data"
    if sys.platform == "win32":
        roaming = os.environ.get("APPDATA")
        return (Path(roaming) if roaming else Path.home() / "AppData" / "Roaming") / "Quire"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Quire"
    return _named_folder("XDG_DATA_HOME", ".local/share") / "quire"


def _local_app_data() -> Path:
    local = os.environ.get("LOCALAPPDATA")
    return Path(local) if local else Path.home() / "AppData" / "Local"


def _named_folder(variable: str, usual: str) -> Path:
    """Return the folder in an environment variable; a relative one is ignored."""
    named = os.environ.get(variable)
    return Path(named) if named and Path(named).is_absolute() else Path.home() / usual


# ------------------------------------------------------------ on a thread of its own: every file is read
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

"""Where Quire keeps its own files; found without Qt, so that the commands use the same folders."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for files that may be deleted at any time; it need not exist."""
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Quire"
    return _named_folder("XDG_CACHE_HOME", ".cache") / "quire"


def state_folder() -> Path:
    """Return the folder for the state of Quire itself; it need not exist."""
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "State"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Quire"
    return _named_folder("XDG_STATE_HOME", ".local/state") / "quire"


def _local_app_data() -> Path:
    local = os.environ.get("LOCALAPPDATA")
    return Path(local) if local else Path.home() / "AppData" / "Local"


def _named_folder(variable: str, usual: str) -> Path:
    """Return the folder in an environment variable; a relative one is ignored."""
    named = os.environ.get(variable)
    return Path(named) if named and Path(named).is_absolute() else Path.home() / usual

"""Where Quire keeps what is not the writer's; found without Qt, so that the commands have the same places."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what may be deleted at any time; it need not exist."""
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Quire"
    return _named_folder("XDG_CACHE_HOME", ".cache") / "quire"


def state_folder() -> Path:
    """Return the folder for what Quire notes of its starts and ends; it need not exist."""
    if sys.platform == "win32":
        return _local_app_data() / "Quire" / "State"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Quire"
    return _named_folder("XDG_STATE_HOME", ".local/state") / "quire"


def _local_app_data() -> Path:
    local = os.environ.get("LOCALAPPDATA")
    return Path(local) if local else Path.home() / "AppData" / "Local"


def _named_folder(variable: str, usual: str) -> Path:
    """Return the folder that a variable names; one that is not absolute does not count."""
    named = os.environ.get(variable)
    return Path(named) if named and Path(named).is_absolute() else Path.home() / usual

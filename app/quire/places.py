"""Where Quire keeps what it can make again; found without Qt, so that the commands have the same place."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what may be deleted at any time; it need not exist."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "Quire" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "Quire"
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named and Path(named).is_absolute() else Path.home() / ".cache") / "quire"

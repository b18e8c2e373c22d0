"""Where the engine keeps what can be made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def own_cache() -> Path:
    """Return Quire's folder in the user's cache; QUIRE_CACHE names another one."""
    named = os.environ.get("QUIRE_CACHE")
    return Path(named) if named else _user_cache() / "quire"


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")

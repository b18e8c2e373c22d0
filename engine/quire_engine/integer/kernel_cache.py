"""Where compiled kernels are kept, so that only the first load waits for them."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import numba
from numba.core import config as numba_config


def keep_compiled_kernels() -> None:
    """Let numba keep what it compiles in a folder of the user's cache; NUMBA_CACHE_DIR overrides it.

    By itself numba compares only the file that a kernel is in, and would go on with old machine code where a
    kernel that it calls has changed. So the folder's name is a digest of all of them.
    """
    config: Any = numba_config  # its settings are set by name
    if not config.CACHE_DIR:
        config.CACHE_DIR = str(_user_cache() / "quire" / "kernels" / _digest_of_sources())


def _digest_of_sources() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    """Return the user's folder for what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")

"""Where compiled kernels are kept, so that only the first load waits for them."""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numba
from numba.core import config as numba_config

_log = logging.getLogger(__name__)

_NEEDED = 64 * 1024 * 1024
"""Free bytes below which nothing is kept: numba would stop at a full disk."""


def keep_compiled_kernels() -> None:
    """Let numba keep what it compiles in a folder of the user's cache; NUMBA_CACHE_DIR overrides it.

    By itself numba compares only the file that a kernel is in, and would go on with old machine code where a
    kernel that it calls has changed. So the folder's name is a digest of all of them. Processes may share it:
    numba writes each file under another name first. Where nothing can be written, a folder that lasts as long
    as the process takes its place, and every start compiles.
    """
    config: Any = numba_config  # its settings are set by name
    if not config.CACHE_DIR:
        config.CACHE_DIR = str(folder_for_kernels(_user_cache() / "quire" / "kernels"))


def folder_for_kernels(parent: Path) -> Path:
    """Return a folder for the kernels of this version: within `parent`, or one that is deleted at the end."""
    folder = parent / _digest_of_sources()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        if shutil.disk_usage(folder).free >= _NEEDED:
            return folder
        _log.warning("Compiled kernels aren't kept: little space is left in %s.", folder)
    except OSError:
        _log.warning("Compiled kernels aren't kept: %s can't be written.", folder, exc_info=True)
    short_lived = tempfile.mkdtemp(prefix="quire-kernels-")
    atexit.register(shutil.rmtree, short_lived, ignore_errors=True)
    return Path(short_lived)


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

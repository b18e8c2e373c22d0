"""Where compiled kernels are kept, so that only the first load waits for them."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import config as numba_config

from quire_engine.api.user_cache import own_cache

_log = logging.getLogger(__name__)

_NEEDED = 64 * 1024 * 1024
"""Free bytes below which nothing is kept: numba would stop at a full disk."""
_OTHERS = 2
"""Folders of other versions that are left, the last used ones: two versions may be in use by turns."""
_SOURCES = Path(__file__).parent
_TRY_AGAIN_S = 0.2


def keep_compiled_kernels() -> None:
    """Let numba keep what it compiles in a folder of the user's cache.

    QUIRE_CACHE names another folder than the user's cache; NUMBA_CACHE_DIR overrides both.

    By itself numba compares only the file that a kernel is in, and would go on with old machine code where a
    kernel that it calls has changed. So the folder's name is a digest of all of them. Processes may share it:
    numba writes each file under another name first. Where nothing can be written, a folder that lasts as long
    as the process takes its place, and every start compiles.
    """
    config: Any = numba_config  # its settings are set by name
    if not config.CACHE_DIR:
        config.CACHE_DIR = str(folder_for_kernels(own_cache() / "kernels"))


def folder_for_kernels(parent: Path) -> Path:
    """Return a folder for the kernels of this version: within `parent`, or one that is deleted at the end."""
    folder = parent / _digest_of_sources()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _delete_others(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        if shutil.disk_usage(folder).free >= _NEEDED:
            os.utime(folder)
            return folder
        _log.warning("Compiled kernels aren't kept: little space is left in %s.", folder)
    except OSError:
        _log.warning("Compiled kernels aren't kept: %s can't be written.", folder, exc_info=True)
    short_lived = tempfile.mkdtemp(prefix="quire-kernels-")
    atexit.register(shutil.rmtree, short_lived, ignore_errors=True)
    return Path(short_lived)


def kernels_folder() -> Path:
    """Return where compiled kernels are kept."""
    config: Any = numba_config
    return Path(config.CACHE_DIR)


def all_compiled() -> bool:
    """Say whether every kernel was compiled once, from these very files and for this processor."""
    return _marker().exists()


def note_all_compiled() -> None:
    """Remember that every kernel is compiled; without effect where nothing can be written."""
    with contextlib.suppress(OSError):
        _marker().touch()


@contextlib.contextmanager
def compiling_alone() -> Iterator[None]:
    """Wait until no other process compiles kernels into this folder, and keep others from it meanwhile.

    The lock is the system's, which ends with the process. Where there is none, both compile.
    """
    try:
        file = (kernels_folder() / "compiling.lock").open("ab")
    except OSError:
        yield
        return
    with file:
        with contextlib.suppress(OSError):
            _lock(file.fileno())
        yield


def _lock(descriptor: int) -> None:
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    import msvcrt

    while True:
        with contextlib.suppress(PermissionError):
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            return
        time.sleep(_TRY_AGAIN_S)


def _marker() -> Path:
    """Return the file that is there once everything is compiled.

    numba compiles again for another processor, and when a file is elsewhere or was written again.
    """
    digest = hashlib.sha256(f"{_digest_of_sources()} {binding.get_host_cpu_name()} ".encode())
    config: Any = numba_config
    digest.update(f"{config.CPU_NAME} {config.CPU_FEATURES} {binding.get_host_cpu_features()}".encode())
    for source in sorted(_SOURCES.glob("*.py")):
        about = source.stat()
        digest.update(f"{source} {about.st_mtime_ns} {about.st_size}".encode())
    return kernels_folder() / f"{digest.hexdigest()[:16]}.compiled"


def _delete_others(folder: Path) -> None:
    """Delete the folders of earlier versions, but for the last ones."""
    others = [each for each in folder.parent.iterdir() if each != folder and each.is_dir()]
    for each in sorted(others, key=lambda other: -other.stat().st_mtime)[_OTHERS:]:
        shutil.rmtree(each, ignore_errors=True)


def _digest_of_sources() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for source in sorted(_SOURCES.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]

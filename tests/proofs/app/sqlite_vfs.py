"""Stands between SQLite and the disk: writes down what SQLite does to files, or lets some of it fail.

A virtual file system of SQLite's own kind (sqlite.org/vfs.html), registered by ctypes in the very library
that Python's sqlite3 uses. The product runs unchanged on top of it.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

OK = 0
_NAME = b"quire-proofs"
_METHODS = (
    "xClose", "xRead", "xWrite", "xTruncate", "xSync", "xFileSize", "xLock", "xUnlock", "xCheckReservedLock",
    "xFileControl", "xSectorSize", "xDeviceCharacteristics", "xShmMap", "xShmLock", "xShmBarrier",
    "xShmUnmap", "xFetch", "xUnfetch",
)  # fmt: skip
_VFS_CALLS = (
    "xOpen", "xDelete", "xAccess", "xFullPathname", "xDlOpen", "xDlError", "xDlSym", "xDlClose",
    "xRandomness", "xSleep", "xCurrentTime", "xGetLastError", "xCurrentTimeInt64", "xSetSystemCall",
    "xGetSystemCall", "xNextSystemCall",
)  # fmt: skip


class _IoMethods(Structure):
    _fields_ = [("iVersion", c_int), *((name, c_void_p) for name in _METHODS)]


class _File(Structure):
    _fields_ = [("pMethods", POINTER(_IoMethods))]


class _Vfs(Structure):
    _fields_ = [
        ("iVersion", c_int),
        ("szOsFile", c_int),
        ("mxPathname", c_int),
        ("pNext", c_void_p),
        ("zName", c_char_p),
        ("pAppData", c_void_p),
        *((name, c_void_p) for name in _VFS_CALLS),
    ]


# names stay addresses: SQLite keeps more behind the end of a name, and finds it there
_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
_CLOSE = CFUNCTYPE(c_int, c_void_p)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
_LOCK = CFUNCTYPE(c_int, c_void_p, c_int)


class Watcher(Protocol):
    """Is asked before every call; what it returns instead of OK is what SQLite gets, and nothing is done."""

    def write(self, path: str, offset: int, data: bytes) -> int:
        """Bytes are about to be written."""
        ...

    def truncate(self, path: str, size: int) -> int:
        """A file is about to be cut, or grown with zeros."""
        ...

    def sync(self, path: str) -> int:
        """What was written to a file is about to be made durable."""
        ...

    def delete(self, path: str) -> int:
        """A file is about to be deleted."""
        ...

    def open(self, path: str, *, existed: bool) -> int:
        """A file is about to be opened, or made."""
        ...

    def lock(self, path: str) -> int:
        """A lock is about to be taken."""
        ...


@dataclass(slots=True)
class _Opened:
    path: str
    methods: _IoMethods


class _Shim:
    """The virtual file system; its callbacks live as long as it does."""

    def __init__(self, library: Any, watcher: Watcher) -> None:
        self._library = library
        self._watcher = watcher
        self._files: dict[int, _Opened] = {}
        self._tables: dict[int, _IoMethods] = {}
        self._original: _Vfs = library.sqlite3_vfs_find(None).contents
        self._callbacks = {
            "xClose": _CLOSE(self._close),
            "xWrite": _WRITE(self._write),
            "xTruncate": _TRUNCATE(self._truncate),
            "xSync": _SYNC(self._sync),
            "xLock": _LOCK(self._lock),
        }
        self._opening, self._deleting = _OPEN(self._open), _DELETE(self._delete)
        self._open_original = ctypes.cast(self._original.xOpen, _OPEN)
        self._delete_original = ctypes.cast(self._original.xDelete, _DELETE)
        self.vfs = _Vfs.from_buffer_copy(self._original)
        self.vfs.zName = _NAME
        self.vfs.pNext = None
        self.vfs.xOpen = ctypes.cast(self._opening, c_void_p).value
        self.vfs.xDelete = ctypes.cast(self._deleting, c_void_p).value

    def _open(self, vfs: int, name: int | None, file: int, flags: int, given: int | None) -> int:
        path = _decoded(name)
        code = self._watcher.open(path, existed=not path or Path(path).exists())
        if code != OK:
            _File.from_address(file).pMethods = None
            return code
        code = int(self._open_original(vfs, name, file, flags, given))
        opened = _File.from_address(file)
        if opened.pMethods:
            table = opened.pMethods.contents
            self._files[file] = _Opened(path, _IoMethods.from_buffer_copy(table))
            opened.pMethods = ctypes.pointer(self._wrapped(table))
        return code

    def _wrapped(self, table: _IoMethods) -> _IoMethods:
        address = ctypes.addressof(table)
        if address not in self._tables:
            wrapped = _IoMethods.from_buffer_copy(table)
            for name, callback in self._callbacks.items():
                setattr(wrapped, name, ctypes.cast(callback, c_void_p).value)
            self._tables[address] = wrapped
        return self._tables[address]

    def _close(self, file: int) -> int:
        opened = self._files.pop(file)
        return int(ctypes.cast(opened.methods.xClose, _CLOSE)(file))

    def _write(self, file: int, data: int, amount: int, offset: int) -> int:
        opened = self._files[file]
        code = self._watcher.write(opened.path, offset, ctypes.string_at(data, amount))
        return code or int(ctypes.cast(opened.methods.xWrite, _WRITE)(file, data, amount, offset))

    def _truncate(self, file: int, size: int) -> int:
        opened = self._files[file]
        code = self._watcher.truncate(opened.path, size)
        return code or int(ctypes.cast(opened.methods.xTruncate, _TRUNCATE)(file, size))

    def _sync(self, file: int, flags: int) -> int:
        opened = self._files[file]
        code = self._watcher.sync(opened.path)
        return code or int(ctypes.cast(opened.methods.xSync, _SYNC)(file, flags))

    def _lock(self, file: int, level: int) -> int:
        opened = self._files[file]
        code = self._watcher.lock(opened.path)
        return code or int(ctypes.cast(opened.methods.xLock, _LOCK)(file, level))

    def _delete(self, vfs: int, name: int, sync_folder: int) -> int:
        code = self._watcher.delete(_decoded(name))
        return code or int(self._delete_original(vfs, name, sync_folder))


def _decoded(name: int | None) -> str:
    return "" if name is None else os.fsdecode(ctypes.string_at(name))


def _library() -> Any:
    library: Any = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    library.sqlite3_vfs_find.argtypes = [c_char_p]
    library.sqlite3_vfs_register.argtypes = [c_void_p, c_int]
    library.sqlite3_vfs_unregister.argtypes = [c_void_p]
    return library


def is_available() -> bool:
    """Whether the library that sqlite3 uses can be reached: a Python with SQLite inside may hide it."""
    try:
        _library()
    except (OSError, AttributeError):
        return False
    return True


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Have every database that is opened in the block go through a watcher, and be closed in it."""
    library = _library()
    shim = _Shim(library, watcher)
    library.sqlite3_vfs_register(byref(shim.vfs), 1)
    try:
        yield
    finally:
        library.sqlite3_vfs_unregister(byref(shim.vfs))

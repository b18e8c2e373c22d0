"""Names of project files."""

from __future__ import annotations

import re
from pathlib import Path

SUFFIX = ".quire"


_MAX_NAME = 80


_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]+')


_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names that Windows keeps for devices; a project may travel there."""


def file_stem_of(title: str) -> str:
    """Return a file name without an ending for a title; empty when no character of it is allowed in one."""
    name = " ".join(_NOT_IN_NAMES.sub(" ", title).split())[:_MAX_NAME].strip(" .")
    if _RESERVED.fullmatch(name):
        name = f"{name} project"
    return name


def file_name_of(title: str) -> str:
    """Return a file name for a title that every system accepts; empty when none is possible."""
    name = file_stem_of(title)
    return f"{name}{SUFFIX}" if name else ""


def free_path(folder: Path, title: str) -> Path:
    """Return an unused path in a folder for a project of a title."""
    stem = file_stem_of(title) or "Imported"
    names = (f"{stem}{SUFFIX}", *(f"{stem} {number}{SUFFIX}" for number in range(2, 1000)))
    return next((folder / name for name in names if not (folder / name).exists()), folder / names[0])

"""Models that are imported before they are used: GGUF files, and folders with packed weights."""

from __future__ import annotations

from pathlib import Path

from quire_engine.catalog.gguf_files import GgufSource, find_source, inspect_gguf, is_gguf
from quire_engine.catalog.packed_folders import PackedFolder, find_packed, inspect_packed, is_packed_folder
from quire_engine.catalog.rejection import Rejection

Importable = GgufSource | PackedFolder


def is_importable(path: Path) -> bool:
    """Say whether a path is a file or folder of a kind that is imported."""
    return is_packed_folder(path) if path.is_dir() else is_gguf(path)


def inspect_importable(path: Path) -> Importable | Rejection:
    """Look at a file or folder: what it is, or why it cannot be imported; never raises."""
    return inspect_packed(path) if path.is_dir() else inspect_gguf(path)


def find_importable(path: Path) -> Importable:
    """Read what a file or folder says of itself; ModelRejected if it cannot be imported."""
    return find_packed(path) if path.is_dir() else find_source(path)

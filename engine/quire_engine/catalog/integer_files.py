"""Where models in whole numbers are kept in the app's cache (quire_engine.integer). Imports no torch."""

from __future__ import annotations

import contextlib
from pathlib import Path

FOLDER = "integer-weights"
SUFFIX = ".safetensors"


def file_stem(fingerprint: str) -> str:
    """Return what the names of all files of a model begin with; its form and its layout follow."""
    return f"{fingerprint[:24]}-"


def forget_integer_files(fingerprint: str, cache_folder: Path | None) -> None:
    """Delete what is kept of a model, in every form; a file in use may stay until others need its place."""
    if fingerprint and cache_folder is not None:
        for file in (cache_folder / FOLDER).glob(f"{file_stem(fingerprint)}*{SUFFIX}"):
            with contextlib.suppress(OSError):
                file.unlink()

"""The starter model, SmolLM2, where `packaging/bootstrap.py` put it beside the libraries of Quire."""

from __future__ import annotations

import sys
from pathlib import Path

NAME = "SmolLM2"
FOLDER = Path("share", "quire", "models")
IMPORTED = "imported"
"""Name of the folder of imported models (quire_engine.catalog.imported_models)."""
FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
NUM_BYTES = 98_362_432
CONTEXT_LENGTH = 8_192
"""What it supports, in tokens, known before it is imported; it is a chat model."""


def installed_models() -> Path:
    """Return the folder of models that came with this installation; it need not exist."""
    return Path(sys.prefix) / FOLDER


def starter_file(folder: Path | None = None) -> Path | None:
    """Return the file of the starter model; None where it was not fetched.

    Args:
        folder: where to look; None: in this installation.
    """
    file = (installed_models() if folder is None else folder) / FILE_NAME
    try:
        return file if file.stat().st_size == NUM_BYTES else None
    except OSError:
        return None


def is_starter(folder: Path) -> bool:
    """Return whether a model's folder was imported from the starter model's file."""
    return folder.parent.name == IMPORTED and folder.name.startswith(f"{Path(FILE_NAME).stem}-")

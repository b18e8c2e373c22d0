"""What a drag brings from outside Quire."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

MODEL_SUFFIX = ".gguf"


def model_in(dropped: QMimeData) -> Path | None:
    """Return the first model file or folder among what is dragged, or None."""
    paths = [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile()]
    return next((path for path in paths if path.suffix.lower() == MODEL_SUFFIX or path.is_dir()), None)

"""The folder in which a preparation works until it is done."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

from quire_engine.api.atomic_file import replace_file
from quire_engine.catalog.trained_drafters import MARK, STARTED_AGAIN

_log = logging.getLogger(__name__)


def emptied(work: Path, about: str) -> bool:
    """Empty the folder, and say so, unless it holds the same work; return whether it is empty now.

    Args:
        work: the folder; it is there afterwards.
        about: what `mark` writes into it.
    """
    if work.is_dir() and any(work.iterdir()):
        of = work / MARK
        if of.is_file() and of.read_text(encoding="utf-8") == about:
            return False
        _log.warning(STARTED_AGAIN)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    return True


def mark(work: Path, about: str) -> None:
    """Write what the work in the folder is about."""
    replace_file(work / MARK, about.encode())

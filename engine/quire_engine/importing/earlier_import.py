"""Carries over to a newer import whatever was added to the old one: drafters, n-grams and other files.

The earlier folder is put aside first, and deleted once all of that is in the new one. Where this is cut off,
the next import of the same file ends it.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

from quire_engine.api.atomic_file import replace_file
from quire_engine.catalog import fingerprints
from quire_engine.catalog.imported_models import ADAPTER, DIGEST, RECORD
from quire_engine.catalog.inspection import look_into
from quire_engine.catalog.rejection import ModelRejected, Rejection
from quire_engine.catalog.safetensors_header import read_metadata, with_metadata
from quire_engine.catalog.trained_drafters import FILE_NAME

_MADE = re.compile(
    r"config\.json|generation_config\.json|tokenizer\.json|tokenizer_config\.json|chat_template\.jinja|"
    rf"README\.md|model.*\.safetensors(\.index\.json)?|{RECORD}|{DIGEST}|{ADAPTER}"
)
"""Files that imports write themselves; older ones copied the weights."""


def put_aside(folder: Path) -> None:
    """Make room for another import of the same file."""
    take_over(folder)
    os.replace(folder, _aside(folder))


def take_over(folder: Path) -> None:
    """Bring what was added to the import that was put aside into this one; OSError if that is impossible."""
    earlier = _aside(folder)
    if not earlier.is_dir():
        return
    for found in sorted(earlier.iterdir()):
        target = folder / found.name
        if found.name == FILE_NAME and found.is_file():
            _take_drafters(found, target)
        elif _MADE.fullmatch(found.name) is None and not target.exists():
            os.replace(found, target)
    shutil.rmtree(earlier)


def _take_drafters(file: Path, target: Path) -> None:
    """Copy drafters; they were trained for these weights, whose fingerprint is another one now."""
    content, found = file.read_bytes(), look_into(target.parent)
    with suppress(ModelRejected):  # damaged: whoever loads it says so
        read_metadata(file)
        if not isinstance(found, Rejection):
            own = fingerprints.fingerprint(found.facts.deciding_files)
            content = with_metadata(content, fingerprint=own)
    replace_file(target, content)


def _aside(folder: Path) -> Path:
    return folder.with_name(f".replaced-{folder.name}")

"""Names of files that every disk accepts."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_NAME_BYTES = 110
"""Of a name in another one, which may have 255 in all."""


def plain_name(stem: str) -> str:
    """Return a project's name as every disk accepts it: Windows refuses some characters and endings."""
    whole = unicodedata.normalize("NFC", stem)
    stem = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", whole)
    stem = stem.encode(errors="replace")[:_NAME_BYTES].decode(errors="ignore").rstrip(". ")
    if stem == whole:
        return stem
    # keeps two names apart that would become one
    return f"{stem} {hashlib.sha256(whole.encode(errors='replace')).hexdigest()[:8]}".lstrip()

"""Sizes of files as a writer reads them."""

from __future__ import annotations

from quire.system.number_text import number_text


def size_text(num_bytes: int) -> str:
    """Return a size in megabytes, or in gigabytes for a large one."""
    if num_bytes >= 1e9:
        return f"{number_text(num_bytes / 1e9, 1)} GB"
    return f"{number_text(max(num_bytes / 1e6, 1))} MB"

"""Sizes of files as a writer reads them."""

from __future__ import annotations


def size_text(num_bytes: int) -> str:
    """Return a size in megabytes, or in gigabytes for a large one."""
    if num_bytes >= 1e9:
        return f"{num_bytes / 1e9:,.1f} GB"
    return f"{max(num_bytes / 1e6, 1):,.0f} MB"

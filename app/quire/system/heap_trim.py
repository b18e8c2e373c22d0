"""Returns freed memory to the system that the C library would keep for later."""

from __future__ import annotations

import sys


def trim_heap() -> bool:
    """Release unused pages of the heap; return whether there were any.

    A draft frees large strings between small ones that stay, and glibc keeps the holes: two thirds of a long
    draft's apparent memory were such holes. Takes milliseconds, so not on the window's thread. Without glibc
    it does nothing: other allocators release memory by themselves.
    """
    if sys.platform != "linux":
        return False
    import ctypes  # imported late: the window opens without it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and bool(trim(0))

"""Memory that was freed goes back to the system, where the C library would keep it for later."""

from __future__ import annotations

import sys


def trim_heap() -> bool:
    """Hand back the pages of the heap that hold nothing; whether there was something to hand back.

    A draft frees large strings in between small ones that live on, and glibc keeps the holes: two thirds of
    what a long draft seemed to need were such holes. Takes milliseconds, so not on the window's thread.
    Elsewhere than with glibc it does nothing: other allocators give memory back by themselves.
    """
    if sys.platform != "linux":
        return False
    import ctypes  # not before it is needed: the window opens without it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and bool(trim(0))

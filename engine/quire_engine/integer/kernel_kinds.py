"""How kernels are compiled: without Python's lock, with IEEE's divisions, and kept for later starts.

What a function is called by decides how much there is to compile: a function that Python calls takes its
arguments apart there, which for the arrays of a pass is more machine code than many a function itself. And
LLVM optimises a function once for itself and once more within each that calls it, so what has one caller and
much in it had better be part of that one. What is large and called by many is called by its address instead
(`compiled_products`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Kind(Protocol):
    def __call__(self, function: _Function, /) -> _Function: ...


_OPTIONS = {"nogil": True, "error_model": "numpy", "cache": True, "no_cfunc_wrapper": True}

kernel = cast("_Kind", cast("Any", njit)(**_OPTIONS))
"""A function that Python calls, and kernels may."""

kernel_part = cast("_Kind", cast("Any", njit)(**_OPTIONS, no_cpython_wrapper=True))
"""A function that only kernels call; a call by Python would end the process."""

kernel_inline = cast("_Kind", cast("Any", njit)(**_OPTIONS, inline="always"))
"""A function that becomes part of the kernel that calls it, and is compiled by itself only for Python."""

ZERO, NO = cast("int", np.int64(0)), cast("bool", np.bool_(False))
"""What to hand to a kernel: for a 0 or False that is written out numba compiles it once more."""

"""Words that several threads change, and waiting for each other, written for LLVM."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from llvmlite import binding, ir
from numba import types

from quire_engine.integer.instruction_set import instruction_set
from quire_engine.integer.llvm_code import I32, I64, Builder, Value, call, cgutils, intrinsic, pointer

_YIELD = "quire_yield_processor"


def _name_yield() -> None:
    """Give the system's function that lets other threads run a name that compiled kernels can keep."""
    library: Any = ctypes  # what it has depends on the system
    windows = sys.platform == "win32"
    function = library.windll.kernel32.SwitchToThread if windows else library.CDLL(None).sched_yield
    binding.add_symbol(_YIELD, ctypes.cast(function, ctypes.c_void_p).value)


_name_yield()


@intrinsic
def read_word(_typing: Any, address: Any) -> Any:
    """Return a word, and see whatever was written before it was."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return b.load_atomic(pointer(b, arguments[0], I64), "acquire", 8)

    return types.int64(types.int64), generate


@intrinsic
def write_word(_typing: Any, address: Any, value: Any) -> Any:
    """Write a word; whoever reads it sees whatever was written before."""

    def generate(context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        b.store_atomic(arguments[1], pointer(b, arguments[0], I64), "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def add_to_word(_typing: Any, address: Any, value: Any) -> Any:
    """Add to a word; return what it was."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        return b.atomic_rmw("add", pointer(b, arguments[0], I64), arguments[1], "acq_rel")

    return types.int64(types.int64, types.int64), generate


@intrinsic
def replace_word(_typing: Any, address: Any, expected: Any, value: Any) -> Any:
    """Write a word if it still is what was expected; return whether."""

    def generate(_context: Any, b: Builder, _signature: Any, arguments: Any) -> Value:
        address, expected, value = arguments
        found = b.cmpxchg(pointer(b, address, I64), expected, value, "acq_rel", "acquire")
        return b.extract_value(found, 1)

    return types.boolean(types.int64, types.int64, types.int64), generate


@intrinsic
def relax(_typing: Any) -> Any:
    """Let the other half of the processor's core run for a moment."""

    def generate(context: Any, b: Builder, _signature: Any, _arguments: Any) -> Value:
        if instruction_set() != "portable":
            call(b, "llvm.x86.sse2.pause", ir.VoidType(), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def yield_processor(_typing: Any) -> Any:
    """Let another thread of the system run."""

    def generate(context: Any, b: Builder, _signature: Any, _arguments: Any) -> Value:
        function = cgutils.get_or_insert_function(b.module, ir.FunctionType(I32, []), _YIELD)
        b.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate

"""Which instructions for sums of integer products this processor has.

The sums are exact in each of them, so the choice decides only how fast a pass is.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from llvmlite import binding
from numba.core import config as numba_config

_config: Any = numba_config  # its settings are set by name
InstructionSet = Literal["avx512_vnni", "avx512", "avx2", "sse2", "portable"]
"""portable: no x86 processor; LLVM chooses the instructions."""


@cache
def instruction_set() -> InstructionSet:
    """Return the best set that this processor has, or the one that NUMBA_CPU_NAME limits it to."""
    if not binding.get_default_triple().startswith(("x86_64", "amd64")):
        return "portable"
    limit = str(_config.CPU_NAME or "")
    if limit and limit != "host":
        return "avx512" if "avx512" in limit else "avx2" if "haswell" in limit else "sse2"
    has = binding.get_host_cpu_features()
    if has.get("avx512bw") and has.get("avx512vl"):
        return "avx512_vnni" if has.get("avx512vnni") else "avx512"
    return "avx2" if has.get("avx2") else "sse2"


HAS_BYTE_PRODUCTS = instruction_set() == "avx512_vnni"
"""Whether one instruction adds four products of a byte with a signed byte, without saturating."""

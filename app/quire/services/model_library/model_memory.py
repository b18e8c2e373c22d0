"""The free memory for a model; measured in a process of its own, because that needs torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from quire_engine.catalog.memory_fit import Dtype, FreeMemory, free_memory

_COMMAND = (sys.executable, "-P", "-m", "quire_engine.catalog", "memory", "--gpu")
_PATIENCE_S = 60.0


def ask_for_memory() -> FreeMemory:
    """Return the free memory, including a graphics card's; it takes seconds. On failure: main memory only."""
    try:
        done = subprocess.run(
            _COMMAND,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        found: Any = json.loads(done.stdout.splitlines()[-1])
        dtype: Dtype = "bfloat16" if found["dtype"] == "bfloat16" else "float32"
        return FreeMemory(
            int(found["ram"]), int(found["gpu"]), str(found["gpu_name"]), dtype, int(found["first_card"])
        )
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError, IndexError):
        return free_memory()

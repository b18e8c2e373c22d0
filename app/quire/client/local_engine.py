"""Creates the real engine, which imports torch only with its first model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quire_engine.runtime.engine_thread import Backend


def real_backend() -> Backend:
    """Return the engine."""
    # one text at a time is encoded: threads for more would only be warned of when a program is started
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from quire_engine.engine import Engine

    return Engine()

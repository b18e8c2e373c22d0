"""The way to the real engine, which imports torch only with its first model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quire_engine.worker import Backend


def real_backend() -> Backend:
    """Return the engine."""
    from quire_engine.engine import Engine

    return Engine()

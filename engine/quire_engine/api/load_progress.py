"""How far a load is, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from quire_engine.api.errors import EngineError


class LoadStage(Enum):
    """What a load is busy with; CHECKING only where a model is new here, PREPARING where its kernels are."""

    WEIGHTS = "weights"
    PREPARING = "preparing"
    CHECKING = "checking"


class LoadStopped(EngineError):
    """The load was stopped on request; no model is loaded."""


LoadReport = Callable[[LoadStage, float], None]
"""Told the stage and the share of it that is done, from 0 to 1; may raise LoadStopped."""


def unreported(_stage: LoadStage, _share: float) -> None:
    """Ignore how far a load is."""

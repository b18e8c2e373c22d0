"""Why a model cannot be used, as a value and as an exception."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from quire_engine.api.errors import MessageError


class RejectionKind(Enum):
    """What is wrong with a folder: files are missing, damaged or unsafe, or the model is not supported."""

    MISSING = "missing"
    DAMAGED = "damaged"
    UNSAFE = "unsafe"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A folder that cannot be used. sentence: what is wrong and what to do."""

    path: Path
    fault: RejectionKind
    sentence: str


class ModelRejected(MessageError):
    """Raised while a folder is inspected; `inspect_folder` turns it into a Rejection."""

    def __init__(self, fault: RejectionKind, template: str, /, **arguments: object) -> None:
        super().__init__(template, **arguments)
        self.fault = fault


def printable(text: object, most: int = 80) -> str:
    """Return text from an untrusted file in a form that fits into a message."""
    shown = "".join(mark if mark.isprintable() else " " for mark in str(text)[: 4 * most])
    shown = " ".join(shown.split())
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"

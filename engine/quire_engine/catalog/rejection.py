"""Why a model cannot be used, as a value and as what is raised on the way to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from quire_engine.api.errors import MessageError


class RejectionKind(Enum):
    """What kind of trouble there is with a folder: something lacks, is, could do harm, or is not
    supported."""

    MISSING = "missing"
    DAMAGED = "damaged"
    UNSAFE = "unsafe"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A folder that cannot be used. sentence: what is wrong and what to do, for people."""

    path: Path
    fault: RejectionKind
    sentence: str


class ModelRejected(MessageError):
    """Raised while a folder is looked at; `inspect_folder` makes a Rejection of it."""

    def __init__(self, fault: RejectionKind, template: str, /, **arguments: object) -> None:
        super().__init__(template, **arguments)
        self.fault = fault


def printable(text: object, most: int = 80) -> str:
    """Return a text out of somebody's file so that it can be in a sentence."""
    shown = "".join(mark if mark.isprintable() else " " for mark in str(text)[: 4 * most])
    shown = " ".join(shown.split())
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"

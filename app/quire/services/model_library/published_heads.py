"""Adds draft heads that others have published to a model's drafters, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.errors import WriterProblem
from quire.services.model_library.model_imports import unpacked
from quire_engine.api.user_message import UserMessage

_COMMAND = (sys.executable, "-P", "-m", "quire_engine", "heads")


@dataclass(frozen=True, slots=True)
class HeadsAdded:
    """What was added.

    Attributes:
        count: number of heads.
        kind: the name of their form.
        replaced: who made those whose place they took (TokenSwift, Medusa or Quire); empty: there were none.
    """

    count: int
    kind: str
    replaced: str = ""


def add_heads(model: Path, source: Path, place: Path) -> HeadsAdded:
    """Add the heads in a folder or file to a model's drafters in `place`. Blocks; WriterProblem if they can't
    be used.
    """
    answer = _answer(str(model), "--from", str(source), "--out", str(place))
    try:
        return HeadsAdded(int(answer["count"]), str(answer["kind"]), str(answer["replaced"]))
    except (KeyError, TypeError, ValueError) as error:
        raise _unreadable() from error


def remove_heads(model: Path, place: Path) -> bool:
    """Take published heads out of a model's drafters; say whether there were any. Blocks; WriterProblem."""
    answer = _answer(str(model), "--remove", "--out", str(place))
    if "removed" not in answer:
        raise _unreadable()
    return bool(answer["removed"])


def _unreadable() -> WriterProblem:
    return WriterProblem("The draft heads could not be read. Try again.")


def _answer(*words: str) -> dict[str, Any]:
    """Run the engine's command and return what it answers."""
    try:
        done = subprocess.run(
            (*_COMMAND, *words, "--json"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            encoding="utf-8",
            errors="replace",
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            check=False,
        )
        answer: Any = json.loads(done.stdout.splitlines()[-1])
        said = unpacked(answer.get("problem"))
    except (OSError, ValueError, IndexError, AttributeError) as error:
        raise _unreadable() from error
    if said:
        raise WriterProblem(said if isinstance(said, UserMessage) else UserMessage("{reason}", reason=said))
    return dict(answer)

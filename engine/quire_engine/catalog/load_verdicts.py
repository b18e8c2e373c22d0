"""What loading a model showed, so that the next load need not find it out again. Imports no torch.

One JSON file in the app's cache. An entry holds for one fingerprint under one set of conditions (number
format, width of a pass, versions of the libraries, processor or GPU). Whatever is damaged in the file is left
out, and the model is checked as if it were new.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.user_message import UserMessage

FILE_NAME = "model-verdicts.json"
_FORMAT = 1
_MAX_ENTRIES = 128
_MAX_BYTES = 1 << 20
_MAX_COSTS = 64
_MAX_CHARS = 500

PassCosts = tuple[tuple[int, int, float], ...]
"""Guesses beside the root, tokens of context, milliseconds."""


@dataclass(frozen=True, slots=True)
class LoadVerdict:
    """Whether a model can be used under some conditions, and what was measured there.

    Attributes:
        fingerprint: of the model.
        number_format: "bfloat16, int8 weights".
        problem: why it cannot be used; empty where it can.
        reproducible: plain, tree and re-read passes leave the same bits.
        threads: of the CPU, with which a pass is fastest.
        backend: name of the decode backend; empty: the portable one.
        pass_costs: what passes cost.
    """

    fingerprint: str
    number_format: str
    problem: str = ""
    reproducible: bool = False
    threads: int = 0
    backend: str = ""
    pass_costs: PassCosts = ()

    @property
    def is_usable(self) -> bool:
        """Whether the model passed its self-test."""
        return not self.problem


def conditions_key(fingerprint: str, conditions: tuple[object, ...]) -> str:
    """Return the name under which a verdict is kept: a digest of all that it depends on."""
    return hashlib.sha256(json.dumps([fingerprint, *map(str, conditions)]).encode()).hexdigest()


class LoadVerdicts:
    """The verdicts in a cache folder; None keeps nothing."""

    def __init__(self, cache_folder: Path | None) -> None:
        self._file = None if cache_folder is None else cache_folder / FILE_NAME

    def find(self, key: str) -> LoadVerdict | None:
        """Return the verdict under a key, if there is one."""
        return self._read().get(key)

    def of_model(self, fingerprint: str) -> tuple[LoadVerdict, ...]:
        """Return all verdicts on a model, the newest first."""
        found = [verdict for verdict in self._read().values() if verdict.fingerprint == fingerprint]
        return tuple(reversed(found))

    def summary(self, fingerprint: str) -> LoadVerdict | None:
        """Return the verdict to show of a model: the newest good one, or the one by which it cannot be used.

        One that only says that bfloat16 is not enough for it shows nothing.
        """
        found = self.of_model(fingerprint)
        good = next((verdict for verdict in found if verdict.is_usable), None)
        refused = (verdict for verdict in found if not verdict.is_usable)
        return good or next((each for each in refused if each.number_format.startswith("float32")), None)

    def keep(self, key: str, verdict: LoadVerdict) -> None:
        """Keep a verdict as the newest; where that is impossible, the next load only takes longer."""
        if self._file is None:
            return
        known = {name: entry for name, entry in self._read().items() if name != key} | {key: verdict}
        newest = list(known.items())[-_MAX_ENTRIES:]
        content = {"format": _FORMAT, "verdicts": {name: _plain(entry) for name, entry in newest}}
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._file, json.dumps(content).encode() + b"\n")

    def forget(self, fingerprint: str) -> None:
        """Drop all verdicts on a model, so that it is checked again."""
        if self._file is None:
            return
        kept = {name: each for name, each in self._read().items() if each.fingerprint != fingerprint}
        content = {"format": _FORMAT, "verdicts": {name: _plain(entry) for name, entry in kept.items()}}
        with contextlib.suppress(OSError):
            replace_file(self._file, json.dumps(content).encode() + b"\n")

    def _read(self) -> dict[str, LoadVerdict]:
        if self._file is None:
            return {}
        try:
            with self._file.open("rb") as file:
                raw = file.read(_MAX_BYTES + 1)
            content: Any = json.loads(raw) if len(raw) <= _MAX_BYTES else {}
            entries = content["verdicts"].items() if content["format"] == _FORMAT else ()
            named = [(str(name), _verdict(entry)) for name, entry in entries]
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}
        return {name: verdict for name, verdict in named if verdict is not None}


def _plain(verdict: LoadVerdict) -> dict[str, Any]:
    problem = verdict.problem
    message = problem if isinstance(problem, UserMessage) else UserMessage(problem)
    return {
        "fingerprint": verdict.fingerprint,
        "number_format": verdict.number_format,
        "problem": message.template[:_MAX_CHARS],
        "arguments": {name: str(value)[:_MAX_CHARS] for name, value in message.arguments.items()},
        "reproducible": verdict.reproducible,
        "threads": verdict.threads,
        "backend": verdict.backend,
        "pass_costs": [list(cost) for cost in verdict.pass_costs[:_MAX_COSTS]],
    }


def _verdict(entry: Any) -> LoadVerdict | None:
    """Return what an entry says; None where it is damaged."""
    try:
        if type(entry["reproducible"]) is not bool or not 0 <= entry["threads"] <= 4096:
            return None
        texts = [entry[name] for name in ("fingerprint", "number_format", "problem", "backend")]
        if not all(isinstance(text, str) and len(text) <= _MAX_CHARS for text in texts):
            return None
        costs = tuple((int(nodes), int(length), float(ms)) for nodes, length, ms in entry["pass_costs"])
        if len(costs) > _MAX_COSTS or not all(_is_cost(*cost) for cost in costs):
            return None
        return LoadVerdict(
            fingerprint=texts[0],
            number_format=texts[1],
            problem=_message(texts[2], entry["arguments"]),
            reproducible=entry["reproducible"],
            threads=int(entry["threads"]),
            backend=texts[3],
            pass_costs=costs,
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _is_cost(nodes: int, length: int, milliseconds: float) -> bool:
    return 0 <= nodes < 4096 and 0 <= length < 1 << 24 and math.isfinite(milliseconds) and milliseconds > 0


def _message(template: str, arguments: Mapping[str, Any]) -> str:
    if not template:
        return ""
    texts = {str(name): str(value)[:_MAX_CHARS] for name, value in arguments.items()}
    return UserMessage(template, **texts)

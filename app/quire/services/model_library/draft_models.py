"""Which models on this computer can draft ahead for a larger one."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quire.services.model_library.model_library import KnownModel
from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.tokenizer_fit import same_tokens

_PART = 4
"""A model of at most this part of the large one's size is worth suggesting."""


@dataclass(frozen=True, slots=True)
class DraftChoice:
    """A model that can draft ahead. is_suggested: small enough to be worth it."""

    folder: Path
    name: str
    is_suggested: bool


def runs_here(known: KnownModel) -> bool:
    """Return whether a model runs on this computer, alone or beside another."""
    return known.facts is not None and known.server is None and known.is_usable


def draft_choices(large: KnownModel, models: Sequence[KnownModel]) -> tuple[DraftChoice, ...]:
    """Return the smaller models that split text as this one does, the smallest first.

    Reads the tokenizers that were not compared before; of the models small enough the smallest is suggested.
    """
    if large.facts is None or not runs_here(large):
        return ()
    size = large.facts.num_parameters
    found: dict[Path, tuple[int, str]] = {}
    for each in models:
        if each.facts is None or not runs_here(each):
            continue
        if each.facts.num_parameters < size and _fit(large.path, each.path):
            found.setdefault(each.path, (each.facts.num_parameters, each.name))
    ordered = sorted(found.items(), key=lambda item: item[1])
    return tuple(
        DraftChoice(folder, name, is_suggested=place == 0 and _PART * parameters <= size)
        for place, (folder, (parameters, name)) in enumerate(ordered)
    )


def _fit(large: Path, small: Path) -> bool:
    try:
        return _compared(large, _changed_at(large), small, _changed_at(small))
    except (OSError, ModelRejected):
        return False


def _changed_at(folder: Path) -> int:
    return (folder / "tokenizer.json").stat().st_mtime_ns


@functools.lru_cache(maxsize=1024)
def _compared(large: Path, large_changed: int, small: Path, small_changed: int) -> bool:
    """Compare two tokenizers; the times are there so that a file that changed is read again."""
    return same_tokens(large, small)

"""Where other programs keep the models that they downloaded; nothing is read here."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from quire.services.model_library.starter_model import installed_models


class PlaceKind(Enum):
    """Whose folder it is, which decides how models lie in it."""

    INSTALLED = "installed"
    LM_STUDIO = "lm studio"
    OLLAMA = "ollama"
    HUB_CACHE = "hub cache"
    CHOSEN = "chosen"


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """A folder in which models are looked for."""

    kind: PlaceKind
    folder: Path


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides the folders: the system, the home folder and the environment variables."""

    platform: str = sys.platform
    home: Path = field(default_factory=Path.home)
    variables: Mapping[str, str] = field(default_factory=lambda: os.environ)
    installed: Path = field(default_factory=installed_models)

    def named(self, *names: str) -> Path | None:
        """Return the absolute folder that the first of these variables names, if any."""
        for name in names:
            if (value := self.variables.get(name)) and Path(value).expanduser().is_absolute():
                return Path(value).expanduser()
        return None


def model_places(around: Surroundings | None = None) -> tuple[ModelPlace, ...]:
    """Return the folders where models may lie, most of which do not exist."""
    around = Surroundings() if around is None else around
    places = [
        ModelPlace(PlaceKind.INSTALLED, around.installed),
        *(ModelPlace(PlaceKind.LM_STUDIO, folder) for folder in _lm_studio(around)),
        *(ModelPlace(PlaceKind.OLLAMA, folder) for folder in _ollama(around)),
        ModelPlace(PlaceKind.HUB_CACHE, _hub_cache(around)),
    ]
    return tuple(dict.fromkeys(places))


def _lm_studio(around: Surroundings) -> tuple[Path, ...]:
    """Return its folder today and the one of versions before 0.3; a pointer file may name another home."""
    found = [around.home / ".lmstudio", around.home / ".cache" / "lm-studio"]
    try:
        with (around.home / ".lmstudio-home-pointer").open(encoding="utf-8") as file:
            told = file.read(4096).strip()
    except (OSError, ValueError):
        told = ""
    if told and "\0" not in told and Path(told).is_absolute():
        found.insert(0, Path(told))
    return tuple(folder / "models" for folder in found)


def _ollama(around: Surroundings) -> tuple[Path, ...]:
    """Return the writer's own folder, and that of the service which its installer makes on Linux."""
    named = around.named("OLLAMA_MODELS")
    own = around.home / ".ollama" / "models"
    service = Path("/usr/share/ollama/.ollama/models")
    found = [own if named is None else named]
    return (*found, service) if around.platform.startswith("linux") else tuple(found)


def _hub_cache(around: Surroundings) -> Path:
    """Return the download cache of the hub's library, by its own rules; they are the same on each system."""
    if (cache := around.named("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")) is not None:
        return cache
    if (home := around.named("HF_HOME")) is not None:
        return home / "hub"
    caches = around.named("XDG_CACHE_HOME") or around.home / ".cache"
    return caches / "huggingface" / "hub"

"""Which model files there are adapters for; an adapter itself is read where it is merged."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from quire_engine.catalog.rejection import ModelRejected
from quire_engine.catalog.safetensors_header import read_metadata

FORMAT = "quire adapter 1"


def adapted_sources(folder: Path) -> frozenset[str]:
    """Return the SHA-256 of every model file that an adapter in a folder was trained on."""
    found = set[str]()
    for file in folder.glob("*.safetensors"):
        with suppress(ModelRejected):
            metadata = read_metadata(file)
            if metadata.get("format") == FORMAT:
                found.add(metadata.get("base_sha256", ""))
    return frozenset(found - {""})

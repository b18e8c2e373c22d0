"""The real models of the tests, as bootstrap.py put them beside the libraries: SmolLM2 and Gemma 3."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quire_engine.importing.model_import import import_model

_SHARE = Path(sys.prefix, "share", "quire")
FILE = _SHARE / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
IMPORTED = _SHARE / "test-models"
_GEMMA_FILE = IMPORTED / "gemma" / "gemma-3-270m-Q4_K_M.gguf"


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The model's folder, imported once per environment; nobody may write into it."""
    file = _there(FILE, "SmolLM2")
    IMPORTED.mkdir(parents=True, exist_ok=True)
    return import_model(file, IMPORTED)  # put in place at once, so that several workers may try


@pytest.fixture(scope="session")
def smollm2_file() -> Path:
    """SmolLM2's file, in Q4_1."""
    return _there(FILE, "SmolLM2")


@pytest.fixture(scope="session")
def gemma_file() -> Path:
    """The file of Gemma 3 270M, in Q4_K_M."""
    return _there(_GEMMA_FILE, "Gemma 3 270M")


def _there(file: Path, name: str) -> Path:
    if not file.is_file():
        pytest.skip(f"{name} is not there: python packaging/bootstrap.py test fetches it")
    return file

"""The real model of the tests: SmolLM2-135M-Instruct, as bootstrap.py put it beside the libraries."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quire_engine.importing.model_import import import_model

FILE = Path(sys.prefix, "share", "quire", "models", "SmolLM2-135M-Instruct.Q4_1.gguf")
IMPORTED = Path(sys.prefix, "share", "quire", "test-models")


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The model's folder, imported once per environment; nobody may write into it."""
    if not FILE.is_file():
        pytest.skip("SmolLM2 is not there: python packaging/bootstrap.py test fetches it")
    IMPORTED.mkdir(parents=True, exist_ok=True)
    return import_model(FILE, IMPORTED)  # put in place at once, so that several workers may try

"""The list of models, the loaded model and an error name the same context."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire.services.model_library.model_library import ModelLibrary, with_weights
from quire_engine.api.config import Goal, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.messages import StartGeneration
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.engine import Engine
from quire_resources import BUILT_IN_MODEL

MEMORY = FreeMemory(10**10)


@pytest.mark.parametrize("limit", [0, 1000])
def test_what_is_listed_is_what_is_loaded_and_what_an_error_says(tmp_path: Path, limit: int) -> None:
    known = with_weights(ModelLibrary(tmp_path).look_at(BUILT_IN_MODEL), "full", MEMORY, limit)
    engine = Engine()
    loaded = engine.load(ModelConfig(str(BUILT_IN_MODEL), "float32", threads=1, device="cpu", context=limit))
    assert known.fit is not None
    assert known.context == known.fit.goal_tokens == loaded.context_length == loaded.identity.context_length
    story = "The ferry left the quay at dusk. " * (loaded.context_length // 6)
    with pytest.raises(EnvironmentProblem, match=rf"context is {known.context:,} here"):
        list(engine.run(StartGeneration(1, story, SamplingConfig(), Goal(tokens=1))))

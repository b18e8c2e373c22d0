"""Every family from the disk to a draft: looked at, loaded, self-tested, drafted with, paused, resumed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire_engine.api.config import DraftingConfig, Goal, ModelConfig, SamplingConfig
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.runtime.loaded_model import load_model, own_cache
from tests.engine.desk import Desk
from tests.engine.model_fixtures import Folder, any_folder
from tests.engine.tiny import FAMILIES, LIBRARY_FAMILIES, OPENING

__all__ = ["any_folder"]  # the fixture of every family
SAMPLING = SamplingConfig(seed=7)
GOAL = Goal(tokens=40)
FAST = DraftingConfig(method="tokenswift", drafters=("ngrams",))


@pytest.mark.sliced
@pytest.mark.parametrize("family", [*FAMILIES, *LIBRARY_FAMILIES])
def test_a_family_drafts_pauses_and_resumes(any_folder: Folder, family: str) -> None:
    folder: Path = any_folder(family)
    facts = inspect_folder(folder)
    assert isinstance(facts, ModelFacts)
    loaded = load_model(ModelConfig(str(folder), "float32", 8, threads=1))
    assert loaded.description.reproducible
    assert loaded.description.num_parameters == facts.num_parameters
    assert loaded.description.cache_bytes_per_token == facts.kv_bytes_per_token("float32")
    start = StartGeneration(1, OPENING, SAMPLING, GOAL, drafting=FAST)
    whole = Desk(own_cache(loaded)).run(start)
    assert len(whole) == GOAL.tokens
    desk = Desk(own_cache(loaded))
    first = desk.run(start, 13)
    assert 13 <= len(first) < len(whole)
    assert first == whole[: len(first)]
    again = ResumeGeneration(1, desk.started.prompt_ids, first, SAMPLING, GOAL, drafting=FAST)
    assert first + Desk(own_cache(loaded)).run(again) == whole


def test_a_model_with_experts_writes_one_text_in_whole_numbers(any_folder: Folder, tmp_path: Path) -> None:
    config = ModelConfig(str(any_folder("qwen2_moe")), "int8", 8, threads=1, cache_folder=str(tmp_path))
    loaded = load_model(config)
    assert loaded.description.identity.dtype == "int8"
    start = StartGeneration(1, OPENING, SAMPLING, GOAL)
    plain = Desk(own_cache(loaded)).run(start)
    assert len(plain) == GOAL.tokens
    # from the form that the first load kept, and with guesses
    again = own_cache(load_model(config))
    assert Desk(again).run(replace(start, drafting=FAST)) == plain

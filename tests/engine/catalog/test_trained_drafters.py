"""Quick drafters are found by the fingerprint that the engine would look for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quire_engine.catalog import trained_drafters
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.trained_drafters import UNFINISHED, Prepared, find_drafters, fingerprint_of
from quire_engine.drafting import drafter_file
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.models.loading import inspect_folder as engine_inspects


@pytest.fixture
def facts(own_llama: Path) -> ModelFacts:
    found = inspect_folder(own_llama)
    assert isinstance(found, ModelFacts)
    return found


def test_names_and_fingerprint_are_the_engines(facts: ModelFacts) -> None:
    assert trained_drafters.FILE_NAME == drafter_file.FILE_NAME
    assert fingerprint_of(facts, None) == engine_inspects(facts.path).fingerprint


def test_what_was_prepared_is_found_wherever_it_is(facts: ModelFacts, tmp_path: Path) -> None:
    assert find_drafters(facts, [tmp_path], None).prepared is Prepared.NO
    drafter_file.save(TrainedDrafters(fingerprint_of(facts, None)), tmp_path)
    found = find_drafters(facts, [tmp_path], None)
    assert (found.prepared, found.folder) == (Prepared.YES, tmp_path)


def test_what_belongs_to_another_model_is_not_this_ones(facts: ModelFacts) -> None:
    drafter_file.save(TrainedDrafters("f" * 64), facts.path)
    assert find_drafters(facts, (), None).prepared is Prepared.OTHER


def test_what_was_begun_can_be_resumed(facts: ModelFacts) -> None:
    work = facts.path / UNFINISHED
    work.mkdir()
    (work / "of.json").write_text(json.dumps([]))
    assert find_drafters(facts, (), None).prepared is Prepared.BEGUN


@pytest.mark.parametrize("content", [b"", b"x", b"\xff" * 99, (9).to_bytes(8, "little") + b"[1, 2, 3]"])
def test_a_damaged_file_is_none(facts: ModelFacts, content: bytes) -> None:
    (facts.path / trained_drafters.FILE_NAME).write_bytes(content)
    assert find_drafters(facts, (), None).prepared is Prepared.NO


def test_weights_that_go_away_while_they_are_read_have_no_fingerprint(facts: ModelFacts) -> None:
    (facts.path / "model.safetensors").unlink()
    assert fingerprint_of(facts, None) == ""

"""Which models are offered to draft ahead for a larger one."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

from quire.services.model_library.draft_models import DraftChoice, draft_choices
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin
from quire_resources import BUILT_IN_MODEL

NEEDED = ("config.json", "model.safetensors", "tokenizer.json")


def model(folder: Path, part: float) -> KnownModel:
    """Return a copy of the built-in model that is said to be this part of its size."""
    folder.mkdir()
    for name in NEEDED:
        shutil.copy(BUILT_IN_MODEL / name, folder)
    known = ModelLibrary(folder.parent / "home").look_at(folder)
    assert known.facts is not None
    facts = replace(known.facts, num_parameters=int(known.facts.num_parameters * part))
    return replace(known, facts=facts, origin=ModelOrigin.ADDED)


def test_smaller_models_of_the_same_tokens_are_offered_and_the_smallest_suggested(tmp_path: Path) -> None:
    large, half, tiny, other = (
        model(tmp_path / name, part)
        for name, part in (("large", 1.0), ("half", 0.5), ("tiny", 0.1), ("other", 0.2))
    )
    file = other.path / "tokenizer.json"
    content = json.loads(file.read_text(encoding="utf-8"))
    ids = content["model"]["vocab"]
    first, second = [token for token, number in ids.items() if number in (300, 301)]
    ids[first], ids[second] = ids[second], ids[first]
    file.write_text(json.dumps(content), encoding="utf-8")
    gone = replace(tiny, path=tmp_path / "gone")
    offered = draft_choices(large, (large, half, tiny, other, gone))
    assert offered == (
        DraftChoice(tiny.path, "tiny", is_suggested=True),
        DraftChoice(half.path, "half", is_suggested=False),
    )
    assert draft_choices(half, (large, half)) == ()
    assert [each.is_suggested for each in draft_choices(large, (half,))] == [False]

"""A case of the proof holds on a sound engine, and shows it when caches or texts are spoiled."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from quire_engine.cache.kv_store import KVStore
from quire_engine.engine import LoadedModel
from tests.engine.tiny import CONTEXT
from tests.proofs.engine.__main__ import prompt_ids
from tests.proofs.engine.cases import OWN_SOURCES, Case, Drafts
from tests.proofs.engine.equality import prove

COUNT = 120


def case(sampler: str = "defaults", drafts: Drafts = "mixed", **more: object) -> Case:
    return Case("llama", "float32", 8, sampler, drafts, **more)  # type: ignore[arg-type]


@pytest.mark.sliced
@pytest.mark.parametrize("drafts", ["good", "mixed", "random", "hostile"])
def test_made_up_drafts_change_nothing(tiny_llama: LoadedModel, drafts: Drafts) -> None:
    outcome = prove(case(drafts=drafts), tiny_llama, prompt_ids(tiny_llama, 60), COUNT, 1)
    assert outcome.difference == ""
    assert outcome.num_caches == 2
    assert outcome.num_tokens > COUNT
    assert 1 <= outcome.place < COUNT
    rate = outcome.num_accepted / outcome.num_passes
    assert rate > {"good": 4, "mixed": 0.5, "random": -1, "hostile": -1}[drafts]


@pytest.mark.sliced
@pytest.mark.parametrize("drafters", [(), OWN_SOURCES])
def test_planned_drafts_change_nothing(tiny_llama: LoadedModel, drafters: tuple[str, ...]) -> None:
    tree = (2, 2, 1) if drafters else ()
    planned = case("cool, min-p", "planned", drafters=drafters, tree=tree, partial_budget=64)
    outcome = prove(planned, tiny_llama, prompt_ids(tiny_llama, 60), COUNT, 2)
    assert outcome.difference == ""
    assert outcome.num_caches == 2


def test_the_end_of_the_context_changes_nothing(tiny_llama: LoadedModel) -> None:
    prompt = prompt_ids(tiny_llama, CONTEXT - 40)
    assert prove(case(), tiny_llama, prompt, COUNT, 3).difference == ""


def test_a_cache_that_keeps_the_wrong_rows_is_noticed(
    tiny_llama: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = KVStore.commit

    def spoiled(store: KVStore, nodes: Sequence[int]) -> None:
        sound(store, range(len(nodes)))

    monkeypatch.setattr(KVStore, "commit", spoiled)
    assert prove(case(), tiny_llama, prompt_ids(tiny_llama, 60), COUNT, 1).difference != ""

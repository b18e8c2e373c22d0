from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from quire_engine.cache.kv_store import KVStore
from tests.proofs.app import resume_equality
from tests.proofs.engine import equality
from tests.proofs.engine.equality import EqualityResult
from tests.proofs.engine.tiny_models import write_tiny_model


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model("llama", tmp_path_factory.mktemp("model") / "llama")


def test_a_resumed_run_has_the_same_tokens_and_the_same_cache(tiny_model: Path) -> None:
    found = list(resume_equality.resumes(1, 3, folder=tiny_model, tokens=60))
    assert [one.wrong for one in found] == ["", "", ""]
    assert {one.phase for one in found} == {"planned drafts", "hostile drafts"}


@pytest.mark.slow
def test_so_it_is_with_the_model_that_quire_brings_along() -> None:
    assert [one.wrong for one in resume_equality.resumes(0, 1, tokens=120)] == [""]


def test_every_rule_of_drawing_comes_in_its_turn() -> None:
    chosen = [case for seed in range(4) for case in resume_equality.cases(seed, 5)]
    assert {case.dtype for case in chosen} == {"bfloat16"}
    assert len({case.sampler for case in chosen}) == 9


def test_a_cache_that_is_spoiled_is_found(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = KVStore.commit

    def spoiled(store: KVStore, nodes: Sequence[int]) -> None:
        commit(store, [1, *nodes[1:]])  # the row after the root's, which every pass has: padding or a draft

    def prove(*arguments: Any) -> EqualityResult:
        with monkeypatch.context() as patched:  # a load tests itself, and would refuse such a cache
            patched.setattr(KVStore, "commit", spoiled)
            return sound(*arguments)

    sound = equality.prove
    monkeypatch.setattr(equality, "prove", prove)
    found = list(resume_equality.resumes(1, 3, folder=tiny_model, tokens=60))
    assert all(one.wrong for one in found)

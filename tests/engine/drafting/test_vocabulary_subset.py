"""Draft logits of a GPU: from the best columns of a row the same draft tokens are made as from the whole
row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting import vocabulary_subset
from quire_engine.drafting.draft_heads import HeadsDrafter
from quire_engine.drafting.draft_sampling import DraftRow, batch_draft_tokens
from quire_engine.drafting.drafter import Drafter, DrafterInput, DraftTokens, Observed
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.drafting.vocabulary_subset import NUM_COLUMNS, DraftScores
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.host_transfer import HostBuffer
from tests.engine.conftest import Networks
from tests.engine.drafting.neural import random_feature, random_heads, random_hidden
from tests.engine.tiny import VOCAB_SIZE, few, prompt_ids

COLUMNS = 5000
VOCABULARY = np.sort(np.random.default_rng(1).permutation(9000)[:COLUMNS]).astype(np.int64)
SAMPLINGS = st.builds(
    SamplingConfig,
    temperature=st.sampled_from([0.0, 0.7, 1.0, 1.5]),
    top_k=st.sampled_from([0, 0, 20]),
    top_p=st.sampled_from([1.0, 1.0, 0.9]),
    min_p=st.sampled_from([0.0, 0.05, 0.1, 0.4]),
    eta=st.sampled_from([0.0, 0.05]),
    repetition_penalty=st.sampled_from([1.0, 1.2, 2.0]),
    seed=st.integers(0, 2**40),
)


def rows_of(logits: Tensor, vocabulary: npt.NDArray[np.int64] | None, *, shortened: bool) -> list[DraftRow]:
    """Return rows on the host as they come from a CPU, or as from a GPU."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary_subset, "SUBSET_DEVICES", {"cpu"} if shortened else set())
        return DraftScores(vocabulary).rows(logits)


@few
@given(
    sampling=SAMPLINGS,
    seed=st.integers(0, 1000),
    window=st.sets(st.integers(0, COLUMNS - 1), max_size=300),
    paths=st.lists(st.lists(st.integers(0, COLUMNS - 1), min_size=2, max_size=2), min_size=1, max_size=4),
    is_reduced=st.booleans(),
)
def test_draft_tokens_from_the_best_columns_are_those_from_whole_rows(
    sampling: SamplingConfig, seed: int, window: set[int], paths: list[list[int]], is_reduced: bool
) -> None:
    """Bit for bit, chances too."""
    logits = np.random.default_rng(seed).normal(scale=2.5, size=(len(paths), COLUMNS)).astype(np.float32)
    best = np.argsort(-logits[0])[:20]  # or the penalty would seldom matter
    vocabulary = VOCABULARY if is_reduced else None
    penalised = np.unique(np.array([*window, *best[::2]], dtype=np.int64))
    if vocabulary is not None:
        penalised = vocabulary[penalised]
    request = DrafterInput(3, 77, sampling, penalised, 4)
    few_, all_ = (
        batch_draft_tokens(
            rows_of(torch.from_numpy(logits), vocabulary, shortened=shortened),
            request,
            2,
            paths,
            8,
            sharpness=0.8,
        )
        for shortened in (True, False)
    )
    assert few_ == all_
    assert all(guesses.token_ids for guesses in few_)


def test_rows_on_the_cpu_are_whole_and_others_are_short() -> None:
    logits = torch.randn(3, COLUMNS, generator=torch.Generator().manual_seed(1))
    whole = rows_of(logits, VOCABULARY, shortened=False)
    assert all(row.ids is VOCABULARY and len(row.logits) == COLUMNS for row in whole)
    for row, short in zip(logits.numpy(), rows_of(logits, VOCABULARY, shortened=True), strict=True):
        assert short.ids is not None
        columns = np.searchsorted(VOCABULARY, short.ids)
        assert columns.tolist() == sorted(np.argsort(-row)[:NUM_COLUMNS].tolist())
        assert short.logits.tolist() == row[columns].tolist()


def test_a_row_that_is_not_finite_gives_no_draft_tokens_either_way() -> None:
    logits = torch.zeros(1, COLUMNS)
    logits[0, 7] = torch.nan
    request = DrafterInput(3, 77, SamplingConfig(), np.zeros(0, dtype=np.int64), 4)
    for shortened in (False, True):
        rows = rows_of(logits, None, shortened=shortened)
        assert batch_draft_tokens(rows, request, 0, [()], 8) == [DraftTokens()]


# ---------------------------------------------------------------- the drafters
def drafted(drafter: Drafter, request: DrafterInput, depths: int) -> list[list[DraftTokens]]:
    """Return what a drafter says on a tree of its own best draft tokens, two below every node."""
    drafter.begin(request)
    tree, level = DraftTree(request.root_token), [ROOT]
    said: list[list[DraftTokens]] = []
    for _ in range(depths):
        said.append(drafter.expand(tree, level))
        level = [
            tree.add_child(node, token)
            for node, guesses in zip(level, said[-1], strict=True)
            for token in guesses.token_ids[:2]
        ]
    return said


def drafters(networks: Networks) -> dict[str, tuple[Drafter, int]]:
    """Return each drafter that asks the model, fed with a text, and how deep it guesses."""
    runner = PassRunner(networks(), 8, 256)
    runner.prefill(prompt_ids(59))
    runner.record_queries = True  # the last pass chooses the partial cache
    runner.decode(prompt_ids(60)[59:], [-1])
    runner.commit([0])
    network = runner.network
    reduced = torch.arange(0, VOCAB_SIZE, 2)
    head = torch.randn(len(reduced), 64, generator=torch.Generator().manual_seed(4))
    feature = random_feature()
    made: dict[str, tuple[Drafter, int]] = {
        "feature": (FeatureDrafter(network, feature), 3),
        "feature, few ids": (FeatureDrafter(network, replace(feature, vocabulary=reduced, head=head)), 3),
        "heads": (HeadsDrafter(network, random_heads()), 3),
        "partial": (PartialDrafter(runner, random_heads(), 32), 4),
        "partial, no heads": (PartialDrafter(runner, None, 32), 4),
    }
    for drafter, _ in made.values():
        drafter.observe(Observed(prompt_ids(20), random_hidden(20)))
    return made


@pytest.mark.parametrize(
    ("sampling", "num_columns"),
    [
        (SamplingConfig(seed=3), 150),
        (SamplingConfig(temperature=0), 150),
        (SamplingConfig(min_p=0.0), VOCAB_SIZE),
    ],
    ids=["min-p", "greedy", "no truncation"],
)
def test_every_drafter_proposes_the_same_from_few_columns_and_fetches_once_per_pass(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, sampling: SamplingConfig, num_columns: int
) -> None:
    """Heads answer all depths from one fetch; a drafter that runs once per depth fetches once per depth."""
    request = DrafterInput(5, 100, sampling, np.unique(prompt_ids(60)), 4)
    made = drafters(networks)
    wanted = {name: drafted(drafter, request, depths) for name, (drafter, depths) in made.items()}
    monkeypatch.setattr(vocabulary_subset, "NUM_COLUMNS", num_columns)
    shapes = _count_fetches(monkeypatch)
    monkeypatch.setattr(vocabulary_subset, "SUBSET_DEVICES", {"cpu"})
    expected = {"feature": 3, "feature, few ids": 3, "heads": 1, "partial": 1, "partial, no heads": 4}
    for name, (drafter, depths) in drafters(networks).items():
        shapes.clear()
        assert drafted(drafter, request, depths) == wanted[name], name
        assert len(shapes) == expected[name], name
        assert sum(bool(guesses.token_ids) for level in wanted[name] for guesses in level) >= depths


def _count_fetches(patch: pytest.MonkeyPatch) -> list[Sequence[int]]:
    shapes: list[Sequence[int]] = []
    fetch = HostBuffer.fetch

    def counting(buffer: HostBuffer, source: Tensor) -> Tensor:
        shapes.append(tuple(source.shape))
        return fetch(buffer, source)

    patch.setattr(HostBuffer, "fetch", counting)
    return shapes

"""Which drafters a run gets: those that are named, or all that fit."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
import torch

from quire_engine.api.config import SOURCES, DraftingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.integer.integer_runner import IntegerRunner
from quire_engine.runtime.drafter_factory import (
    DRAFTERS,
    DrafterKind,
    automatic_sources,
    available_sources,
    build_drafters,
)
from tests.engine.blocks import in_blocks
from tests.engine.conftest import Networks
from tests.engine.drafting.neural import SHAPE, random_feature, random_heads
from tests.engine.runtime.test_session import LOOPING, model_of, text_of
from tests.engine.tiny import CONTEXT, VOCAB_SIZE, build

TRAINED = TrainedDrafters("any", random_heads(), random_feature())
AUTO = DraftingConfig("tokenswift")


@pytest.fixture
def runner(networks: Networks) -> PassRunner:
    """A tiny Llama's passes."""
    return PassRunner(networks("llama"), 8, CONTEXT)


def narrow_heads() -> HeadsWeights:
    """Return heads for a model of another width."""
    return HeadsWeights(torch.zeros(1, 8, 8), torch.ones(1, 8), torch.ones(1, 8))


def feature_of_another_width() -> FeatureWeights:
    """Return a feature drafter for a model of another width."""
    shape = replace(SHAPE, width=32)
    return FeatureWeights(shape, {name: torch.ones(size) for name, size in shape.tensor_shapes().items()})


def feature_of_another_vocabulary() -> FeatureWeights:
    """Return a feature drafter that guesses an id that the model does not have."""
    ids = torch.tensor([3, VOCAB_SIZE])
    return replace(random_feature(), vocabulary=ids, head=torch.ones(2, SHAPE.width))


@dataclass
class RepeatLast:
    """The smallest drafter there can be: it proposes the last token again, and counts its drafts."""

    source: Source = "fourgrams"
    num_drafts: int = 0
    last_token: int = 0

    def reset(self) -> None:
        """Do nothing: nothing here depends on positions."""

    def observe(self, observed: Observed) -> None:
        """Do nothing: the root token is all it needs."""

    def begin(self, request: DrafterInput) -> None:
        """Start a draft."""
        self.num_drafts += 1
        self.last_token = request.root_token

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return the last token for every node."""
        return [DraftTokens((self.last_token,), (0.5,)) for _ in nodes]


def sources(runner: PassRunner, config: DraftingConfig, trained: TrainedDrafters | None) -> list[Source]:
    return [drafter.source for drafter in build_drafters(runner, config, trained, VOCAB_SIZE)]


def test_all_that_are_useful_compete_when_none_is_named(runner: PassRunner) -> None:
    assert sources(runner, AUTO, TRAINED) == ["heads", "partial", "feature", "ngrams"]
    assert sources(runner, AUTO, None) == ["partial", "ngrams"]


def test_one_that_was_switched_off_does_not_compete(runner: PassRunner) -> None:
    without = DraftingConfig("tokenswift", without=("ngrams",))
    assert "ngrams" not in sources(runner, without, None)
    # who names drafters gets them
    assert sources(runner, replace(without, drafters=("ngrams",)), None) == ["ngrams"]


def test_fast_shows_no_keys_to_choose_among() -> None:
    runner = IntegerRunner(in_blocks(build("qwen2")), 8, 256)
    assert automatic_sources(runner, None) == ("ngrams",)


def test_named_ones_and_no_others_are_built(runner: PassRunner) -> None:
    config = DraftingConfig("tokenswift", ("fourgrams", "feature"))
    assert sources(runner, config, TRAINED) == ["feature", "fourgrams"]


def test_what_a_model_can_have_depends_on_what_was_prepared() -> None:
    assert available_sources(TRAINED, has_draft_model=True) == SOURCES
    assert available_sources(TRAINED) == tuple(source for source in SOURCES if source != "draft_model")
    assert available_sources(None) == ("partial", "ngrams", "fourgrams")
    assert available_sources(replace(TRAINED, heads=None)) == ("partial", "feature", "ngrams", "fourgrams")


def test_a_named_one_that_was_not_prepared_is_an_error_message(runner: PassRunner) -> None:
    with pytest.raises(EnvironmentProblem, match="feature or heads"):
        build_drafters(runner, DraftingConfig("tokenswift", ("feature", "heads")), None, VOCAB_SIZE)


@pytest.mark.parametrize(
    ("source", "trained"),
    [
        ("heads", replace(TRAINED, heads=narrow_heads())),
        ("feature", replace(TRAINED, feature=feature_of_another_width())),
        ("feature", replace(TRAINED, feature=feature_of_another_vocabulary())),
    ],
)
def test_one_of_other_sizes_is_left_out_unless_it_was_named(
    runner: PassRunner, source: Source, trained: TrainedDrafters, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        others = sources(runner, AUTO, trained)
    # the partial cache drafts without heads, too
    assert others == [one for one in ("heads", "partial", "feature", "ngrams") if one != source]
    assert [record.getMessage() for record in caplog.records if source in record.getMessage()]
    with pytest.raises(EnvironmentProblem, match="match this model"):
        build_drafters(runner, DraftingConfig("tokenswift", (source,)), trained, VOCAB_SIZE)


def test_the_partial_cache_rejects_heads_of_other_sizes_and_leaves_the_model_as_it_was(
    runner: PassRunner,
) -> None:
    trained = replace(TRAINED, heads=narrow_heads())
    with pytest.raises(EnvironmentProblem, match="don't match"):
        build_drafters(runner, DraftingConfig("tokenswift", ("partial",)), trained, VOCAB_SIZE)
    assert not runner.record_queries


@pytest.mark.parametrize("is_named", [True, False])
def test_a_row_of_the_table_is_all_that_a_new_drafter_needs(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    new = RepeatLast()
    monkeypatch.setitem(DRAFTERS, new.source, DrafterKind(lambda parts: new, is_automatic=not is_named))
    model = model_of(networks)
    wanted, _ = text_of(model, 120, LOOPING)
    # alone beside plain passes: which of many is tried within a short text depends on how long each takes
    others: tuple[Source, ...] = tuple(source for source in SOURCES if source != new.source)
    drafting = DraftingConfig("tokenswift", without=others)
    if is_named:
        drafting = DraftingConfig("tokenswift", (new.source,), tree=(1, 1))
    written, steps = text_of(model, 120, LOOPING, drafting)
    assert written[:120] == wanted[:120]
    assert new.num_drafts > 0
    assert sum(step.num_drafted for step in steps) > 0

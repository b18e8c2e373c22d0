"""Build the drafters of a run: one row of `DRAFTERS` per kind."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from quire_engine.api.config import SOURCES, DraftingConfig, SamplingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.background_ngrams import BackgroundTable
from quire_engine.drafting.draft_heads import HeadsDrafter, check_shown
from quire_engine.drafting.draft_model import DraftModel, DraftModelDrafter
from quire_engine.drafting.drafter import Drafter, DrafterInput, Observed
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.drafting.ngram_drafter import NgramDrafter
from quire_engine.drafting.paper.fourgram_drafter import FourgramDrafter
from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.drafting.phrase_counts import PhraseCounts
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.target_model import NetworkEnds, Runner

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DrafterParts:
    """What a drafter can be built from.

    Attributes:
        runner: the target model and its KV cache.
        trained: the drafters trained for this very model, if there are any.
        vocab_size: rows of the embedding table.
        config: the settings of the paper's drafters.
        known: what was counted in other texts of the writer.
        background: the model's own n-gram distribution, if it was distilled.
        draft_model: a small model of the same tokenizer.
    """

    runner: Runner
    trained: TrainedDrafters | None
    vocab_size: int
    config: DraftingConfig
    known: Sequence[PhraseCounts] = ()
    background: BackgroundTable | None = None
    draft_model: DraftModel | None = None


@dataclass(frozen=True, slots=True)
class DrafterKind:
    """How one kind of drafter is built.

    Attributes:
        build: called only where the model has what it needs.
        is_automatic: also used when a run names no drafters.
        weights: picks its weights among the trained ones; None: it needs no training.
        reads_hidden: observes the model's hidden states, too.
        needs_draft_model: it is a small model, which must be loaded.
        selects_keys: it needs keys to choose among, which passes in whole numbers don't hand out.
    """

    build: Callable[[DrafterParts], Drafter]
    is_automatic: bool = True
    weights: Callable[[TrainedDrafters], object | None] | None = None
    reads_hidden: bool = True
    needs_draft_model: bool = False
    selects_keys: bool = False

    def fits(self, trained: TrainedDrafters | None, *, has_draft_model: bool) -> bool:
        """Say whether a model with these trained drafters, and a small one or none, can have this kind."""
        if self.needs_draft_model and not has_draft_model:
            return False
        return self.weights is None or (trained is not None and self.weights(trained) is not None)


def _ngrams(parts: DrafterParts) -> Drafter:
    drafter = NgramDrafter(parts.vocab_size, background=parts.background)
    for counts in parts.known:
        drafter.learn_counts(counts)
    return drafter


def _heads(parts: DrafterParts) -> Drafter:
    heads = None if parts.trained is None else parts.trained.heads
    assert heads is not None, "asked for only where it fits"
    check_shown(heads, parts.runner)
    drafter = HeadsDrafter(parts.runner.network, heads, parts.runner.before_norm)
    return _warmed_up(drafter, parts.runner.network)


def _feature(parts: DrafterParts) -> Drafter:
    feature = None if parts.trained is None else parts.trained.feature
    assert feature is not None, "asked for only where it fits"
    return _warmed_up(FeatureDrafter(parts.runner.network, feature), parts.runner.network)


def _warmed_up(drafter: Drafter, network: NetworkEnds) -> Drafter:
    """Return a drafter after a draft from nothing.

    The first one takes many times as long as the others, which would speak against it in its first trial.
    """
    nothing = network.embed(torch.zeros(1, dtype=torch.long, device=network.device))
    drafter.observe(Observed([0], nothing, is_reread=True))
    drafter.begin(DrafterInput(0, 1, SamplingConfig(), NO_IDS, 1))
    drafter.expand(DraftTree(0), [ROOT])
    drafter.reset()
    return drafter


def _partial(parts: DrafterParts) -> Drafter:
    if not isinstance(parts.runner, PassRunner):
        raise EnvironmentProblem(
            "Drafting over a part of the model's memory isn't possible in Fast mode. Choose other drafters, "
            "or load the model in full precision."
        )
    heads, config = None if parts.trained is None else parts.trained.heads, parts.config
    try:
        if heads is not None:
            check_shown(heads, parts.runner)
        return PartialDrafter(parts.runner, heads, config.partial_budget, gamma=config.gamma)
    except EnvironmentProblem:
        if config.drafters:
            raise
        # that the heads don't fit is said of them; the model drafts without them, too
        return PartialDrafter(parts.runner, None, config.partial_budget, gamma=config.gamma)


def _fourgrams(parts: DrafterParts) -> Drafter:
    config, is_alone = parts.config, len(parts.config.drafters) == 1
    return FourgramDrafter(parts.vocab_size, config.tails, is_alone=is_alone, delay=config.table_delay)


def _draft_model(parts: DrafterParts) -> Drafter:
    assert parts.draft_model is not None, "asked for only where it fits"
    return DraftModelDrafter(parts.draft_model)


DRAFTERS: dict[Source, DrafterKind] = {
    "heads": DrafterKind(_heads, weights=lambda trained: trained.heads),
    "partial": DrafterKind(_partial, reads_hidden=False, selects_keys=True),
    "feature": DrafterKind(_feature, weights=lambda trained: trained.feature),
    "ngrams": DrafterKind(_ngrams, reads_hidden=False),
    # "ngrams" contains the paper's table: it uses every context length
    "fourgrams": DrafterKind(_fourgrams, is_automatic=False, reads_hidden=False),
    "draft_model": DrafterKind(_draft_model, reads_hidden=False, needs_draft_model=True),
}


def available_sources(
    trained: TrainedDrafters | None, *, has_draft_model: bool = False
) -> tuple[Source, ...]:
    """Return the drafters that a model can have, given those trained for it and a small model or none."""
    return tuple(
        source
        for source in SOURCES
        if source in DRAFTERS and DRAFTERS[source].fits(trained, has_draft_model=has_draft_model)
    )


def automatic_sources(
    runner: Runner, trained: TrainedDrafters | None, *, has_draft_model: bool = False
) -> tuple[Source, ...]:
    """Return the drafters among which a run chooses that names none."""
    shows_keys = isinstance(runner, PassRunner)
    return tuple(
        source
        for source in available_sources(trained, has_draft_model=has_draft_model)
        if DRAFTERS[source].is_automatic and (shows_keys or not DRAFTERS[source].selects_keys)
    )


def build_drafters(
    runner: Runner,
    config: DraftingConfig,
    trained: TrainedDrafters | None,
    vocab_size: int,
    known: Sequence[PhraseCounts] = (),
    background: BackgroundTable | None = None,
    draft_model: DraftModel | None = None,
    *,
    left_out: list[UserMessage] | None = None,
) -> list[Drafter]:
    """Return the drafters that `config` names, or every automatic one that fits where it names none.

    Args:
        runner: the target model and its KV cache.
        config: which drafters, and the settings of the paper's.
        trained: the drafters trained for this very model, if there are any.
        vocab_size: rows of the embedding table.
        known: what was counted in other texts of the writer, for the n-gram drafter.
        background: the model's own n-gram distribution, if it was distilled.
        draft_model: a small model of the same tokenizer, if one was loaded.
        left_out: gets the reason for each automatic drafter that this model can't have after all.

    Raises:
        EnvironmentProblem: a named drafter is missing, or was trained for another shape of model.
    """
    has_small = draft_model is not None
    available = available_sources(trained, has_draft_model=has_small)
    _check_named(config.drafters, available)
    parts = DrafterParts(runner, trained, vocab_size, config, known, background, draft_model)
    if config.drafters:
        return [DRAFTERS[source].build(parts) for source in available if source in config.drafters]
    drafters: list[Drafter] = []
    for source in automatic_sources(runner, trained, has_draft_model=has_small):
        if source in config.without:
            continue
        try:
            drafters.append(DRAFTERS[source].build(parts))
        except EnvironmentProblem as problem:
            _log.warning("drafting continues without %s: %s", source, problem)
            if left_out is not None:
                left_out.append(problem.message)
    return drafters


def _check_named(named: Sequence[Source], available: Sequence[Source]) -> None:
    """Raise EnvironmentProblem if a drafter that a run names is not available."""
    missing = [source for source in named if source not in available]
    if missing == ["draft_model"]:
        raise EnvironmentProblem(
            "There is no smaller model to draft ahead with. Choose one for this model first."
        )
    if missing:
        raise EnvironmentProblem(
            "This model has no trained drafters of the kind {kinds}. Prepare the model first (python "
            "-m quire_engine prepare), or let Quire choose.",
            kinds=" or ".join(missing),
        )

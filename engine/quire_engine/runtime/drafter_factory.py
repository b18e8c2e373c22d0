"""Which drafters a run can have, and building them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from quire_engine.api.config import SOURCES, DraftingConfig, Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting.background_ngrams import BackgroundTable
from quire_engine.drafting.drafter import Drafter
from quire_engine.drafting.drafter_file import TrainedDrafters
from quire_engine.drafting.feature_drafter import FeatureDrafter
from quire_engine.drafting.medusa_heads import HeadsDrafter
from quire_engine.drafting.ngram_drafter import NgramDrafter
from quire_engine.drafting.paper.fourgram_drafter import FourgramDrafter
from quire_engine.drafting.paper.partial_cache_drafter import PartialDrafter
from quire_engine.forward.pass_runner import PassRunner

_log = logging.getLogger(__name__)

_UNTRAINED: tuple[Source, ...] = ("partial", "ngrams", "fourgrams")
_AUTOMATIC: tuple[Source, ...] = ("heads", "feature", "ngrams")
"""Those that compete when none is named. The paper's table is contained in "ngrams", which uses every context
length; a draft pass over a partial cache costs a forward pass and is taken only where it is asked for."""


def available_sources(trained: TrainedDrafters | None) -> tuple[Source, ...]:
    """Return the drafters that a model can have. trained: what was prepared for it."""
    has = {
        "heads": trained is not None and trained.heads is not None,
        "feature": trained is not None and trained.feature is not None,
    }
    return tuple(source for source in SOURCES if source in _UNTRAINED or has[source])


def build_drafters(
    runner: PassRunner,
    config: DraftingConfig,
    trained: TrainedDrafters | None,
    vocab_size: int,
    known_texts: Sequence[Sequence[int]] = (),
    background: BackgroundTable | None = None,
) -> list[Drafter]:
    """Return the drafters that the settings name, or every useful one.

    One that was named and is missing, or was trained for other sizes than the model's, is an
    EnvironmentProblem; where none is named the others do without it.

    trained: what was prepared for this very model. known_texts: other texts of the writer as token ids.
    background: what the model says after a few tokens in general.
    """
    if missing := [source for source in config.drafters if source not in available_sources(trained)]:
        raise EnvironmentProblem(
            "This model has no trained drafters of the kind {kinds}. Prepare them first (python -m "
            "quire_engine prepare), or leave the choice to Quire.",
            kinds=" or ".join(missing),
        )
    heads = None if trained is None else trained.heads
    feature = None if trained is None else trained.feature

    def ngrams() -> Drafter:
        drafter = NgramDrafter(vocab_size, background=background)
        for text in known_texts:
            drafter.learn(text)
        return drafter

    builders: dict[Source, Callable[[], Drafter]] = {
        "partial": lambda: PartialDrafter(runner, heads, config.partial_budget),
        "ngrams": ngrams,
        "fourgrams": lambda: FourgramDrafter(vocab_size),
    }
    if heads is not None:
        builders["heads"] = lambda: HeadsDrafter(runner.network, heads)
    if feature is not None:
        builders["feature"] = lambda: FeatureDrafter(runner.network, feature)
    if config.drafters:
        return [builders[source]() for source in SOURCES if source in config.drafters]
    drafters: list[Drafter] = []
    for source in SOURCES:
        if source in _AUTOMATIC and source in builders:
            try:
                drafters.append(builders[source]())
            except EnvironmentProblem as problem:
                _log.warning("drafting goes on without %s: %s", source, problem)
    return drafters

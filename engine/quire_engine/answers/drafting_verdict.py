"""What a model's drafters are worth on this computer: the same draft with some drafters and with others."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from quire_engine.api.config import DraftingConfig, SamplingConfig
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from quire_engine.runtime.session import DraftingSession

if TYPE_CHECKING:
    from quire_engine.drafting.drafter_file import TrainedDrafters

_MOST_TOKENS = 384
_TRIED = 0.4  # share of the draft that is not counted, because Quire tries its drafters there


@dataclass(frozen=True, slots=True)
class DraftPace:
    """Tokens per pass and per second of a draft."""

    tokens_per_pass: float
    tokens_per_s: float


def pace_with(
    loaded: LoadedModel,
    trained: TrainedDrafters | None,
    ids: Sequence[int],
    sampling: SamplingConfig,
    seconds: float,
    clock: Callable[[], float] = time.perf_counter,
) -> DraftPace:
    """Draft after some tokens for a while; the words are the same whatever the drafters are.

    A feature drafter competes with plain decoding alone: among all drafters, a draft as short as this would
    be over before Quire knows which one is the fastest. Without one, everything else that there is competes.
    """
    started = clock()
    model = own_cache(replace(loaded, trained=trained))
    has_feature = trained is not None and trained.feature is not None
    drafting = DraftingConfig(method="tokenswift", drafters=("feature",) if has_feature else ())
    session = DraftingSession(model, ids, (), sampling, drafting, forgiving=True)
    list(session.read())
    began, tried, tokens, milliseconds, steps = clock(), 0, 0, 0.0, 0
    while not steps or (tried + tokens < _MOST_TOKENS and clock() - started < seconds):
        if session.must_read:  # a short context is full before the draft is long enough
            list(session.read())
        step = session.step()
        share = max(tried / _MOST_TOKENS, (clock() - began) / max(1e-3, started + seconds - began))
        if not steps and share < _TRIED:
            tried += len(step.token_ids)
            continue
        steps += 1
        tokens += len(step.token_ids)
        milliseconds += step.draft_ms + step.verify_ms + step.rest_ms
    return DraftPace(tokens / steps, 1000 * tokens / max(milliseconds, 1e-3))

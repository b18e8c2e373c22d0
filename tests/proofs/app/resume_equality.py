"""A run in bfloat16 goes on as if it had never been paused, with the very bits of the cache.

The engine's own proof of equality does it, on the model that ships with Quire. All settings are gone over by
`python -m tests.proofs.engine`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.proofs.app.outcome import CheckResult

if TYPE_CHECKING:
    from quire_engine.engine import LoadedModel
    from tests.proofs.engine.cases import Case

TOKENS = 300
"""Tokens of each run, which is resumed at a random one."""
_PROMPT = 200
_WIDTHS = (8, 16, 32)


def cases(seed: int, number: int) -> list[Case]:
    """Return so many settings: every rule of drawing in turn, planned drafts and hostile ones."""
    from tests.proofs.engine.cases import SAMPLERS, SHIPPED, Case, Drafts

    rng = random.Random(seed)
    names = list(SAMPLERS)
    chosen = []
    for turn in range(seed * number, (seed + 1) * number):
        drafts: Drafts = "hostile" if turn % 3 == 2 else "planned"
        chosen.append(Case(SHIPPED, "bfloat16", rng.choice(_WIDTHS), names[turn % len(names)], drafts))
    return chosen


def resumes(
    seed: int, number: int, *, folder: Path | None = None, tokens: int = TOKENS
) -> Iterator[CheckResult]:
    """Compare so many resumed runs, token by token and caches bit by bit, with runs that were left alone.

    folder: of another model than the one that ships with Quire.
    """
    from quire_engine.api.config import ModelConfig
    from quire_engine.cli.arguments import built_in_model
    from quire_engine.engine import load_model
    from tests.proofs.engine.__main__ import prompt_ids
    from tests.proofs.engine.equality import prove

    models: dict[int, LoadedModel] = {}
    for case in cases(seed, number):
        if case.width not in models:
            config = ModelConfig(str(folder or built_in_model()), dtype="bfloat16", width=case.width)
            models[case.width] = load_model(config)
        model = models[case.width]
        found = prove(case, model, prompt_ids(model, _PROMPT), tokens, seed)
        wrong = found.difference
        if not wrong and found.num_caches < 2 and model.near_tie <= 0:
            wrong = "the caches were not compared"
        phase = f"{case.drafts} drafts"
        yield CheckResult(phase, f"{case.key}, resumed at {found.place}: {wrong}" if wrong else "")

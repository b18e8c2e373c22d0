"""The grid of what is proved, and the order in which it is: every pair of settings first, then all of it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from quire_engine.api.config import SOURCES, SamplingConfig, Source
from tests.proofs.engine.tiny_models import FAMILIES

SHIPPED = "shipped"
"""Name of the model that ships with Quire, or of the one that was named."""
Drafts = Literal["planned", "good", "mixed", "random", "hostile"]
"""planned: by the run's own drafters. The others are made up, with the text known beforehand."""

SAMPLERS: dict[str, SamplingConfig] = {
    "greedy": SamplingConfig(temperature=0, min_p=0, repetition_penalty=1),
    "greedy, penalty": SamplingConfig(temperature=0, min_p=0, repetition_penalty=1.3, penalty_window=64),
    "plain": SamplingConfig(min_p=0, repetition_penalty=1, seed=5),
    "defaults": SamplingConfig(seed=1),
    "cool, min-p": SamplingConfig(temperature=0.7, min_p=0.05, penalty_window=3, seed=2),
    "top-k": SamplingConfig(top_k=8, min_p=0, penalty_window=0, seed=3),
    "hot, top-p": SamplingConfig(temperature=1.3, top_p=0.8, min_p=0, penalty_window=7, seed=4),
    "eta": SamplingConfig(eta=0.02, min_p=0, repetition_penalty=1.1, penalty_window=32, seed=2**63 - 1),
    "all": SamplingConfig(temperature=0.9, top_k=40, top_p=0.95, min_p=0.02, eta=0.001, seed=9),
}
"""Sampling rules by name."""

_DTYPES = ("float32", "bfloat16")
_WIDTHS = (2, 8, 16, 32)
_TREES: tuple[tuple[int, ...], ...] = ((), (1, 3, 3, 3), (4,), (2, 2, 1), (1, 1, 1, 1, 1, 1))
_BUDGETS = (64, 256, 4096)
OWN_SOURCES: tuple[Source, ...] = tuple(source for source in SOURCES if source != "draft_model")
"""Every kind of drafter but the one that is a model of its own, which no proof loads."""
_COMBINATIONS: tuple[tuple[Source, ...], ...] = (("feature", "ngrams"), ("heads", "fourgrams"), OWN_SOURCES)
_DRAFTS: tuple[Drafts, ...] = ("good", "mixed", "random", "hostile")
DRAFTERS: tuple[tuple[Source, ...], ...] = ((), *((source,) for source in OWN_SOURCES), *_COMBINATIONS)
"""Sets of drafters; the empty one leaves the choice to the engine."""


@dataclass(frozen=True, slots=True)
class Case:
    """One setting of everything. drafters, tree: as in DraftingConfig, of planned drafts only."""

    model: str
    dtype: str
    width: int
    sampler: str
    drafts: Drafts = "planned"
    drafters: tuple[Source, ...] = ()
    tree: tuple[int, ...] = ()
    partial_budget: int = 4096

    @property
    def key(self) -> str:
        """Its name, in ledgers and on the command line."""
        drafts: str = (
            "+".join(self.drafters) or "auto" if self.drafts == "planned" else f"{self.drafts} drafts"
        )
        tree = ",".join(map(str, self.tree)) or "auto"
        return "/".join(
            (
                self.model,
                self.dtype,
                f"width {self.width}",
                self.sampler,
                drafts,
                f"tree {tree}",
                f"budget {self.partial_budget}",
            )
        )


def grid(models: Sequence[str] = (SHIPPED, *FAMILIES)) -> Iterator[Case]:
    """Yield every case once; a partial budget is varied only where a partial cache is used."""
    for model, dtype, width, sampler in itertools.product(models, _DTYPES, _WIDTHS, SAMPLERS):
        for drafts in _DRAFTS:
            yield Case(model, dtype, width, sampler, drafts)
        for drafters, tree in itertools.product(DRAFTERS, _TREES):
            for budget in _BUDGETS if "partial" in drafters else _BUDGETS[-1:]:
                yield Case(model, dtype, width, sampler, "planned", drafters, tree, budget)


def chance_grid(models: Sequence[str] = FAMILIES) -> Iterator[tuple[str, str, str]]:
    """Yield (model, dtype, sampler) for the proof that drafts do not move the odds; greedy has none."""
    for model, dtype in itertools.product(models, _DTYPES):
        for sampler, settings in SAMPLERS.items():
            if settings.temperature > 0:
                yield model, dtype, sampler


def spread(cases: Iterable[Case], seed: int) -> tuple[list[Case], int]:
    """Return the cases in the order of the proof and how many come first so that all pairs were seen.

    A pair is two settings of different kinds that some case has together. Cases that show many new pairs come
    first; the rest follows shuffled. The order depends on the seed alone.
    """
    rng = random.Random(seed)
    waiting = list(dict.fromkeys(cases))
    rng.shuffle(waiting)
    missing = {pair for case in waiting for pair in pairs(case)}
    chosen: dict[Case, None] = {}
    for pair in sorted(missing, key=repr):
        if pair not in missing:
            continue
        holders = itertools.islice((case for case in waiting if _has(case, pair)), 24)
        best = max(holders, key=lambda case: sum(p in missing for p in pairs(case)))
        chosen[best] = None
        missing.difference_update(pairs(best))
    first = list(chosen)
    rng.shuffle(first)
    return first + [case for case in waiting if case not in chosen], len(first)


Pair = tuple[int, object, int, object]
"""Two fields of a case, by place, with their values."""


def pairs(case: Case) -> Iterator[Pair]:
    """Yield every pair of settings of a case."""
    values = list(enumerate(_values(case)))
    for (place, value), (other, other_value) in itertools.combinations(values, 2):
        yield place, value, other, other_value


def _has(case: Case, pair: Pair) -> bool:
    values = _values(case)
    return values[pair[0]] == pair[1] and values[pair[2]] == pair[3]


def _values(case: Case) -> tuple[object, ...]:
    return (
        case.model,
        case.dtype,
        case.width,
        case.sampler,
        case.drafts,
        case.drafters,
        case.tree,
        case.partial_budget,
    )

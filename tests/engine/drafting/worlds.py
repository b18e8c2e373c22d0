"""A world for the planner without a model: a known text, drafters as good and as slow as a test wants.

Time is a number that passes and drafters push forward, so nothing here depends on the machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from quire_engine.api.config import DraftingConfig, SamplingConfig, Source
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.candidate_tree import PlannedTree
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.planner import MAX_DEPTH, Planner

VOCABULARY = 50_000
REST_MS = 0.2


def truth(index: int) -> int:
    """Return the token that is at this index of the text, whatever was guessed."""
    return (index * 2_654_435_761 + 12_345) % 2**32 % VOCABULARY


def request(index: int, max_depth: int = 16) -> DrafterInput:
    """Ask for draft tokens from this index on."""
    return DrafterInput(truth(index - 1), index, SamplingConfig(), np.array([], dtype=np.int64), max_depth)


@dataclass
class Clock:
    """Seconds that pass only when told."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def spend(self, milliseconds: float) -> None:
        """Let time pass."""
        self.now += milliseconds / 1000


@dataclass
class FakeDrafter:
    """Guesses the right token with a chance of hits[rank] wherever the path so far is right, else nonsense.

    Attributes:
        claimed: the chances that it claims.
        begin_ms and level_ms: what it costs. The tests change all of it while they run.
        missed_ms: what it costs to read a token that was written without it, 400 of them at most.
        at_once: tokens that it reads before a step; it proposes nothing until it has read them all.
    """

    source: Source
    clock: Clock
    hits: Sequence[float]
    begin_ms: float = 0.05
    level_ms: float = 0.1
    claimed: Sequence[float] | None = None
    calls: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    begun: int = 0
    resets: int = 0
    observed: list[int] = field(default_factory=list)
    missed_ms: float = 0.0
    at_once: int = 400
    _known: int | None = None
    _reads_on: bool = False
    _request: DrafterInput = field(default_factory=lambda: request(1))

    def reset(self) -> None:
        self.resets += 1

    def observe(self, observed: Observed) -> None:
        self.observed += observed.token_ids

    def begin(self, request: DrafterInput) -> bool:
        missed = 400 if self._known is None else min(400, len(self.observed) - self._known)
        if missed <= MAX_DEPTH + 1:  # what the last step gained is read with the draft
            missed = 0
        read = min(missed, self.at_once)
        self.clock.spend(self.begin_ms + self.missed_ms * read)
        self._known = len(self.observed) - (missed - read)
        self._reads_on = read < missed
        self.begun += 1
        self.calls = []
        self._request = request
        return self._reads_on

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        self.clock.spend(self.level_ms)
        self.calls.append((tree.depths[nodes[0]], tuple(nodes)))
        if self._reads_on:
            return [DraftTokens() for _ in nodes]
        return [self._guess(tree, node) for node in nodes]

    def _guess(self, tree: DraftTree, node: int) -> DraftTokens:
        index = self._request.index + tree.depths[node]
        rng = random.Random(f"{self.source} {index}")
        right = _is_right(tree, node, self._request.index)
        place, rank_hit = rng.random(), None
        for rank, chance in enumerate(self.hits):
            if place < chance:
                rank_hit = rank
                break
            place -= chance
        tokens = [
            truth(index) if right and rank == rank_hit else VOCABULARY + rng.randrange(VOCABULARY)
            for rank in range(len(self.hits))
        ]
        return DraftTokens(tuple(tokens), tuple(self.claimed or [max(1e-3, chance) for chance in self.hits]))


def _is_right(tree: DraftTree, node: int, index: int) -> bool:
    while node != ROOT:
        if tree.tokens[node] != truth(index + tree.depths[node] - 1):
            return False
        node = tree.parents[node]
    return True


@dataclass
class World:
    """One run: passes cost verify(nodes, context length) milliseconds, with noise and hiccups.

    Attributes:
        window: tokens after which the context begins again.
        misjudged: by what the measurement of the widest pass at load was off.
        busier: by what all passes take longer than at load.
    """

    drafters: Sequence[FakeDrafter]
    clock: Clock
    verify: Callable[[int, int], float]
    config: DraftingConfig = field(default_factory=lambda: DraftingConfig("tokenswift"))
    max_nodes: int = 7
    padded: bool = False
    noise: float = 0.05
    window: int = 1_000_000
    misjudged: float = 1.0
    busier: float = 1.0
    index: int = 1
    spent_ms: float = 0.0
    drafted_steps: int = 0

    def __post_init__(self) -> None:
        self.planner = Planner(
            self.drafters, self.config, max_nodes=self.max_nodes, padded=self.padded, clock=self.clock
        )
        self._dice = random.Random(5)
        # as at load: of passes that are padded the ends alone
        for nodes in sorted({0, self.max_nodes} if self.padded else {0, 1, 3, self.max_nodes}):
            for _ in range(3):
                factor = self.misjudged if nodes == self.max_nodes else 1.0
                self.planner.costs.measured(nodes, 0, factor * self._noisy(self.verify(nodes, 0)))

    def step(self, max_depth: int = 16) -> PlannedTree:
        """Plan, check and learn once."""
        length = self.index % self.window
        planned = self.planner.draft(request(self.index, max_depth), length)
        drawn = [truth(self.index)]
        node = planned.tree.child(ROOT, drawn[0])
        while node is not None:
            drawn.append(truth(self.index + len(drawn)))
            node = planned.tree.child(node, drawn[-1])
        took = self._noisy(self.busier * self.verify(len(planned.tree.tokens) - 1, length))
        self.clock.spend(took + REST_MS)
        self.planner.observe(Observed(drawn))
        self.planner.learn(planned, drawn, took, REST_MS)
        self.index += len(drawn)
        self.spent_ms += planned.draft_ms + took + REST_MS
        self.drafted_steps += len(planned.tree.tokens) > 1 or planned.draft_ms > 0
        return planned

    def run(self, steps: int) -> float:
        """Take so many steps and return their tokens per millisecond."""
        tokens, spent = self.index, self.spent_ms
        for _ in range(steps):
            self.step()
        return (self.index - tokens) / (self.spent_ms - spent)

    def _noisy(self, milliseconds: float) -> float:
        hiccup = 6.0 if self._dice.random() < 0.01 else 1.0
        return milliseconds * hiccup * max(0.5, self._dice.gauss(1, self.noise))

"""Drafters for tests: good, useless, mixed and hostile ones; what they propose may never show."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.token_stream import PrefillProgress, Step, TokenStream
from quire_engine.models.attention import BLOCK
from quire_engine.models.target_model import TargetModel
from tests.engine.tiny import VOCAB_SIZE

Drafter = Callable[[TokenStream, int, int], DraftTree]
"""Takes the stream, the deepest path allowed and the number of nodes allowed below the root."""


def good(truth: Sequence[int]) -> Drafter:
    """Know the text already and propose it as far as it fits."""

    def draft(stream: TokenStream, depth: int, nodes: int) -> DraftTree:
        tree = DraftTree(stream.last_token)
        tree.add_path(truth[stream.num_generated :][: min(depth, nodes)])
        return tree

    return draft


def noise(seed: int) -> Drafter:
    """Propose bushes of random tokens."""
    return mixed((), seed)


def mixed(truth: Sequence[int], seed: int) -> Drafter:
    """Propose the truth for a while, then a mistake, among random bushes of random size."""

    def draft(stream: TokenStream, depth: int, nodes: int) -> DraftTree:
        rng = random.Random(seed * 1_000_003 + stream.num_generated)
        tree = DraftTree(stream.last_token)
        known = list(truth[stream.num_generated :][:5])
        while rng.random() < 0.9:
            path = [token if rng.random() < 0.85 else rng.randrange(VOCAB_SIZE) for token in known]
            path += [rng.randrange(VOCAB_SIZE) for _ in range(rng.randint(1, 3))]
            path = path[: rng.randint(1, len(path))]
            if len(path) <= depth and len(tree.tokens) + len(path) <= nodes + 1:
                tree.add_path(path)
        return tree

    return draft


def hostile(truth: Sequence[int], never: Sequence[int]) -> Drafter:
    """Propose the right tokens a place too early, the last token again, and ids that are never written."""

    def draft(stream: TokenStream, depth: int, nodes: int) -> DraftTree:
        tree = DraftTree(stream.last_token)
        coming = truth[stream.num_generated :]
        for path in (
            coming[1:4],
            [stream.last_token] * 3,
            never[:1],
            [*coming[:1], *never[:1], *coming[2:3]],
        ):
            if path and len(path) <= depth and len(tree.tokens) + len(path) <= nodes + 1:
                tree.add_path(path)
        return tree

    return draft


def write(stream: TokenStream, runner: TargetModel, count: int, drafter: Drafter | None = None) -> list[Step]:
    """Write until the stream has exactly `count` generated tokens; trees keep to the rules of a pass."""
    steps: list[Step] = []
    while stream.num_generated < count:
        if stream.must_read:
            read(stream)
        room = min(BLOCK - 1 - runner.length % BLOCK, count - stream.num_generated - 1)
        tree = None if drafter is None else drafter(stream, room, runner.width - 1)
        steps.append(stream.step(tree))
    return steps


def read(stream: TokenStream) -> list[PrefillProgress]:
    """Let the model read all that it must, and return what it said about it."""
    return list(stream.read())

"""A simulation of the verification rule of the paper's released code, which is not lossless. For curiosity
alone: nothing in Quire verifies like this.

The released code lays a draft tree out as one row per leaf and draws the target's token at every place of
every row, independently: a node that many leaves share is drawn as often as it has leaves, and the row that
agrees with its own draws for longest wins. One draw per node, as in Quire, gives every token its own
probability; the best of many draws gives drafted tokens more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.decoding.draft_tree import ROOT, DraftTree

Odds = Mapping[int, float]
"""Probability by token id."""
LEAVES = 47
"""Rows of the paper's tree: 27 of [1,3,3,3] and 20 4-grams."""


def chance_of_a_shared_node(chance: float, leaves: int = LEAVES) -> float:
    """Return how often a first draft token comes out if `leaves` rows begin with it and each row draws it.

    chance: what the model gives it.
    """
    return 1.0 - (1.0 - chance) ** leaves


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What a rule did with one tree, over many trials.

    Attributes:
        accepted: draft tokens accepted per trial, on average.
        moved: total variation distance of the first token from the model's distribution. It is not 0 for an
            exact rule, because trials are finite.
    """

    accepted: float
    moved: float


def exact_rule(tree: DraftTree, odds: Sequence[Odds], trials: int, random: np.random.Generator) -> RuleResult:
    """One draw per node, and on while a child has the drawn token. odds: after each node of the tree."""
    accepted, firsts = 0, list[int]()
    for _ in range(trials):
        node: int | None = ROOT
        depth = 0
        while node is not None:
            token = int(_drawn(odds[node], 1, random)[0])
            if depth == 0:
                firsts.append(token)
            node = tree.child(node, token)
            depth += node is not None
        accepted += depth
    return RuleResult(accepted / trials, _moved(firsts, odds[ROOT]))


def released_rule(
    tree: DraftTree, odds: Sequence[Odds], trials: int, random: np.random.Generator
) -> RuleResult:
    """Draw every place of every leaf's row and keep one of those rows that agree for longest."""
    rows = [_path_to(tree, leaf) for leaf in _leaves(tree)]
    accepted, firsts = 0, list[int]()
    # agrees[row, trial]: draft tokens of the row that its own draws repeat; first[row, trial]: its first draw
    agrees = np.zeros((len(rows), trials), dtype=np.int64)
    first = np.zeros((len(rows), trials), dtype=np.int64)
    for place, row in enumerate(rows):
        still = np.ones(trials, dtype=np.bool_)
        for depth, (node, following) in enumerate(zip(row, [*row[1:], None], strict=True)):
            drawn = _drawn(odds[node], trials, random)
            if depth == 0:
                first[place] = drawn
            if following is None:
                break
            still &= drawn == tree.tokens[following]
            agrees[place] += still
    for trial in range(trials):
        best = np.flatnonzero(agrees[:, trial] == agrees[:, trial].max())
        winner = int(random.choice(best))
        accepted += int(agrees[winner, trial])
        firsts.append(int(first[winner, trial]))
    return RuleResult(accepted / trials, _moved(firsts, odds[ROOT]))


def num_leaves(tree: DraftTree) -> int:
    """Return the rows that the released code would lay the tree out in."""
    return len(_leaves(tree))


def _leaves(tree: DraftTree) -> list[int]:
    inner = set(tree.parents)
    return [node for node in range(len(tree.tokens)) if node not in inner]


def _path_to(tree: DraftTree, node: int) -> list[int]:
    """Return the nodes from the root to a node, both included."""
    path = [node]
    while path[-1] != ROOT:
        path.append(tree.parents[path[-1]])
    return path[::-1]


def _drawn(odds: Odds, count: int, random: np.random.Generator) -> npt.NDArray[np.int64]:
    tokens = np.fromiter(odds.keys(), dtype=np.int64, count=len(odds))
    chances = np.fromiter(odds.values(), dtype=np.float64, count=len(odds))
    return random.choice(tokens, size=count, p=chances / chances.sum())


def _moved(tokens: Sequence[int], odds: Odds) -> float:
    """Return half the sum of |frequency - probability| over all tokens."""
    seen, counts = np.unique(np.array(tokens, dtype=np.int64), return_counts=True)
    share = dict(zip(seen.tolist(), (counts / len(tokens)).tolist(), strict=True))
    away = [abs(share.get(token, 0.0) - odds.get(token, 0.0)) for token in {*share, *odds}]
    return 0.5 * float(sum(away))

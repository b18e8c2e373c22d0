"""Calibrate the drafters' own probabilities: running counts of draft tokens proposed and drawn.

A draft token is judged by its drafter, its depth and rank, the drafter's own probability, and whether another
drafter proposes the same token (drafters read the same text, so their probabilities do not simply add up).
The calibrated chance is that of its token being drawn, given that its parent is reached. Every draft token
offered below a node of the accepted path counts, whether or not it was verified: the token drawn there is
known, so the choice of nodes does not bias the counts.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from quire_engine.api.config import SOURCES, Source
from quire_engine.drafting.drafter import MAX_DRAFT_TOKENS, DraftTokens

Offers = Sequence[tuple[Source, DraftTokens]]
"""What the drafters proposed below one node; none of them empty."""

MAX_CHANCE = 0.98
"""No draft token is certain, so that a child is always less likely than its parent."""

_MIN_CHANCE = 1e-4
_EDGES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97)
_BUCKETS = len(_EDGES) + 1
_DEPTHS = 8
_PLACES = _DEPTHS * MAX_DRAFT_TOKENS
_ALONE, _AGREED, _DIFFERED, _OUTVOTED = range(4)
_COMPANIES = 4
_VOTING_RANKS = 3
_ANY_PRIOR, _COARSE_PRIOR, _FINE_PRIOR = 8.0, 16.0, 24.0
_MEMORY = 1000  # draft tokens per cell before its counts are halved
_LINES_KEPT = 32  # steps for which derived values are reused
_RANK_PRIOR = (0.5, 0.15, 0.08, 0.05, 0.03, 0.02, 0.02, 0.01)
_RANK_PRIOR_WEIGHT = 6.0


@dataclass(frozen=True, slots=True)
class Acceptance:
    """How often draft tokens of one kind were accepted.

    Attributes:
        source: the drafter.
        depth: 1 for the token after the root; depths from 8 on are counted together.
        rank: 0 is the likeliest; ranks from 7 on are counted together.
        offered: draft tokens proposed below nodes that were reached.
        hits: those whose token was drawn there.
    """

    source: Source
    depth: int
    rank: int
    offered: int
    hits: int


class AcceptanceCalibration:
    """Running estimates of P(draft token is drawn | its parent is reached), with slow forgetting."""

    def __init__(self) -> None:
        self._cells: dict[Source, _Cells] = {source: _Cells() for source in SOURCES}

    def judge(
        self, depth: int, offers: Offers, ranks: int | None = None, least: float = 0.0
    ) -> list[tuple[float, int, Source, int]]:
        """Merge the proposals below one node: (chance, token, source, rank), likeliest first.

        A token proposed by several sources keeps the highest of its calibrated chances; their agreement is
        part of what each was calibrated for.

        Args:
            depth: of the draft tokens, 1 below the root.
            offers: proposals by source.
            ranks: draft tokens per source to look at; None: all.
            least: skip those that the drafter itself finds less likely, and all it ranks after them.
        """
        best: dict[int, tuple[float, int, Source, int]] = {}
        for (source, proposed), companies in zip(offers, _companies(offers), strict=True):
            tokens = proposed.token_ids
            chances = self._cells[source].chances(depth, proposed.chances[:ranks], companies, least)
            for rank, chance in enumerate(chances):
                known = best.get(tokens[rank])
                if known is None or chance > known[0]:
                    best[tokens[rank]] = (chance, tokens[rank], source, rank)
        if len(best) < 2:
            return list(best.values())
        merged = sorted(best.values(), key=_falling)
        total = sum([proposal[0] for proposal in merged])
        if total > 1.0:
            # the likeliest keeps its chance, the others share the rest
            first = merged[0][0]
            scale = (1.0 - first) / (total - first)
            merged[1:] = [(chance * scale, token, source, rank) for chance, token, source, rank in merged[1:]]
        return merged

    def chance(self, source: Source, depth: int, rank: int, own: float) -> float:
        """Return the calibrated chance of a draft token that no other drafter was asked about.

        own: the drafter's estimate, also the prior: returned unchanged until there are counts.
        """
        return self._cells[source].chances(depth, [own] * (rank + 1), [_ALONE] * (rank + 1), 0.0)[rank]

    def learn(self, depth: int, offers: Offers, drawn: int) -> None:
        """Update the counts with the token drawn at a node and everything proposed there. depth: of the draft
        tokens.
        """
        for (source, proposed), companies in zip(offers, _companies(offers), strict=True):
            self._cells[source].learn(depth, proposed, companies, drawn)

    def expected(self, source: Source, depth: int, ranks: int = MAX_DRAFT_TOKENS) -> list[float]:
        """Return the recent acceptance rates of a depth by rank, whatever the drafter's own probabilities."""
        return self._cells[source].expected(depth, ranks)

    def count_anew(self) -> None:
        """Start counting again: `acceptance` counts from here, and what was learned stays."""
        for cells in self._cells.values():
            cells.offered, cells.hits = [0] * _PLACES, [0] * _PLACES

    def acceptance(self) -> tuple[Acceptance, ...]:
        """Return the counts since the start, by source, depth and rank, where anything was proposed."""
        return tuple(
            Acceptance(source, depth + 1, rank, offered, cells.hits[depth * MAX_DRAFT_TOKENS + rank])
            for source, cells in self._cells.items()
            for depth in range(_DEPTHS)
            for rank in range(MAX_DRAFT_TOKENS)
            if (offered := cells.offered[depth * MAX_DRAFT_TOKENS + rank])
        )


class _Cells:
    """Counts of one source by confidence; finer ones also by agreement; the finest also by depth and rank.

    A cell with few counts is smoothed towards the coarser one, and finally towards the drafter's own
    probability (Beta smoothing).
    """

    def __init__(self) -> None:
        self.offered = [0] * _PLACES
        self.hits = [0] * _PLACES
        self._recent = _AcceptanceCounts(_PLACES)
        self._any = _AcceptanceCounts(_BUCKETS)
        self._coarse = _AcceptanceCounts(_COMPANIES * _BUCKETS)
        self._fine = _AcceptanceCounts(_COMPANIES * _BUCKETS * _PLACES)
        self._lines: dict[int, tuple[float, float]] = {}
        self._lines_left = 0

    def chances(
        self, depth: int, owns: Sequence[float], companies: Sequence[int], least: float
    ) -> list[float]:
        """Correct a drafter's probabilities by rank, up to the first below `least`."""
        place, last = _place(depth, 0), _place(depth, MAX_DRAFT_TOKENS - 1)
        lines = self._lines
        found: list[float] = []
        for own, company in zip(owns, companies, strict=False):
            if own < least:
                break
            own = _sane(own)
            coarse = company * _BUCKETS + bisect(_EDGES, own)
            fine = coarse * _PLACES + place
            line = lines.get(fine)
            if line is None:
                line = lines[fine] = self._line(coarse, fine)
            chance = line[0] + line[1] * own
            found.append(chance if chance < MAX_CHANCE else MAX_CHANCE)
            if place < last:
                place += 1
        return found

    def learn(self, depth: int, proposed: DraftTokens, companies: Sequence[int], drawn: int) -> None:
        place, last = _place(depth, 0), _place(depth, MAX_DRAFT_TOKENS - 1)
        offered, recent = self.offered, self._recent.offered
        wide, coarser, finest = self._any.offered, self._coarse.offered, self._fine.offered
        for token, own, company in zip(proposed.token_ids, proposed.chances, companies, strict=True):
            bucket = bisect(_EDGES, _sane(own))
            coarse = company * _BUCKETS + bucket
            fine = coarse * _PLACES + place
            offered[place] += 1
            recent[place] += 1
            wide[bucket] += 1
            coarser[coarse] += 1
            finest[fine] += 1
            if token == drawn:
                self.hits[place] += 1
                self._recent.hits[place] += 1
                self._any.hits[bucket] += 1
                self._coarse.hits[coarse] += 1
                self._fine.hits[fine] += 1
            if place < last:
                place += 1
        if self._lines_left == 0:
            self._lines.clear()
            self._lines_left = _LINES_KEPT
        self._lines_left -= 1

    def expected(self, depth: int, ranks: int) -> list[float]:
        first, recent = _place(depth, 0), self._recent
        for rank in range(ranks):
            recent.fade(first + rank)
        return [
            (recent.hits[first + rank] + _RANK_PRIOR_WEIGHT * _RANK_PRIOR[rank])
            / (recent.offered[first + rank] + _RANK_PRIOR_WEIGHT)
            for rank in range(ranks)
        ]

    def _line(self, coarse: int, fine: int) -> tuple[float, float]:
        """Return base and slope of a cell's chance over the drafter's own; coarse cells smooth fine ones."""
        base, slope = 0.0, 1.0
        for counts, cell, prior in (
            (self._any, coarse % _BUCKETS, _ANY_PRIOR),
            (self._coarse, coarse, _COARSE_PRIOR),
            (self._fine, fine, _FINE_PRIOR),
        ):
            counts.fade(cell)
            weight = counts.offered[cell] + prior
            base, slope = (counts.hits[cell] + prior * base) / weight, prior * slope / weight
        return base, slope


class _AcceptanceCounts:
    """Draft tokens proposed and accepted, by cell; a full cell is halved, so that it follows the text."""

    __slots__ = ("hits", "offered")

    def __init__(self, cells: int) -> None:
        self.offered = [0.0] * cells
        self.hits = [0.0] * cells

    def fade(self, cell: int) -> None:
        if self.offered[cell] >= _MEMORY:
            self.offered[cell] /= 2
            self.hits[cell] /= 2


def _place(depth: int, rank: int) -> int:
    return (min(depth, _DEPTHS) - 1) * MAX_DRAFT_TOKENS + rank


def _sane(own: float) -> float:
    # in this form NaN becomes the smallest chance
    if not own > _MIN_CHANCE:
        return _MIN_CHANCE
    return own if own < MAX_CHANCE else MAX_CHANCE


def _companies(offers: Offers) -> list[list[int]]:
    """Return for every draft token of every source how the other sources compare.

    No other source proposed anything; another proposes the same token; all propose other tokens; or others
    agree on another token. Only the best draft tokens vote, but all are judged.
    """
    if len(offers) == 1:
        return [[_ALONE] * len(offers[0][1].token_ids)]
    votes: dict[int, int] = {}
    for _, proposed in offers:
        for token in proposed.token_ids[:_VOTING_RANKS]:
            votes[token] = votes.get(token, 0) + 1
    others = _OUTVOTED if max(votes.values()) > 1 else _DIFFERED
    return [
        [_AGREED if votes.get(token, 0) > 1 else others for token in proposed.token_ids]
        for _, proposed in offers
    ]


def _falling(proposal: tuple[float, int, Source, int]) -> float:
    return -proposal[0]
